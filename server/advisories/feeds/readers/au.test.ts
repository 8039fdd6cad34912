import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { FeedError } from '../feed.ts'
import { readAu } from './au.ts'

const SHARED = new URL('../../../../../shared/data/', import.meta.url)
const context = {
  countries: createCountries(),
  baseUrl: 'https://www.smartraveller.gov.au/',
  now: new Date('2025-03-01'),
}
const fixture = (name: string) => readFileSync(new URL(`../../../../fixtures/advisories/au/${name}`, import.meta.url))
const read = (name: string) => readAu(fixture(name), context)

test('every entry is an item; two territories of one page stay two', () => {
  const { items, rejected, isComplete } = read('levels-2024-11-30-extract.json')
  expect(items.map((item) => [item.external_id, item.title, item.severity_level])).toEqual([
    ['set:AF', 'Afghanistan: Do not travel', 'critical'],
    ['set:AT', 'Austria: Exercise normal safety precautions', 'info'],
    ['set:CI', `${context.countries.nameOf('CI')}: Exercise a high degree of caution`, 'caution'],
    ['set:CD', `${context.countries.nameOf('CD')}: Reconsider your need to travel`, 'warning'],
    ['set:IL', 'Israel: Reconsider your need to travel', 'warning'],
    ['set:PS', `${context.countries.nameOf('PS')}: Reconsider your need to travel`, 'warning'],
    ['set:RS', 'Serbia: Exercise normal safety precautions', 'info'],
  ])
  expect(rejected).toEqual([])
  // The copy lacks Niger, although there is advice for it.
  expect(isComplete).toBe(false)
  expect(items[3]).toMatchObject({
    original_level: '3',
    original_wording: 'Reconsider your need to travel',
    country_codes: ['CD'],
    effective_date: null,
    last_updated: new Date('2024-12-01T06:05:41.367Z'),
    source_url: 'https://www.smartraveller.gov.au/destinations/africa/democratic-republic-congo',
  })
})

test('the level of Kosovo under the name of Serbia is refused', () => {
  const { items, rejected } = read('levels-2025-02-20-extract.json')
  expect(items).toHaveLength(6)
  expect(items.find((item) => item.country_codes.includes('CD'))?.original_level).toBe('4')
  expect(rejected).toEqual([{ item: 'kosovo:RS', reason: '"Serbia" has the page "kosovo", which is of Kosovo' }])
})

test('a list of pages without levels gives no advisories', () => {
  const { items, rejected } = read('destinations-2025-02-20-extract.json')
  expect(items).toEqual([])
  expect(rejected.map(({ item }) => item)).toEqual(['united-arab-emirates:AE', 'afghanistan:AF'])
  expect(rejected[0]!.reason).toMatch(/no advice given, only a page/)
})

test.each([
  ['a level of 5', { level: 5 }, /level 5 is none of 1 to 4/],
  ['a level in words', { level: 'four' }, /no level given/],
  ['a page elsewhere', { page_url: 'https://example.org/destinations/africa/niger' }, /not a destination page/],
  ['a script as page', { page_url: 'javascript:alert(1)' }, /not a destination page/],
  ['the code of another country', { country: { name: 'Niger', alpha_2: 'NG' } }, /"Niger" is NE, but its code is NG/],
])('only the entry with %s is refused', (_, change, reason) => {
  const { items, rejected } = readEntries([entry({}), entry({ page_url: '/destinations/africa/niger', ...change })])
  expect(items).toHaveLength(1)
  expect(rejected).toEqual([{ item: expect.any(String), reason: expect.stringMatching(reason) }])
})

test('a name that does not resolve is shown and listed', () => {
  const { items } = readEntries([entry({ country: { name: '<b>Atlantis</b>', alpha_2: 'AQ' } })])
  expect(items[0]).toMatchObject({ title: 'Atlantis: Do not travel', unresolved_countries: ['Atlantis'] })
})

test.each([
  ['<html><title>Access denied</title></html>', /HTML page titled "Access denied"/],
  ['{"last_updated": "2025-02-20T12:05:33+00:00"}', /neither advisories nor destinations/],
  ['{"last_updated": "yesterday", "advisories": []}', /does not say when/],
  ['[1]', /neither a list of advisories/],
])('%s is not a list', (document, reason) => {
  expect(() => readAu(new TextEncoder().encode(document), context)).toThrow(FeedError)
  expect(() => readAu(new TextEncoder().encode(document), context)).toThrow(reason)
})

describe.skipIf(!existsSync(SHARED))('the whole documents', () => {
  test.each([
    ['au-smartraveller-2024-11-30.json', 177, 0],
    ['au-smartraveller-2025-02-20.json', 176, 1],
    ['au-smartraveller-destinations-2025-02-20.json', 0, 177],
  ])('%s: %i items, %i refused', (file, items, refused) => {
    const parsed = readAu(readFileSync(new URL(`advisories/${file}`, SHARED)), context)
    expect([parsed.items.length, parsed.rejected.length, parsed.follow.length]).toEqual([items, refused, 0])
    expect(parsed.items.flatMap((item) => item.unresolved_countries)).toEqual([])
  })
})

function entry(change: Record<string, unknown>) {
  const country = { name: 'Niger', alpha_2: 'NE' }
  const page_url = 'https://www.smartraveller.gov.au/destinations/africa/somewhere'
  return { country, advisory: 'Do not travel', level: 4, page_url, ...change }
}

function readEntries(advisories: unknown[]) {
  const document = { last_updated: '2025-02-20T12:05:33.900836+00:00', advisories }
  return readAu(new TextEncoder().encode(JSON.stringify(document)), context)
}
