import { describe, expect, test } from 'vitest'
import { FeedError, type ParsedFeed } from '../feed.ts'
import { bytes, context, counts, fixture, harmInItem, hasSharedData, sharedData } from '../testing.ts'
import { readUk, readUkAlertStatus, readUkIndex, readUkPage } from './uk.ts'

const at = context('https://www.gov.uk/api/content/foreign-travel-advice', '2026-05-20T15:00:00Z')
// The readers of this source return synchronously.
const read = (document: Uint8Array) => readUk(document, at) as ParsedFeed
const readValue = (value: unknown) => read(bytes(JSON.stringify(value)))

test('the index: twelve pages to follow, on the host the index came from', () => {
  const feed = read(fixture('uk/index-2026-09.json'))
  expect(counts(feed)).toEqual({ items: 0, rejected: 0, follow: 12 })
  expect(feed.isComplete).toBe(true)
  expect(feed.follow[0]).toEqual({
    url: 'https://www.gov.uk/api/content/foreign-travel-advice/mexico',
    external_id: 'set:MX',
    changed_at: new Date('2026-09-26T07:59:13Z'),
  })
})

test('short pages: the most severe status counts, all are listed', () => {
  const feed = read(fixture('uk/pages-2026-09.json'))
  expect(counts(feed)).toEqual({ items: 4, rejected: 0, follow: 0 })
  expect(
    feed.items.map((item) => [item.title, item.country_codes.join(), item.severity_level, item.original_level]),
  ).toEqual([
    ['Afghanistan: FCDO advises against all travel', 'AF', 'critical', 'avoid_all_travel_to_whole_country'],
    [
      ...['Mexico: FCDO advises against all but essential travel to parts of the country', 'MX', 'caution'],
      'avoid_all_but_essential_travel_to_parts',
    ],
    [
      'Ukraine: FCDO advises against all travel to parts of the country, and all but essential travel to other parts',
      ...['UA', 'warning', 'avoid_all_travel_to_parts, avoid_all_but_essential_travel_to_parts'],
    ],
    ['France: No FCDO warning against travel', 'FR', 'info', null],
  ])
  expect(feed.items[0]).toMatchObject({ last_updated: new Date('2026-07-30T10:36:13Z'), date_precision: 'minute' })
})

test('a whole page: the latest change first, all parts in the detail, links to the site', () => {
  const feed = read(fixture('uk/full-country.json'))
  expect(counts(feed)).toEqual({ items: 1, rejected: 0, follow: 0 })
  expect(feed.isComplete).toBe(false)
  const [item] = feed.items
  expect(item).toMatchObject({
    external_id: 'set:AL',
    country_codes: ['AL'],
    last_updated: new Date('2017-02-14T15:42:21Z'),
    source_url: 'https://www.gov.uk/foreign-travel-advice/albania',
  })
  expect(item!.description).toMatch(/^Latest update: Summary – the main opposition party/)
  expect(item!.detailed_information!.match(/<h3>[^<]*/g)).toHaveLength(9)
  expect(item!.detailed_information).toContain('<h3>Safety and security</h3>\n<h4>Crime</h4>')
  expect(item!.detailed_information).toContain('href="https://www.gov.uk/foreign-travel-advice/albania/terrorism"')
  expect(harmInItem(item!)).toEqual([])
})

test('a page without parts', () => {
  expect(read(fixture('uk/no-parts.json')).items[0]).toMatchObject({
    title: 'Antarctica: No FCDO warning against travel',
    description: 'Latest update: Info about the cold.',
    detailed_information: null,
    last_updated: new Date('2015-04-28T16:11:23Z'),
  })
})

describe('the list of alert statuses', () => {
  const feed = read(fixture('uk/alert-status-2026-05-20-extract.json'))
  const find = (name: string) => feed.items.find((item) => item.title.startsWith(`${name}:`))!

  test('every destination is an item dated with the day of capture', () => {
    expect(counts(feed)).toEqual({ items: 17, rejected: 0, follow: 0 })
    expect(feed.isComplete).toBe(true)
    expect(new Set(feed.items.map((item) => `${item.last_updated.toISOString()} ${item.date_precision}`))).toEqual(
      new Set(['2026-05-20T00:00:00.000Z day']),
    )
    expect(feed.items.flatMap((item) => item.unresolved_countries)).toEqual([])
  })

  test('the statuses count, not the "normal" their collector put beside them', () => {
    for (const name of ['Cuba', 'Kuwait', 'Korea, DPR (North Korea)']) expect(find(name).severity_level).toBe('warning')
  })

  test('country names specific to this source', () => {
    expect(find('Congo').country_codes).toEqual(['CG'])
    expect(find('Democratic Republic of the Congo').country_codes).toEqual(['CD'])
    expect(find('Cook Islands, Tokelau and Niue').country_codes).toEqual(['CK', 'TK', 'NU'])
    expect(find('St Martin and St Barthélemy').country_codes).toEqual(['MF', 'BL'])
    expect(find('Hong Kong (SAR of China)').country_codes).toEqual(['HK'])
  })
})

