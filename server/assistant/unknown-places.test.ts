import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import { ASSISTANT_LANGUAGE_CODES } from '#shared/assistant/languages.ts'
import { answerTo, insertFacts, RATES_OF_TESTS, SOME_FACTS, sharedUnderstanding } from './testing.ts'

const database = await testDatabase()
await insertFacts(database, SOME_FACTS)
await inBackground(database, 'test', async (db) => {
  await insertAdvisory(db, { title: 'Japan: Level 1', country_codes: ['JP'] })
  await insertAdvisory(db, { title: 'Kuwait: Level 3', country_codes: ['KW'] })
})
const app = await testApp(database, { assistant: { rates: RATES_OF_TESTS, understand: sharedUnderstanding() } })

test.each(ASSISTANT_LANGUAGE_CODES)(
  'a country that nobody knows has no advisory of another country, in %s',
  async (language) => {
    const { content, metadata } = await answerTo(app, 'Is it safe in Zubrowka?', { language })
    expect(content).toContain('Zubrowka')
    expect(content).not.toMatch(/Level/)
    expect(metadata).toMatchObject({ status: 'partly', language, records: [] })
  },
)

test('it is said to be unknown, and the country is asked', async () => {
  const { content } = await answerTo(app, 'Is it safe in Zubrowka?')
  expect(content).toBe('I know no country of that name: “Zubrowka”.\n\nWhich country is it about?')
})

test('a misspelling is asked about by one tap that asks the same of the right country', async () => {
  const { content, metadata } = await answerTo(app, 'Is it safe in Kuwiat?')
  expect(content).toContain('Did you mean Kuwait?')
  expect(metadata.records).toEqual([])
  const [first] = metadata.quickActions
  expect(first).toEqual({ label: 'Did you mean Kuwait?', action: 'send', value: 'Is it safe in Kuwait?' })
  expect((await answerTo(app, first!.value)).content).toContain('Kuwait: Level 3')
})

test('after Japan an unknown country is not answered with Japan', async () => {
  const messages = ['Is it safe in Japan?', 'And in Zubrowka?'].map((content) => ({ role: 'user' as const, content }))
  const { content } = await answerTo(app, '', { message: undefined, messages })
  expect(content).not.toContain('Japan')
})

test('whoever is in danger and misspells the country is not given numbers of the country of the profile', async () => {
  const ana = await createTestUser(database, 'traveler', { country_code: 'SA' })
  const { metadata } = await answerTo(app, 'My employer beats me in Kuwiat', { as: ana.as })
  expect(metadata.danger).toMatchObject({ country: null })
  expect(metadata.quickActions[0]).toMatchObject({ label: 'Did you mean Kuwait?' })
})

test('of a city that two countries have the largest is answered, says so, and the other is one tap away', async () => {
  const { content, metadata } = await answerTo(app, 'Is it safe in London?')
  expect(content).toContain('More than one place is called London. This is about London in United Kingdom.')
  expect(metadata.quickActions[0]).toEqual({
    label: 'London, Canada',
    action: 'send',
    value: 'Is it safe in London, Canada?',
  })
  const other = await answerTo(app, metadata.quickActions[0]!.value)
  expect(other.metadata.records[0]).toBe('country:CA')
  expect(other.content).not.toContain('More than one place')
})
