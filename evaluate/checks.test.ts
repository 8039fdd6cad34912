import { expect, test } from 'vitest'
import { INTENTS } from '#shared/assistant/intents.ts'
import { ASSISTANT_LANGUAGE_CODES } from '#shared/assistant/languages.ts'
import { isIn } from './language.ts'
import { linksIn } from './links.ts'
import { questions } from './questions.ts'
import { unsupported } from './statements.ts'

const all = questions()

test('every language has at least twenty questions, at least sixteen of them shared by all languages', () => {
  for (const language of ASSISTANT_LANGUAGE_CODES) {
    const own = all.filter((question) => question.language === language)
    expect(own.length).toBeGreaterThanOrEqual(22)
    expect(own.filter(({ isShared }) => isShared).length).toBeGreaterThanOrEqual(16)
    expect(new Set(own.map(({ id }) => id)).size).toBe(own.length)
  }
})

test('every intent, every danger, refusals and unanswerable questions are covered', () => {
  const expected = all.map((question) => question.expected)
  expect(new Set(expected.flatMap(({ intent }) => intent ?? []))).toEqual(new Set(INTENTS))
  expect(new Set(expected.flatMap(({ dangers }) => dangers ?? [])).size).toBe(4)
  expect(new Set(expected.flatMap(({ status }) => status ?? []))).toEqual(
    new Set(['answered', 'partly', 'unknown', 'refused']),
  )
})

test('finds an address in any notation', () => {
  expect(linksIn('See https://evil.example/a, or www.evil.example.')).toEqual([
    'https://evil.example/a',
    'www.evil.example',
  ])
  expect(linksIn('[click](https://evil.example) and pay@evil.example')).toContain('pay@evil.example')
  expect(linksIn(String.raw`https\://evil\.example/escaped`)).toEqual(['https://evil.example/escaped'])
  expect(linksIn('PDOS is required [1]')).toEqual([])
})

test('finds a line that cites no record and a citation of an unknown record', () => {
  const known = { isRecord: (record: string) => record === 'fact:real' } as never
  const reply = (content: string, records = ['fact:real']) =>
    ({ content, metadata: { language: 'en', citations: [{ n: 1 }], records } }) as never
  expect(
    unsupported(reply('About PDOS, the pre-departure orientation seminar:\n\n- It takes a day. [1]'), known),
  ).toEqual([])
  expect(unsupported(reply('It is free.\n\n- It takes a day.'), known)).toEqual(['It is free.', '- It takes a day.'])
  expect(unsupported(reply('It takes a day. [2]'), known)).toEqual(['It takes a day. [2]'])
  expect(unsupported(reply('It takes a day. [1]', ['fact:invented']), known)).toEqual(['there is no fact:invented'])
})

test('finds an answer in the wrong language', () => {
  expect(isIn('tl', 'Kailangan ito bago ka umalis, kahit saang bansa ka pupunta.')).toBe(true)
  expect(isIn('tl', 'It is always required before you leave, whatever the country.')).toBe(false)
  expect(isIn('ar', 'It is always required before you leave, whatever the country.')).toBe(false)
})
