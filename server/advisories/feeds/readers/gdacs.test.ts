import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { FeedError } from '../feed.ts'
import { readGdacs } from './gdacs.ts'

const SHARED = new URL('../../../../../shared/data/', import.meta.url)
const context = { countries: createCountries(), baseUrl: 'https://www.gdacs.org/', now: new Date('2026-09-28') }
const fixture = (name: string) =>
  readFileSync(new URL(`../../../../fixtures/advisories/gdacs/${name}`, import.meta.url))
const read = (name: string) => readGdacs(fixture(name), context)
const bytes = (text: string) => new TextEncoder().encode(text)

describe('RSS', () => {
  const { items, rejected, isComplete } = read('rss-2019-12-30-extract.xml')
  const item = (id: string) => items.find((item) => item.external_id === id)!

  test('every event is an item', () => {
    expect(items.map((item) => item.external_id)).toHaveLength(6)
    expect(rejected).toEqual([])
    expect(isComplete).toBe(true)
  })

  test('a cyclone: the event decides the severity, and a lower episode is mentioned', () => {
    expect(item('TC1000641')).toMatchObject({
      title: 'Philippines: Orange Tropical Cyclone PHANFONE-19',
      severity_level: 'warning',
      original_level: 'Orange',
      original_wording: 'Orange alert for tropical cyclone PHANFONE-19',
      is_urgent: false,
      advisory_type: 'weather',
      country_codes: ['PH'],
      effective_date: new Date('2019-12-21T18:00:00Z'),
      expiry_date: null,
      source_url: 'https://www.gdacs.org/report.aspx?eventtype=TC&eventid=1000641',
      status: 'actual',
    })
    expect(item('TC1000641').description).toMatch(/ is 0\.795 million\. The latest episode is at level Green\.$/)
    // The 46 km/h of its last day are not shown beside the 176 km/h of the event.
    expect(item('TC1000641').description).not.toContain('46 km/h')
  })

  test('a cyclone affects all countries its description names, not only the one of the country field', () => {
    expect(item('TC1000642').country_codes).toEqual(['FJ', 'TO', 'NU'])
  })

  test('a drought that is not current ends, and its wording takes the level from the description', () => {
    expect(item('DR1013280')).toMatchObject({
      title: 'Bosnia & Herzegovina, Bulgaria and 9 others: Green Drought Ukraine, Upper Dnepr, Balkans-2019',
      description: 'The Drought alert level is Green. Minor impact for agricultural drought in 518895 km2.',
      country_codes: ['BA', 'BG', 'BY', 'HR', 'MD', 'ME', 'PL', 'RO', 'RS', 'RU', 'UA'],
      expiry_date: new Date('2019-12-30T01:27:00Z'),
    })
    expect(item('DR1013280').original_wording).toMatch(/, Ukraine\. The Drought alert level is Green$/)
  })

  test('a place that is not a country is unresolved, never placed by the code beside it', () => {
    expect(item('EQ1199647')).toMatchObject({
      title: 'Southeast Of Loyalty Islands: Green Earthquake (Magnitude 5.5M, Depth:59.95km)',
      country_codes: [],
      unresolved_countries: ['Southeast Of Loyalty Islands'],
    })
    const honshu = items.find((item) => item.title.includes('Honshu'))
    expect(honshu).toMatchObject({ country_codes: ['JP'], unresolved_countries: ['Southeast Of Honshu'] })
  })

  test('over open sea there is no country, and none is reported as unresolved', () => {
    const atSea = items.filter((item) => item.country_codes.length + item.unresolved_countries.length === 0)
    expect(atSea.map((item) => item.title)).toEqual(['Green Earthquake (Magnitude 5.3M, Depth:10km)'])
  })
})

describe('GeoJSON', () => {
  const { items, rejected } = read('search-2026-09.json')

  test('every feature is an item, with the same identity as in the RSS', () => {
    expect(items.map((item) => item.external_id)).toEqual(['TC1001325', 'DR1018332', 'FL1104121'])
    expect(rejected).toEqual([])
  })

  test('times without a zone are UTC', () => {
    expect(items[0]).toMatchObject({
      title: 'Mexico: Orange Tropical Cyclone POLO-26',
      original_wording: 'Orange Tropical Cyclone POLO-26 in Mexico',
      severity_level: 'warning',
      effective_date: new Date('2026-09-21T03:00:00Z'),
      expiry_date: null,
      last_updated: new Date('2026-09-27T15:26:08Z'),
    })
    expect(items[0]!.description).toBe(
      'Orange Tropical Cyclone POLO-26 in Mexico from: 21 Sep 2026 to: 27 Sep 2026. Hurricane/Typhoon > 74 mph (maximum wind speed of 287 km/h).',
    )
  })

  test('25 countries in a list that ends with a comma', () => {
    expect(items[1]!.title).toBe('Austria, Bosnia & Herzegovina and 23 others: Orange Drought Europe-2026')
    expect(items[1]!.country_codes).toHaveLength(25)
    expect(items[1]!.unresolved_countries).toEqual([])
  })

  test('a magnitude of 0 is omitted', () => {
    expect(items[2]!.description).toBe(
      'Orange Flood in India from: 09 Aug 2026 01 to: 22 Sep 2026 01. The latest episode is at level Green.',
    )
    expect(items[2]!.expiry_date).toEqual(new Date('2026-09-22T01:00:00Z'))
  })
})

