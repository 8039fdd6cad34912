import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { FeedError } from '../feed.ts'
import { readDe } from './de.ts'

const SHARED = new URL('../../../../../shared/data/', import.meta.url)
const context = {
  countries: createCountries(),
  baseUrl: 'https://www.auswaertiges-amt.de/opendata/travelwarning',
  now: new Date('2026-09-28'),
}
const fixture = new URL('../../../../fixtures/advisories/de/warnings-2026-09.json', import.meta.url)
const read = (document: unknown) => readDe(new TextEncoder().encode(JSON.stringify(document)), context)

describe('the list of September 2026', () => {
  const { items, rejected, isComplete } = readDe(readFileSync(fixture), context)

  test('every entry is an item of the right country and level', () => {
    const rows = items.map((item) => [item.external_id, item.title, ...item.country_codes, item.severity_level])
    expect(rows).toEqual([
      ['set:MO', 'Macau: Reise- und Sicherheitshinweise', 'MO', 'info'],
      ['set:BY', 'Belarus: Reisewarnung', 'BY', 'critical'],
      ['set:SD', 'Sudan: Reisewarnung', 'SD', 'critical'],
      ['set:GH', 'Ghana: Teilreisewarnung', 'GH', 'warning'],
      ['set:PS', 'Palästinensische Gebiete: Reisewarnung', 'PS', 'critical'],
      ['set:HT', 'Haiti: Reisewarnung', 'HT', 'critical'],
      ['set:BJ', 'Benin: Teilreisewarnung', 'BJ', 'warning'],
      ['set:CI', "Côte d'Ivoire: Teilreisewarnung", 'CI', 'warning'],
      ['set:KN', 'St. Kitts und Nevis: Reise- und Sicherheitshinweise', 'KN', 'info'],
      ['set:GQ', 'Äquatorialguinea: Reise- und Sicherheitshinweise', 'GQ', 'info'],
    ])
    expect(rejected).toEqual([])
    expect(isComplete).toBe(true)
    expect(items.flatMap((item) => item.unresolved_countries)).toEqual([])
  })

  test('dates are seconds, the page is the short link, the language German', () => {
    expect(items[1]).toMatchObject({
      description: 'Belarus: Reise- und Sicherheitshinweise (Reisewarnung)',
      detailed_information: null,
      original_level: 'warning',
      original_wording: 'Reisewarnung',
      effective_date: new Date('2026-06-19T12:45:00Z'),
      last_updated: new Date('2026-06-19T12:51:44Z'),
      date_precision: 'minute',
      source_url: 'https://www.auswaertiges-amt.de/de/-/201904',
      language: 'de',
      is_urgent: false,
      status: 'actual',
    })
  })
})

test('the document of a single id has the text, and does not replace the list', () => {
  const content = `<h3>Aktuelles</h3><p>Vor Reisen nach Belarus wird gewarnt. Deutsche Staatsangehörige werden zur sofortigen
    Ausreise aufgefordert.</p><ul><li>Seien Sie wachsam.</li><li>Meiden Sie <a href="/de/x">Demonstrationen</a>.</li>
    <li>Die Botschaft ist offen.</li></ul><script>alert(1)</script><p onclick="x">Ende</p>`
  const { items, isComplete } = read({ response: { 201904: entry({ content }), contentList: ['201904'] } })
  expect(isComplete).toBe(false)
  expect(items[0]).toMatchObject({
    is_urgent: true,
    recommendations: ['Seien Sie wachsam.', 'Meiden Sie Demonstrationen.'],
    detailed_information: expect.stringContaining('href="https://www.auswaertiges-amt.de/de/x"'),
  })
  expect(items[0]!.description).toContain('Vor Reisen nach Belarus wird gewarnt.')
  expect(items[0]!.detailed_information).not.toMatch(/script|onclick/)
})

