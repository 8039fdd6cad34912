import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { served } from '#server/testing/http-server.ts'
import { createTestUser } from '#server/testing/users.ts'
import { PUBLIC_TIMEOUT_MS } from '#shared/assistant/limits.ts'
import type { AssistantOptions } from './deps.ts'
import type { FindChunks } from './gathering/context.ts'
import type { Choose } from './model/choice.ts'
import {
  answerTo,
  askOver,
  eventsOf,
  insertFacts,
  openStream,
  RATES_OF_TESTS,
  SOME_FACTS,
  sharedUnderstanding,
} from './testing.ts'
import { WAITS } from './timeouts.ts'
import type { Understand } from './understanding/interpretation.ts'

const database = await testDatabase()
await insertFacts(database, SOME_FACTS)
await inBackground(database, 'test', (db) => insertAdvisory(db, { title: 'Japan: Level 1', country_codes: ['JP'] }))
const understand = sharedUnderstanding()
const assistantWith = (assistant: AssistantOptions) =>
  testApp(database, { assistant: { rates: RATES_OF_TESTS, understand, ...assistant } })
const app = await assistantWith({})
/** Its answer has statements that the model may reorder. */
const ABOUT_PDOS = 'What is PDOS?'
const questionRow = (id: string | null) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('assistant_questions').selectAll().where('id', '=', id).executeTakeFirst(),
  )

describe('an answer over HTTP', () => {
  test('has every field of the specification, at every address', async () => {
    for (const path of [
      '/public/chat',
      '/chat',
      '/ai/chat',
      '/functions/ai-chat-public',
      '/functions/ai-chat-public/chat',
    ]) {
      const { status, body } = await askOver(
        app,
        {
          messages: [{ role: 'user', content: 'Is it safe in Japan?' }],
          userId: 'somebody else',
          conversation_id: null,
          options: { model: 'm', temperature: 0.7, max_tokens: 2000 },
        },
        { path },
      )
      expect(status).toBe(200)
      expect(body).toMatchObject({
        success: true,
        ai_response: { content: body.content, format: 'markdown' },
        conversation_id: null,
        detectedLanguage: 'en',
        usage: { total_tokens: 0 },
        error: null,
        status_code: 200,
      })
      expect(body.processing_time_ms).toBeGreaterThanOrEqual(0)
    }
  })

  test('is in the chosen language, whatever the language of the question', async () => {
    expect((await answerTo(app, 'Is it safe in Japan?', { language: 'ar' })).metadata).toMatchObject({
      language: 'ar',
      direction: 'rtl',
    })
    expect((await answerTo(app, 'Is it safe in Japan?', { options: { language: 'ar' } })).detectedLanguage).toBe('ar')
  })

  test('is rejected with a clear message for empty or oversized input', async () => {
    expect((await askOver(app, {})).body.error).toBe('No messages provided')
    expect(await askOver(app, { message: 'x'.repeat(3_000) })).toMatchObject({
      status: 422,
      body: { code: 'question_too_long', error: 'Please use at most 2000 characters for your question.' },
    })
    expect((await askOver(app, { message: 'x'.repeat(100_000) })).status).toBe(422)
    expect((await askOver(app, { message: 'Hello', admin: true })).status).toBe(422)
    expect(await askOver(app, { message: 'Hello', language: 'xx' })).toMatchObject({
      status: 422,
      body: { fields: { language: 'Language xx not supported' } },
    })
  })
})