describe('a page in newer shape', () => {
  const page = (details: object, rest: object = {}) => ({
    base_path: '/foreign-travel-advice/chad',
    public_updated_at: '2026-09-01T10:00:00+01:00',
    details: { alert_status: ['avoid_all_travel_to_parts'], country: { name: 'Chad' }, ...details },
    ...rest,
  })

  test('areas, advice and the body among several formats', () => {
    const html =
      '<h2>Borders</h2><p>FCDO advises against all travel to:</p><ul><li>Borkou</li><li>the Lake Chad region</li></ul>' +
      '<p>Crime is common.</p><p>You should:</p><ul><li>keep doors locked</li><li>follow the <b>news</b></li></ul>'
    const body = [
      { content_type: 'text/govspeak', content: '#' },
      { content_type: 'text/html', content: html },
    ]
    const { items } = readValue(page({ parts: [{ title: 'Warnings and insurance', body }] }))
    expect(items[0]).toMatchObject({
      affected_regions: ['Borkou', 'the Lake Chad region'],
      recommendations: ['keep doors locked', 'follow the news'],
      description: 'Crime is common.',
    })
  })

  test.each([
    [page({ alert_status: ['avoid_everything'] }), /Unknown alert status "avoid_everything"/],
    [page({ alert_status: undefined }), /alert_status/],
    [page({}, { public_updated_at: 'today' }), /The date "today" cannot be read/],
    [page({}, { base_path: '/foreign-travel-advice/../../evil' }), /base_path/],
    [page({}, { withdrawn_notice: { withdrawn_at: '2026-09-02T00:00:00Z' } }), /Withdrawn/],
    [page({ country: { name: 'Test' } }), /test message/],
  ])('is refused with the reason (%#)', (document, reason) => {
    const feed = readValue(document)
    expect(counts(feed)).toEqual({ items: 0, rejected: 1, follow: 0 })
    expect(feed.rejected[0]!.reason).toMatch(reason)
  })
})

test('entries of an index that lead elsewhere, are withdrawn or duplicated are refused', () => {
  const child = (base_path: string, rest = {}) => ({ base_path, public_updated_at: '2026-01-01T00:00:00Z', ...rest })
  const children = [
    ...[child('/foreign-travel-advice/chad'), child('/foreign-travel-advice/chad'), child('/evil'), 7],
    child('/foreign-travel-advice/mali', { withdrawn: true }),
    child('/foreign-travel-advice/peru', { api_url: 'http://169.254.169.254/', public_updated_at: 'never' }),
  ]
  const feed = readValue({ links: { children } })
  expect(counts(feed)).toEqual({ items: 0, rejected: 4, follow: 2 })
  expect(feed.follow[1]).toEqual({
    url: 'https://www.gov.uk/api/content/foreign-travel-advice/peru',
    external_id: 'set:PE',
    changed_at: null,
  })
})

test.each([
  ['[]', 'The list is empty'],
  ['{"links":{"children":[]}}', 'The list is empty'],
  ['{}', 'not a page'],
  ['{"error":"no"}', 'not a page'],
  ['null', 'not a page'],
  ['[1,2]', 'not a list of alert statuses'],
  ['<!DOCTYPE html><title>Sorry</title>', 'an HTML page titled "Sorry"'],
  ['{"details"', 'not JSON'],
])('%j throws: %s', (document, message) => {
  expect(() => read(bytes(document))).toThrow(FeedError)
  expect(() => read(bytes(document))).toThrow(message)
})

test('also when the format is specified', () => {
  expect(() => readUkIndex(fixture('uk/no-parts.json'), at)).toThrow(FeedError)
  expect(() => readUkPage(fixture('uk/index-2026-09.json'), at)).toThrow(FeedError)
  expect(() => readUkAlertStatus(fixture('uk/no-parts.json'), at)).toThrow(FeedError)
})

test.skipIf(!hasSharedData)('all 226 destinations are of a country, and the older index is read', () => {
  const feed = read(sharedData('advisories/uk-fcdo-alert-status-2026-05.json'))
  expect(counts(feed)).toEqual({ items: 226, rejected: 0, follow: 0 })
  expect(feed.items.flatMap((item) => item.unresolved_countries)).toEqual([])
  expect(counts(read(sharedData('advisories/uk-fcdo-content-api/index.json')))).toEqual({
    items: 0,
    rejected: 0,
    follow: 7,
  })
})