test.each([
  [{ warning: true, partialWarning: true }, 'critical', 'Reisewarnung'],
  [{ partialWarning: true, situationPartWarning: true }, 'warning', 'Teilreisewarnung'],
  [{ situationWarning: true }, 'warning', 'Situationsbedingte Reisewarnung'],
  [{ situationPartWarning: true }, 'caution', 'Situationsbedingte Teilreisewarnung'],
  [{}, 'info', 'Reise- und Sicherheitshinweise'],
])('%o: %s, %s', (levels, severity_level, original_wording) => {
  expect(readSingle({ warning: false, ...levels }).items[0]).toMatchObject({ severity_level, original_wording })
})

test('older documents: milliseconds, names with a capital', () => {
  const { countryName, countryCode, ...rest } = entry({ lastModified: 1499681492000, effective: 1499681492000 })
  const { items } = readSingle({ ...rest, countryName: undefined, CountryName: countryName, CountryCode: countryCode })
  expect(items[0]).toMatchObject({ country_codes: ['BY'], last_updated: new Date('2017-07-10T10:11:32Z') })
})

test.each([
  ['a name that does not resolve', { countryName: 'Atlantis', countryCode: 'BY' }, 'Atlantis'],
  ['a name its code contradicts', { countryName: 'Niger', countryCode: 'NG' }, 'Niger'],
])('%s is shown and listed', (_, change, name) => {
  const { items } = readSingle(change)
  expect(items[0]).toMatchObject({ title: `${name}: Reisewarnung`, country_codes: [], unresolved_countries: [name] })
})

test.each([
  ['no levels', { warning: undefined }, /^warning: /],
  ['levels as words', { partialWarning: 'false' }, /^partialWarning: /],
  ['no date', { lastModified: undefined }, /^lastModified: /],
  ['a date of no magnitude', { lastModified: 17 }, /A date of it/],
  ['an unreadable beginning', { effective: 'now' }, /A date of it/],
])('only the entry with %s is refused', (_, change, reason) => {
  const { items, rejected } = read({
    response: { 1: entry({ countryName: 'Ghana', countryCode: 'GH' }), 2: entry(change), contentList: ['1', '2'] },
  })
  expect(items).toHaveLength(1)
  expect(rejected).toEqual([{ item: '2 Belarus', reason: expect.stringMatching(reason) }])
})

test('an id of the list without an entry is reported, and the list is then incomplete', () => {
  const parsed = read({
    response: { 1: entry({ countryName: 'Ghana', countryCode: 'GH' }), 2: entry({}), contentList: ['1', '2', '3'] },
  })
  expect(parsed.items).toHaveLength(2)
  expect(parsed.rejected).toEqual([{ item: '3', reason: expect.stringContaining('contentList') }])
  expect(parsed.isComplete).toBe(false)
})

test.each([
  ['{}', /empty object: the interface is switched off or failed/],
  ['{"response": {}}', /switched off or failed/],
  ['{"response": {"contentList": [], "lastModified": 1}}', /switched off or failed/],
  ['{"response": {"1": {"title": "Belarus"}}}', /None of its 1 entries can be read/],
  ['[]', /no object "response"/],
  ['{"error": "x"}', /no object "response"/],
  ['<html><title>Wartung</title></html>', /HTML page titled "Wartung", not JSON/],
  ['', /empty, not JSON/],
])('%s is not the list', (document, reason) => {
  expect(() => readDe(new TextEncoder().encode(document), context)).toThrow(FeedError)
  expect(() => readDe(new TextEncoder().encode(document), context)).toThrow(reason)
})

test.skipIf(!existsSync(SHARED))('the fixture is the document it was taken from', () => {
  expect(readFileSync(fixture)).toEqual(readFileSync(new URL('advisories/recent-2026-09/de-warnings.json', SHARED)))
})

function entry(change: Record<string, unknown>): Record<string, unknown> {
  return {
    ...{ lastModified: 1781873504, effective: 1781873100, title: 'Belarus: Reise- und Sicherheitshinweise' },
    ...{ countryName: 'Belarus', countryCode: 'BY', iso3CountryCode: 'BLR' },
    ...{ warning: true, partialWarning: false, situationWarning: false, situationPartWarning: false },
    ...change,
  }
}

function readSingle(change: Record<string, unknown>) {
  return read({ response: { 201904: entry(change) } })
}