describe('severity', () => {
  test.each([
    ['Red', 'true', 'emergency'],
    ['Red', 'false', 'critical'],
    ['Orange', 'true', 'warning'],
    ['Green', 'true', 'info'],
  ])('%s, current %s: %s', (alertlevel, iscurrent, severity) => {
    expect(readSingle({ alertlevel, iscurrent }).items[0]?.severity_level).toBe(severity)
  })
})

test.each([
  [{ alertlevel: 'Purple' }, /"Purple" is none of/],
  [{ alertlevel: 'constructor' }, /"constructor" is none of/],
  [{ iscurrent: 'perhaps' }, /whether the event is current/],
  [{ todate: 'soon' }, /date of the event/],
  [{ fromdate: '2026-02-30T00:00:00' }, /date of the event/],
  [{ eventid: '1&x=<script>' }, /type and number/],
  [{ eventtype: undefined }, /properties.eventtype/],
])('only the event with %o is refused', (change, reason) => {
  const { items, rejected } = readTwo(change)
  expect(items).toHaveLength(1)
  expect(rejected).toEqual([{ item: expect.any(String), reason: expect.stringMatching(reason) }])
})

test('of a duplicate event the newer counts, and the other is refused', () => {
  const { items, rejected } = readTwo({ eventid: 1, datemodified: '2026-09-29T00:00:00' })
  expect(items.map((item) => item.last_updated)).toEqual([new Date('2026-09-29')])
  expect(rejected).toEqual([{ item: 'FL1', reason: expect.stringContaining('twice'), isUnderstood: true }])
})

test('markup and control characters are removed from names and texts', () => {
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>A\u202eB\u0000'
  const { items } = readSingle({ eventname: hostile, htmldescription: hostile, country: `${hostile}, Peru,` })
  expect(items[0]!.description).toBe('AB')
  expect(items[0]!.country_codes).toEqual(['PE'])
  expect(JSON.stringify(items)).not.toMatch(/[\u202e<>]/)
})

test.each([
  ['an HTML page', '<!DOCTYPE html><html><title>Maintenance</title></html>', /HTML page titled "Maintenance"/],
  ['an empty channel', '<rss><channel><title>GDACS</title></channel></rss>', /lists nothing/],
  ['another RSS feed', '<rss><channel><item><title>News</title></item></channel></rss>', /None of its 1 entries/],
  ['Atom', '<feed xmlns="http://www.w3.org/2005/Atom"/>', /not an RSS channel/],
  ['no features', '{"features": []}', /lists nothing/],
  ['an error in JSON', '{"message": "Too many requests"}', /no list of features/],
  ['half a document', fixture('rss-2019-12-30-extract.xml').toString().slice(0, 5000), /not well-formed/],
])('%s is not the feed', (_, document, reason) => {
  expect(() => readGdacs(bytes(document), context)).toThrow(FeedError)
  expect(() => readGdacs(bytes(document), context)).toThrow(reason)
})

describe.skipIf(!existsSync(SHARED))('the whole documents', () => {
  test.each([
    ['gdacs-rss-2019-12-30.xml', 16, ['Southeast Of Loyalty Islands']],
    ['gdacs-rss-24h-2019-12-30.xml', 21, ['Southeast Of Honshu']],
    ['recent-2026-09/gdacs-search-3-features.json', 3, []],
  ])('%s: %i events', (file, count, unresolved) => {
    const parsed = readGdacs(readFileSync(new URL(`advisories/${file}`, SHARED)), context)
    expect(parsed.items).toHaveLength(count)
    expect(parsed.rejected).toEqual([])
    expect(parsed.items.flatMap((item) => item.unresolved_countries)).toEqual(unresolved)
  })
})

function feature(change: Record<string, unknown>) {
  const properties = {
    ...{ eventtype: 'FL', eventid: 1, eventname: '', htmldescription: 'Flood in Peru', country: 'Peru, ' },
    ...{ alertlevel: 'Green', episodealertlevel: 'Green', iscurrent: 'true' },
    ...{ fromdate: '2026-09-01T00:00:00', todate: '2026-09-02T00:00:00', datemodified: '2026-09-02T00:00:00' },
  }
  return { type: 'Feature', properties: { ...properties, ...change } }
}

function readSingle(change: Record<string, unknown>) {
  return readGdacs(bytes(JSON.stringify({ features: [feature(change)] })), context)
}

function readTwo(change: Record<string, unknown>) {
  return readGdacs(bytes(JSON.stringify({ features: [feature({}), feature({ eventid: 2, ...change })] })), context)
}
