import { describe, expect, test } from 'vitest'
import { FeedError, type ParsedFeed } from '../feed.ts'
import { bytes, context, counts, fixture, harmInItem, hasSharedData, sharedData } from '../testing.ts'
import { readCa, readCaCountry, readCaIndex } from './ca.ts'

const at = context('https://data.international.gc.ca/travel-voyage/index-alpha-eng.json')
// The readers of this source return synchronously.
const read = (document: Uint8Array) => readCa(document, at) as ParsedFeed

test('the index of 2026', () => {
  const feed = read(fixture('ca/index-2026-09.json'))
  expect(counts(feed)).toEqual({ items: 6, rejected: 0, follow: 0 })
  expect(feed.isComplete).toBe(true)
  expect(
    feed.items.map((item) => [item.external_id, item.title, item.country_codes.join(), item.severity_level]),
  ).toEqual([
    ['set:AF', 'Afghanistan: Avoid all travel', 'AF', 'critical'],
    ['set:DZ', 'Algeria: Exercise a high degree of caution (with regional advisories)', 'DZ', 'caution'],
    [
      'set:CI',
      "Côte d'Ivoire (Ivory Coast): Exercise a high degree of caution (with regional advisories)",
      'CI',
      'caution',
    ],
    ['set:IL+PS', 'Israel and Palestine: Avoid non-essential travel (with regional advisories)', 'IL,PS', 'warning'],
    ['set:JP', 'Japan: Exercise normal security precautions', 'JP', 'info'],
    ['set:MX', 'Mexico: Exercise a high degree of caution (with regional advisories)', 'MX', 'caution'],
  ])
  expect(feed.items[0]).toMatchObject({
    description:
      'Avoid all travel. Latest update: The Health section was updated - travel health information (Public Health Agency of Canada)',
    original_level: '3',
    last_updated: new Date('2026-09-24T12:53:00Z'),
    date_precision: 'minute',
    source_url: 'https://travel.gc.ca/destinations/afghanistan',
  })
})

test('the index of 2014: entities, times without an offset, keys that are not countries', () => {
  const feed = read(fixture('ca/index-2014-10-02-extract.json'))
  expect(counts(feed)).toEqual({ items: 14, rejected: 0, follow: 0 })
  expect(Object.fromEntries(feed.items.map((item) => [item.external_id, item.country_codes.join()]))).toEqual({
    // Parts of a country are listed beside the country itself.
    ...{ 'set:PT/azores': 'PT', 'set:ES/canary-islands': 'ES', 'set:IL+PS': 'IL,PS' },
    ...Object.fromEntries(
      ['AF', 'AL', 'GM', 'BL', 'KP', 'KR', 'CD', 'CG', 'CI', 'ST', 'MF'].map((it) => [`set:${it}`, it]),
    ),
  })
  expect(feed.pages?.get('set:PT/azores')).toBe('cta-cap-PT-20.json')
  expect(feed.items[0]).toMatchObject({
    description:
      'AVOID ALL TRAVEL. Latest update: The Laws & Culture tab was updated - removal of information on Ramadan.',
    // 13:35 in Ottawa.
    last_updated: new Date('2014-08-06T17:35:00Z'),
  })
  expect(feed.items[1]!.title).toBe('Albania: Exercise normal security precautions; see also regional advisories')
})

test("a destination's own page", () => {
  const feed = read(fixture('ca/cta-cap-HT-2026-09.json'))
  expect(counts(feed)).toEqual({ items: 1, rejected: 0, follow: 0 })
  expect(feed.isComplete).toBe(false)
  const [item] = feed.items
  expect(item).toMatchObject({
    external_id: 'set:HT',
    title: 'Haiti: Avoid all travel',
    country_codes: ['HT'],
    last_updated: new Date('2026-09-24T12:53:00Z'),
    affected_regions: [],
  })
  expect(item!.description).toMatch(/^Avoid all travel to Haiti due to the threat posed by kidnappings/)
  expect(item!.recommendations[0]).toBe('shelter in a safe place until the situation has stabilized')
  expect(item!.recommendations).toHaveLength(5)
  expect(item!.detailed_information!.match(/<h3>[^<]*/g)).toEqual(['<h3>Risk level', '<h3>Safety and security'])
  expect(harmInItem(item!)).toEqual([])
})

