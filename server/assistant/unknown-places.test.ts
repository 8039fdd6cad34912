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
  'an unknown country gets no advisory of another country, in %s',
  async (language) => {
    const { content, metadata } = await answerTo(app, 'Is it safe in Zubrowka?', { language })
    expect(content).toContain('Zubrowka')
    expect(content).not.toMatch(/Level/)
    expect(metadata).toMatchObject({ status: 'partly', language, records: [] })
  },
)

test('the answer says that it is unknown and asks for the country', async () => {
  const { content } = await answerTo(app, 'Is it safe in Zubrowka?')
  expect(content).toBe('I do not know a country called “Zubrowka”.\n\nWhich country is this about?')
})

test('a misspelling is offered as one tap that asks the same about the correct country', async () => {
  const { content, metadata } = await answerTo(app, 'Is it safe in Kuwiat?')
  expect(content).toContain('Did you mean Kuwait?')
  expect(metadata.records).toEqual([])
  const [first] = metadata.quickActions
  expect(first).toEqual({ label: 'Did you mean Kuwait?', action: 'send', value: 'Is it safe in Kuwait?' })
  expect((await answerTo(app, first!.value)).content).toContain('Kuwait: Level 3')
})

test('an unknown country after Japan is not answered with Japan', async () => {
  const messages = ['Is it safe in Japan?', 'And in Zubrowka?'].map((content) => ({ role: 'user' as const, content }))
  const { content } = await answerTo(app, '', { message: undefined, messages })
  expect(content).not.toContain('Japan')
})

test('a user in danger who misspells the country does not get the numbers of the profile country', async () => {
  const ana = await createTestUser(database, 'traveler', { country_code: 'SA' })
  const { metadata } = await answerTo(app, 'My employer beats me in Kuwiat', { as: ana.as })
  expect(metadata.danger).toMatchObject({ country: null })
  expect(metadata.quickActions[0]).toMatchObject({ label: 'Did you mean Kuwait?' })
})

test('an ambiguous city name is answered for the largest city, says so, and offers the other', async () => {
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
