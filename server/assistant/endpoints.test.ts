import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { createLog } from '#server/log.ts'
import { loadSampleChurches } from '#server/sample/churches.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { answerTo, askOver, eventsOf, insertFacts, openStream, SOME_FACTS } from './testing.ts'

const database = await testDatabase()
await loadSampleChurches(database, createLog('silent'))
await insertFacts(database, SOME_FACTS)
const advisory = await inBackground(database, 'test', (db) =>
  insertAdvisory(db, {
    title: 'Japan: Exercise Increased Caution',
    severity_level: 'caution',
    country_codes: ['JP'],
    last_updated: new Date('2026-03-05T00:00:00Z'),
  }),
)
await inBackground(database, 'test', (db) =>
  db
    .insertInto('cities')
    .values({
      ...{ id: 1, name: 'Tokyo', country_code: 'JP', state_province: null },
      ...{ latitude: 35.6895, longitude: 139.6917, population: 8_336_599, search_text: '|tokyo|edo|' },
    })
    .execute(),
)
const app = await testApp(database, { assistant: { rates: { address: 10_000, account: 10_000 } } })

test('whether a country is safe is answered with what is in force there, its source, and no all-clear', async () => {
  const { content, metadata } = await answerTo(app, 'Is it safe in Japan?')
  expect(metadata.status).toBe('answered')
  expect(metadata.records).toEqual(['country:JP', `advisory:${advisory.id}`, 'page:/travel-advisories/sources'])
  expect(content).toContain('One advisory is in force for Japan')
  expect(content).toContain(
    '**Caution**: Japan: Exercise Increased Caution (U.S. Department of State, March 5, 2026) [2]',
  )
  expect(metadata.citations[1]).toMatchObject({
    n: 2,
    kind: 'advisory',
    source: 'U.S. Department of State',
    url: `/travel-advisories/${advisory.id}`,
  })
  const quiet = await answerTo(app, 'Is it safe in Saudi Arabia?')
  expect(quiet.content).toContain('That does not mean that all is well there')
})

test('churches of a country come with addresses, the map, and their next service', async () => {
  const { content, metadata } = await answerTo(app, 'Where is a church in Japan?')
  expect(metadata.status).toBe('answered')
  expect(metadata.mapLocales.length).toBeGreaterThan(0)
  expect(metadata.records[0]).toBe('country:JP')
  expect(metadata.records.some((record) => record.startsWith('locale:'))).toBe(true)
  expect(content).toContain('**Sample Locale Adachi**, 0-0-0 Senju, Adachi, Tokyo, Japan · next: ')
})

test('a city without a church of its own is answered with those near it', async () => {
  const { content, metadata } = await answerTo(app, 'Is there a church in Tokyo, Japan?')
  expect(content).toMatch(/within 50 km of Tokyo/)
  expect(metadata.mapLocales.length).toBeGreaterThan(0)
})

test('an answer comes as a stream: what leads it, its words, and the whole at the end', async () => {
  const response = await openStream(app, { message: 'Is it safe in Japan?' })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const events = await eventsOf(response)
  expect(events.map(({ event }) => event)).toEqual(['start', 'words', 'answer'])
  expect(events[0]!.data).toMatchObject({ language: 'en', direction: 'ltr', danger: null })
  expect(events[1]!.data.text).toBe(events[2]!.data.content)
})

test('nothing to answer is said so', async () => {
  for (const body of [
    {},
    { messages: [] },
    { message: ' \u0007\u202e ' },
    { messages: [{ role: 'assistant', content: 'Hello' }] },
  ]) {
    const { status, body: failure } = await askOver(app, body)
    expect([status, failure.error]).toEqual([400, 'No messages provided'])
  }
})