const entry = (change: object = {}, eng: object = {}) => ({
  'advisory-state': 1,
  'date-published': { timestamp: 1790254415, asp: '2026-09-24T08:53:35.8663187-04:00' },
  'has-regional-advisory': 0,
  eng: { name: 'Japan', 'url-slug': 'japan', 'advisory-text': 'Exercise a high degree of caution', ...eng },
  ...change,
})
const readEntry = (key: string, value: unknown) => read(bytes(JSON.stringify({ data: { [key]: value } })))

describe('country codes', () => {
  test.each([
    ['JP', 'Japan', ['JP'], []],
    ['JP', 'Land of Nowhere', ['JP'], []],
    ['NE', 'Nigeria', [], ['Nigeria (NE)']],
    ['XX', 'Ruritania', [], ['Ruritania']],
    ['PT-20', 'Azores', ['PT'], []],
  ])('%s with the name %s', (key, name, codes, unresolved) =>
    expect(readEntry(key, entry({}, { name })).items[0]).toMatchObject({
      country_codes: codes,
      unresolved_countries: unresolved,
    }),
  )
})

test('regions have their own headings; a regional advisory is mentioned where the wording leaves it out', () => {
  const advisories =
    '<div><h3>JAPAN - EXERCISE A HIGH DEGREE OF CAUTION</h3><p>There is crime.</p></div>' +
    '<div><h3>Area around Fukushima - Avoid non-essential travel</h3><p>Radiation.</p></div>'
  const page = entry(
    { 'country-iso': 'JP', 'has-regional-advisory': 1 },
    { advisories, 'friendly-date': 'September 24, 2026 08:53 EDT' },
  )
  expect(read(bytes(JSON.stringify({ data: page }))).items[0]).toMatchObject({
    affected_regions: ['Area around Fukushima'],
    original_wording: 'Exercise a high degree of caution (with regional advisories)',
    description: 'There is crime. Radiation.',
  })
})

test.each([
  [entry({ 'advisory-state': 4 }), /Level 4 is not one of 0 to 3/],
  [entry({ 'advisory-state': 0 }), /The level is 0, but the wording "Exercise a high degree of caution"/],
  [entry({ 'advisory-state': undefined }), /advisory-state/],
  [entry({ 'date-published': { asp: '2026-09-24T08:53:35' } }), /no date that can be read/],
  [entry({ 'date-published': null }), /no date that can be read/],
  [entry({ 'see-other-iso': 'CN' }), /Refers to the entry of CN/],
  [entry({ 'has-content': 0 }), /no content/],
  [entry({}, { 'advisory-text': ' ' }), /no wording/],
  [entry({}, { name: '<br>' }), /no destination/],
  [entry({}, { name: 'Test' }), /test message/],
  [entry({}, { 'url-slug': '../x' }), /url-slug/],
  [{ eng: null }, /./],
])('an entry that cannot be read is refused with the reason (%#)', (value, reason) => {
  const feed = readEntry('JP', value)
  expect(counts(feed)).toEqual({ items: 0, rejected: 1, follow: 0 })
  expect(feed.rejected[0]!.reason).toMatch(reason)
})

test.each([
  ['{"data":{}}', 'The list is empty'],
  ['[]', 'not the index'],
  ['{"error":"no"}', 'not the index'],
  ['<html><head><title>Maintenance</title>', 'an HTML page titled "Maintenance"'],
  ['', 'empty'],
])('%j throws: %s', (document, message) => {
  expect(() => read(bytes(document))).toThrow(FeedError)
  expect(() => read(bytes(document))).toThrow(message)
})

test('also when the format is specified', () => {
  expect(() => readCaCountry(fixture('ca/index-2026-09.json'), at)).toThrow(FeedError)
  expect(() => readCaIndex(fixture('ca/cta-cap-HT-2026-09.json'), at)).toThrow(FeedError)
})

test.skipIf(!hasSharedData)('all 229 destinations of 2014 are of the country their key names', () => {
  const feed = read(sharedData('advisories/ca-index-alpha-eng-2014-full.json'))
  expect(counts(feed)).toEqual({ items: 229, rejected: 0, follow: 0 })
  expect(feed.items.flatMap((item) => item.unresolved_countries)).toEqual([])
  const others = feed.items.filter((item) => `set:${item.country_codes.join('+')}` !== item.external_id)
  expect(others.map((item) => [item.external_id, item.country_codes.join()])).toEqual([
    ['set:PT/azores', 'PT'],
    ['set:ES/canary-islands', 'ES'],
  ])
})
