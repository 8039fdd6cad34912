import { expect, test } from 'vitest'
import { SITUATIONS } from '#shared/emergency/endpoints.ts'
import file from './instructions.json' with { type: 'json' }
import { AUTHORITY_HOSTS, InstructionFile, instructionsFor } from './instructions.ts'

const today = new Date().toISOString().slice(0, 10)
const [first] = Object.entries(file.sources)
/** The file with an error in its first source. */
const withSource = (change: object) => ({
  ...file,
  sources: { ...file.sources, [first![0]]: { ...first![1], ...change } },
})

test('every step is backed by a page of a listed authority, checked no later than today', () => {
  expect(InstructionFile.safeParse(file).success).toBe(true)
  for (const { url, checked_on, name } of Object.values(file.sources)) {
    expect(url, name).toMatch(/^https:\/\//)
    expect(AUTHORITY_HOSTS.has(new URL(url).host), url).toBe(true)
    expect(checked_on <= today, name).toBe(true)
  }
})

test.each([
  ['over an open connection', { url: 'http://www.gov.uk/guidance/arrested-or-detained-abroad' }],
  ['from a host that is not listed', { url: 'https://www.gov.uk.example.com/guidance' }],
  ['from a blog', { url: 'https://blog.example.org/what-to-do' }],
  ['without an address', { url: '' }],
  ['without a date', { checked_on: '' }],
  ['with a day that does not exist', { checked_on: '2026-02-30' }],
  ['without a name', { name: '' }],
])('a source %s is rejected', (_, change) => {
  expect(InstructionFile.safeParse(withSource(change)).success).toBe(false)
})

test('a step without a source is rejected', () => {
  const [step, ...others] = file.instructions
  expect(InstructionFile.safeParse({ ...file, instructions: [{ ...step, source: 'none' }, ...others] }).success).toBe(
    false,
  )
})

test('each situation has one to four steps, in both languages', () => {
  for (const situation of SITUATIONS) {
    const steps = instructionsFor(situation, null)
    expect(steps.length, situation).toBeGreaterThan(0)
    expect(steps.length, situation).toBeLessThanOrEqual(4)
    for (const { text } of steps) expect(text.ar).toMatch(/\p{Script=Arabic}/u)
  }
})

test('a country’s passport instructions are shown there, first, and in no other country', () => {
  const [singapore] = instructionsFor('passport', 'SG')
  expect(singapore!.source.url).toContain('mom.gov.sg')
  for (const country of [null, 'QA', 'AE'])
    expect(instructionsFor('passport', country).map(({ text }) => text.en)).not.toContain(singapore!.text.en)
})

test('every source is used by a step', () => {
  const used = new Set(file.instructions.map(({ source }) => source))
  expect(Object.keys(file.sources).filter((name) => !used.has(name))).toEqual([])
})
