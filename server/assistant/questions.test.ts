import { expect, test } from 'vitest'
import { scrubbed } from './questions.ts'

test('a stored question does not identify its author', () => {
  for (const [question, expected] of [
    ['My number is +63 917 123 4567, who calls?', 'My number is […], who calls?'],
    ['Write to ana.reyes@example.org please', 'Write to […] please'],
    ['Where is PDOS-2026-001 and APP-2026-0001?', 'Where is […] and […]?'],
    ['Passport P1234567A expired', 'Passport […] expired'],
    ['رقمي ٠٥٠١٢٣٤٥٦٧ في الرياض', 'رقمي […] في الرياض'],
    ['See https://example.org/me?id=5 and www.example.org/ana', 'See […] and […]'],
    ['Is it valid for 2 years or 12 months?', 'Is it valid for 2 years or 12 months?'],
  ] as const)
    expect(scrubbed(question)).toBe(expected)
})

test('and a long one is shortened without splitting a character', () => {
  expect([...scrubbed('😀'.repeat(600))]).toHaveLength(500)
})
