import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutAtWord, firstSentence, tickerItems, withoutDuplicates } from './ticker.ts'

const advisory = (id: string, title: string, more = {}) => ({
  id,
  title,
  severity_level: 'warning' as const,
  is_urgent: false,
  last_updated: '2026-09-27T00:00:00Z',
  country_codes: ['JP'],
  source_id: 'us',
  source_organization: 'U.S. Department of State',
  ...more,
})

describe('first sentence', () => {
  test.each([
    ['Do not travel. Crime is widespread.', 'Do not travel.'],
    ['Saudi Arabia: Reconsider Travel', 'Saudi Arabia: Reconsider Travel'],
    ['The U.S. embassy is closed. Stay away.', 'The U.S. embassy is closed.'],
    ['St. Lucia: storm No. 4 nears. Stay in.', 'St. Lucia: storm No. 4 nears.'],
    ['Magnitude 4.9 earthquake in Peru. Green.', 'Magnitude 4.9 earthquake in Peru.'],
    ['Leave now! Borders close.', 'Leave now!'],
    ['هل السفر آمن؟ لا.', 'هل السفر آمن؟'],
    ['避難してください。続きます。', '避難してください。'],
    ['  Two \n spaces  ', 'Two spaces'],
    ['', ''],
  ])('%s', (text, sentence) => expect(firstSentence(text)).toBe(sentence))

  test('cuts a long sentence at a word, at 120 characters including the ellipsis', () => {
    const cut = firstSentence(`${'word '.repeat(40)}end`)
    expect(cut).toMatch(/word…$/)
    expect([...cut].length).toBeLessThanOrEqual(120)
  })

  test('never exceeds the limit and never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 2, max: 150 }), (text, max) => {
        const cut = cutAtWord(text, max)
        expect([...cut].length).toBeLessThanOrEqual(max)
        expect(cut.isWellFormed()).toBe(text.isWellFormed() || cut.isWellFormed())
      }),
    )
  })
})

test('shows an id or a title once, ignoring case and spaces', () => {
  const items = [
    advisory('1', 'Japan: Storm'),
    advisory('1', 'Other'),
    advisory('2', 'JAPAN:  storm'),
    advisory('3', 'Korea'),
  ]
  expect(withoutDuplicates(items).map(({ id }) => id)).toEqual(['1', '3'])
})

test('cleans items, puts urgent ones first and applies the limit', () => {
  const items = tickerItems(
    [
      advisory('a', 'Japan. More'),
      advisory('b', 'Test advisory'),
      advisory('c', 'Niger: Do Not Travel', { severity_level: 'critical', source_id: 'de' }),
      advisory('d', 'Haiti: Leave', { is_urgent: true }),
      advisory('e', 'Peru'),
    ],
    { source: '', limit: 3 },
  )
  expect(items.map(({ id, text }) => [id, text])).toEqual([
    ['d', 'Haiti: Leave'],
    ['c', 'Niger: Do Not Travel'],
    ['a', 'Japan.'],
  ])
})

test('shows a single source if one is configured (ADV-TICKER-13)', () => {
  const rows = [advisory('a', 'A'), advisory('b', 'B', { source_organization: 'Department of Foreign Affairs' })]
  expect(tickerItems(rows, { source: 'Department of Foreign Affairs', limit: 12 }).map(({ id }) => id)).toEqual(['b'])
})
