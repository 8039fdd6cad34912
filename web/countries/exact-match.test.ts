import { describe, expect, test } from 'vitest'
import countries from '#shared/countries/countries.json' with { type: 'json' }
import { exactMatches } from './exact-match.ts'
import { beyondWording } from './wording.ts'

describe('exact match of a country', () => {
  test.each([
    ['Japan', ['JP']],
    ['  jápan ', ['JP']],
    ['UAE', ['AE']],
    ['السعودية', ['SA']],
    ['日本', ['JP']],
    ['Niger', ['NE']],
    // A capital is a city. A prefix, and a code that may be a prefix.
    ['Seoul', []],
    ['Jap', []],
    ['ch', []],
    ['Nowhere', []],
  ])('%s', (search, codes) => {
    expect(exactMatches(countries, search).map(({ code }) => code)).toEqual(codes)
  })
})

describe('text beyond the quoted wording', () => {
  test.each([
    ['Avoid all travel', 'Avoid all travel', ''],
    ['Avoid all travel.', 'avoid all travel', ''],
    ['Avoid all travel. Latest update: health.', 'Avoid all travel', 'Latest update: health.'],
    ['Avoid all travel to the north', 'Avoid all travel', 'Avoid all travel to the north'],
    ['Floods in the south.', 'Avoid all travel', 'Floods in the south.'],
    ['Floods in the south.', '', 'Floods in the south.'],
  ])('%s beyond %s', (text, wording, rest) => {
    expect(beyondWording(text, wording)).toBe(rest)
  })
})