describe('an answer as a stream', () => {
  test('starts with its head, continues with its text and ends with the complete answer', async () => {
    const response = await openStream(app, { message: 'Is it safe in Japan?' })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const events = await eventsOf(response)
    expect(events.map(({ event }) => event)).toEqual(['start', 'words', 'answer'])
    expect(events[0]!.data).toMatchObject({ language: 'en', direction: 'ltr', danger: null })
    expect(events[1]!.data.text).toBe(events[2]!.data.content)
    expect(events[2]!.data.metadata!.question_id).not.toBeNull()
  })

  test('reports an error as an event, and a rejection before the start by its status', async () => {
    const ana = await createTestUser(database, 'traveler')
    const foreign = { message: 'Hello', conversation_id: '00000000-0000-4000-8000-0000000000c1' }
    const events = await eventsOf(await openStream(app, foreign, { as: ana.as }))
    expect(events).toMatchObject([{ event: 'failure', data: { success: false, status_code: 404 } }])
    expect((await openStream(app, {})).status).toBe(400)
  })

  test('ends when the client disconnects, and aborts pending work', async () => {
    let isAborted = false
    const waiting = await assistantWith({
      choosing: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            isAborted = true
            reject(signal.reason)
          })
        }),
    })
    const { url } = await served(waiting)
    const gone = new AbortController()
    const response = await fetch(`${url}/api/public/chat/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: ABOUT_PDOS }),
      signal: gone.signal,
    })
    const reader = response.body!.getReader()
    let text = ''
    while (!text.includes('event: start')) text += new TextDecoder().decode((await reader.read()).value)
    gone.abort()
    await expect.poll(() => isAborted).toBe(true)
  })
})

describe('the model', () => {
  const valid = 'Its certificate is valid for 1 year.'

  test('only chooses what comes first: all text is from the portal, and every record stays', async () => {
    const composed = await answerTo(app, ABOUT_PDOS)
    const choosing: Choose = async ({ choosable }) => ({
      picks: [{ id: choosable.find(({ text }) => text === valid)!.id, connector: 'C1' }],
      model: 'm',
      tokens: 12,
    })
    const chosen = await assistantWith({ choosing })
    const events = await eventsOf(await openStream(chosen, { message: ABOUT_PDOS }))
    expect(events.map(({ event }) => event)).toEqual(['start', 'words', 'answer'])
    const { content, metadata, usage } = events.at(-1)!.data
    expect(events[1]!.data.text).toBe(content)
    expect(content).toMatch(
      /^About your question:\n\nAbout PDOS, [^\n]*\n\n- Its certificate is valid for 1 year\. \[1\]\n- /,
    )
    expect(metadata).toMatchObject({ status: 'answered', model_used: 'm', notice: null })
    expect(usage).toEqual({ total_tokens: 12 })
    expect(metadata!.records.toSorted()).toEqual(composed.metadata.records.toSorted())
  })

  test('has nothing to choose among advisories and numbers: it is not called, and their order stays', async () => {
    let calls = 0
    const choosing: Choose = async () => {
      calls += 1
      return null
    }
    const { metadata } = await answerTo(await assistantWith({ choosing }), 'Is it safe in Japan?')
    await answerTo(await assistantWith({ choosing }), 'Which emergency numbers are there in Japan?')
    expect(calls).toBe(0)
    expect(metadata).toMatchObject({ status: 'answered', notice: null })
  })

  test('may not be called or fails: the answer keeps the order of the portal and says so', async () => {
    const failing: Choose[] = [async () => null, async () => Promise.reject(new Error('AI service error: 500 - x'))]
    for (const choosing of failing) {
      const { content, metadata } = await answerTo(await assistantWith({ choosing }), ABOUT_PDOS)
      expect(metadata).toMatchObject({
        status: 'fallback',
        model_used: null,
        notice: 'AI service temporarily unavailable, using fallback response',
      })
      expect(content).toContain(valid)
    }
  })

  test('hangs: the answer goes out in the order of the portal', async () => {
    const hanging = await assistantWith({ choosing: () => new Promise(() => {}), waits: { answer: 300 } })
    const ana = await createTestUser(database, 'traveler')
    const { content, metadata } = await answerTo(hanging, ABOUT_PDOS, { as: ana.as })
    expect(metadata.status).toBe('fallback')
    expect(content).toContain(valid)
  })

  test('is not called if an administrator has switched it off', async () => {
    let calls = 0
    const switched = await assistantWith({
      choosing: async () => {
        calls += 1
        return null
      },
    })
    await inBackground(database, 'test', (db) => writeSetting(db, 'assistant.model_enabled', false))
    await switched.readModel.catchUp()
    expect((await answerTo(switched, ABOUT_PDOS)).metadata).toMatchObject({
      status: 'answered',
      notice: null,
    })
    expect(calls).toBe(0)
    await inBackground(database, 'test', (db) => writeSetting(db, 'assistant.model_enabled', true))
  })
})

describe('the knowledge base', () => {
  const away: FindChunks[] = [async () => Promise.reject(new Error('away')), () => new Promise(() => {})]

  test('fails or hangs: the answer says so and goes on', async () => {
    for (const findChunks of away) {
      const failing = await assistantWith({ findChunks, waits: { lookUp: 50 } })
      const { metadata } = await answerTo(failing, 'How much luggage may I bring?')
      expect(metadata).toMatchObject({ status: 'unknown', warning: 'Unable to fetch additional context information' })
    }
  })
})

test('all timeouts together leave public callers an answer within 20 seconds; the knowledge base has 8', () => {
  expect(WAITS.answer + 500 + 2 * WAITS.keeping).toBeLessThan(PUBLIC_TIMEOUT_MS)
  expect(WAITS.lookUp).toBe(8_000)
})

describe('a cached answer', () => {
  /** An assistant that counts interpreted questions: a cached answer is not interpreted again. */
  async function counted(more: AssistantOptions = {}) {
    let calls = 0
    const counting: Understand = (question, circumstances) => {
      calls += 1
      return understand(question, circumstances)
    }
    return { app: await assistantWith({ ...more, understand: counting }), calls: () => calls }
  }

  test('is reused for others for some minutes, under an id of its own, until a row changes', async () => {
    const { app, calls } = await counted()
    const first = await answerTo(app, 'Is it safe in Japan?')
    const second = await answerTo(app, 'Is it safe in Japan?')
    expect([calls(), second.content]).toEqual([1, first.content])
    expect(second.metadata.question_id).not.toBe(first.metadata.question_id)
    await inBackground(database, 'test', (db) => insertAdvisory(db, { title: 'Japan: Level 4', country_codes: ['JP'] }))
    await app.readModel.catchUp()
    expect((await answerTo(app, 'Is it safe in Japan?')).metadata.records).not.toEqual(first.metadata.records)
    expect(calls()).toBe(2)
  })

  test.each([
    'What is PDOS?',
    'How do I register for the seminar?',
    'How long is my certificate valid?',
    'What are the requirements for Saudi Arabia?',
    'When is the next orientation?',
    'What are the requirements to attend a church in Japan?',
    'Is it safe in Japan, and when is registration there?',
  ])('is never one about the seminar, travel documents or certificates: %s', async (question) => {
    const { app, calls } = await counted({ findChunks: async () => [] })
    await answerTo(app, question)
    await answerTo(app, question)
    expect(calls()).toBe(2)
  })

  test('is never one for a signed-in user, nor one with a location', async () => {
    const { app: countedApp, calls } = await counted()
    const [ana, ben] = [await createTestUser(database, 'traveler'), await createTestUser(database, 'traveler')]
    for (const { as } of [ana, ben, ana]) await answerTo(countedApp, 'Is it safe in Japan?', { as })
    await answerTo(countedApp, 'Is it safe in Japan?')
    expect(calls()).toBe(4)
    const near = { location: { latitude: 35.69, longitude: 139.7 } }
    await answerTo(countedApp, 'Where is a church near me?', near)
    expect((await answerTo(countedApp, 'Where is a church near me?')).content).toContain('Which city or country')
  })
})

test('each question is logged without its author, and with its text only if the answer fell short', async () => {
  const ana = await createTestUser(database, 'traveler')
  const known = await answerTo(app, 'Is it safe in Japan?', { as: ana.as })
  const unknown = await answerTo(app, 'What does Ana, +63 917 123 4567, eat on Mars?', { as: ana.as })
  await expect
    .poll(() => questionRow(unknown.metadata.question_id))
    .toMatchObject({
      status: 'unknown',
      question: 'What does Ana, […], eat on Mars?',
      record_ids: [],
    })
  const row = await questionRow(known.metadata.question_id)
  expect(row).toMatchObject({
    intent: 'travel_inquiry',
    status: 'answered',
    country_code: 'JP',
    language: 'en',
    question: null,
  })
  expect(JSON.stringify(row)).not.toContain(ana.id)
})

test('a failing log entry does not affect the answer', async () => {
  const rename = (from: string, to: string) =>
    sql.raw(`alter table ${from} rename to ${to}`).execute(database.background.kysely)
  await rename('assistant_questions', 'put_away')
  try {
    expect((await answerTo(app, 'Is it safe in Japan?')).metadata.status).toBe('answered')
  } finally {
    await rename('put_away', 'assistant_questions')
  }
})

describe('too many questions', () => {
  test('are rejected with a retry time, per address and per user', async () => {
    const limited = await assistantWith({ rates: { address: 3, account: 2 } })
    const ana = await createTestUser(database, 'traveler')
    const statuses = async (as?: string) => {
      const all = await Promise.all(
        Array.from({ length: 5 }, () => askOver(limited, { message: 'Hello' }, as ? { as } : {})),
      )
      expect(all.find(({ status }) => status === 429)!.headers.get('retry-after')).toMatch(/^\d+$/)
      return all.filter(({ status }) => status === 200).length
    }
    expect(await statuses()).toBe(3)
    expect(await statuses(ana.as)).toBe(2)
  })
})

test('when switched off, the assistant says so in the language of the page', async () => {
  await inBackground(database, 'test', (db) => writeSetting(db, 'assistant.enabled', false))
  await app.readModel.catchUp()
  expect(await askOver(app, { message: 'Hello' })).toMatchObject({
    status: 503,
    body: { code: 'assistant_off', error: 'The assistant is off at the moment. Please talk to a person.' },
  })
  expect((await askOver(app, { message: 'Hello', interface_language: 'ar' })).body.error).toMatch(/\p{Script=Arabic}/u)
  await inBackground(database, 'test', (db) => writeSetting(db, 'assistant.enabled', true))
  await app.readModel.catchUp()
})

test('fifty concurrent visitors all get their answer', async () => {
  const contentOf = async (i: number) => {
    const events = await eventsOf(await openStream(app, { message: `Is it safe in Japan? ${i}` }))
    return events.find(({ event }) => event === 'words')?.data.text
  }
  const all = await Promise.all(Array.from({ length: 50 }, (_, i) => contentOf(i)))
  for (const content of all) expect(content).toContain('Japan: Level 1')
})
