import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { somebody } from '#server/testing/people.ts'
import { served } from '#server/testing/serve.ts'
import { PUBLIC_TIMEOUT_MS } from '#shared/assistant/limits.ts'
import type { AssistantOptions } from './area.ts'
import type { FindChunks } from './gathering/parts.ts'
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
import { WAITS } from './waits.ts'

const database = await testDatabase()
await insertFacts(database, SOME_FACTS)
await inBackground(database, 'test', (db) => insertAdvisory(db, { title: 'Japan: Level 1', country_codes: ['JP'] }))
const understand = sharedUnderstanding()
const assistantWith = (assistant: AssistantOptions) =>
  testApp(database, { assistant: { rates: RATES_OF_TESTS, understand, ...assistant } })
const app = await assistantWith({})
const noted = (id: string | null) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('assistant_questions').selectAll().where('id', '=', id).executeTakeFirst(),
  )

describe('an answer over HTTP', () => {
  test('has every name of the specification, at every address', async () => {
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

  test('is in the language that was chosen, whatever it was asked in', async () => {
    expect((await answerTo(app, 'Is it safe in Japan?', { language: 'ar' })).metadata).toMatchObject({
      language: 'ar',
      direction: 'rtl',
    })
    expect((await answerTo(app, 'Is it safe in Japan?', { options: { language: 'ar' } })).detectedLanguage).toBe('ar')
  })

  test('is refused in a clear sentence where there is nothing to answer, or too much', async () => {
    expect((await askOver(app, {})).body.error).toBe('No messages provided')
    expect(await askOver(app, { message: 'x'.repeat(3_000) })).toMatchObject({
      status: 422,
      body: { code: 'question_too_long', error: 'Please ask in at most 2000 characters.' },
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
  test('begins with what leads it, goes on with its words and ends with the whole', async () => {
    const response = await openStream(app, { message: 'Is it safe in Japan?' })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const events = await eventsOf(response)
    expect(events.map(({ event }) => event)).toEqual(['start', 'words', 'answer'])
    expect(events[0]!.data).toMatchObject({ language: 'en', direction: 'ltr', danger: null })
    expect(events[1]!.data.text).toBe(events[2]!.data.content)
    expect(events[2]!.data.metadata!.question_id).not.toBeNull()
  })

  test('tells of a failure by an event of its own, and of what is refused before it begins by its status', async () => {
    const ana = await somebody(database, 'traveler')
    const foreign = { message: 'Hello', conversation_id: '00000000-0000-4000-8000-0000000000c1' }
    const events = await eventsOf(await openStream(app, foreign, { as: ana.as }))
    expect(events).toMatchObject([{ event: 'failure', data: { success: false, status_code: 404 } }])
    expect((await openStream(app, {})).status).toBe(400)
  })

  test('ends where the reader goes, and what it waits for is told', async () => {
    let isTold = false
    const waiting = await assistantWith({
      phrasing: ({ signal, onWords }) =>
        new Promise((_, reject) => {
          onWords?.('One ')
          signal.addEventListener('abort', () => {
            isTold = true
            reject(signal.reason)
          })
        }),
    })
    const { url } = await served(waiting)
    const gone = new AbortController()
    const response = await fetch(`${url}/api/public/chat/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Is it safe in Japan?' }),
      signal: gone.signal,
    })
    const reader = response.body!.getReader()
    let text = ''
    while (!text.includes('One ')) text += new TextDecoder().decode((await reader.read()).value)
    gone.abort()
    await expect.poll(() => isTold).toBe(true)
  })
})

describe('a model', () => {
  test('only puts into words what was gathered: its words are streamed and the records stay', async () => {
    const speaking = await assistantWith({
      phrasing: async ({ draft, onWords }) => {
        onWords?.('Japan: ')
        onWords?.('be careful [2].')
        return { content: 'Japan: be careful [2].', model: `m ${draft.status}`, tokens: 12 }
      },
    })
    const events = await eventsOf(await openStream(speaking, { message: 'Is it safe in Japan?' }))
    expect(events.map(({ event, data }) => [event, data.text])).toEqual([
      ['start', undefined],
      ['words', 'Japan: '],
      ['words', 'be careful [2].'],
      ['answer', undefined],
    ])
    expect(events.at(-1)!.data).toMatchObject({
      content: 'Japan: be careful [2].',
      usage: { total_tokens: 12 },
      metadata: { status: 'answered', model_used: 'm answered', notice: null },
    })
    expect(events.at(-1)!.data.metadata!.records).toContain('country:JP')
  })

  test('that may not be asked, or fails, leaves the composed answer and says so', async () => {
    for (const phrasing of [async () => null, async () => Promise.reject(new Error('AI service error: 500 - x'))]) {
      const { content, metadata } = await answerTo(await assistantWith({ phrasing }), 'Is it safe in Japan?')
      expect(metadata).toMatchObject({
        status: 'fallback',
        model_used: null,
        notice: 'AI service temporarily unavailable, using fallback response',
      })
      expect(content).toContain('Japan: Level 1')
    }
  })

  test('that fails in the middle has all its words taken back', async () => {
    const breaking = await assistantWith({
      phrasing: async ({ onWords }) => {
        onWords?.('Go there, ')
        throw new Error('stalled')
      },
    })
    const events = await eventsOf(await openStream(breaking, { message: 'Is it safe in Japan?' }))
    expect(events.map(({ event }) => event)).toEqual(['start', 'words', 'instead', 'answer'])
    expect(events[2]!.data.content).toBe(events[3]!.data.content)
    expect(events[3]!.data.content).not.toContain('Go there')
  })

  test('that hangs is left behind: the composed answer goes out in its place', async () => {
    const hanging = await assistantWith({ phrasing: () => new Promise(() => {}), waits: { answer: 300 } })
    const ana = await somebody(database, 'traveler')
    const { content, metadata } = await answerTo(hanging, 'Is it safe in Japan?', { as: ana.as })
    expect(metadata.status).toBe('fallback')
    expect(content).toContain('Japan: Level 1')
  })

  test('is left alone where an administrator switched it off', async () => {
    let calls = 0
    const switched = await assistantWith({
      phrasing: async () => {
        calls += 1
        return null
      },
    })
    await inBackground(database, 'test', (db) => writeSetting(db, 'assistant.model_enabled', false))
    await switched.readModel.catchUp()
    expect((await answerTo(switched, 'Is it safe in Japan?')).metadata).toMatchObject({
      status: 'answered',
      notice: null,
    })
    expect(calls).toBe(0)
    await inBackground(database, 'test', (db) => writeSetting(db, 'assistant.model_enabled', true))
  })
})

describe('knowledge', () => {
  const away: FindChunks[] = [async () => Promise.reject(new Error('away')), () => new Promise(() => {})]

  test('that fails or hangs is said so and ends nothing', async () => {
    for (const findChunks of away) {
      const failing = await assistantWith({ findChunks, waits: { lookUp: 50 } })
      const { metadata } = await answerTo(failing, 'How much luggage may I bring?')
      expect(metadata).toMatchObject({ status: 'unknown', warning: 'Unable to fetch additional context information' })
    }
  })
})

test('all waiting together leaves public callers an answer within 20 seconds; knowledge is waited for 8', () => {
  expect(WAITS.answer + 500 + 2 * WAITS.keeping).toBeLessThan(PUBLIC_TIMEOUT_MS)
  expect(WAITS.lookUp).toBe(8_000)
})

describe('an answer that is kept', () => {
  test('is given again to others for minutes, under an id of its own, until a row changes', async () => {
    let calls = 0
    const counting = await assistantWith({
      phrasing: async () => {
        calls += 1
        return { content: `Said ${calls}`, model: 'm', tokens: 1 }
      },
    })
    const first = await answerTo(counting, 'Is it safe in Japan?')
    const second = await answerTo(counting, 'Is it safe in Japan?')
    expect([calls, second.content]).toEqual([1, 'Said 1'])
    expect(second.metadata.question_id).not.toBe(first.metadata.question_id)
    await inBackground(database, 'test', (db) => insertAdvisory(db, { title: 'Japan: Level 4', country_codes: ['JP'] }))
    await counting.readModel.catchUp()
    expect((await answerTo(counting, 'Is it safe in Japan?')).metadata.records).not.toEqual(first.metadata.records)
    expect(calls).toBe(2)
  })

  test.each([
    'What is PDOS?',
    'How do I register for the seminar?',
    'How long is my certificate valid?',
    'What are the requirements for Saudi Arabia?',
    'When is the next orientation?',
    'What are the requirements to attend a church in Japan?',
    'Is it safe in Japan, and when is registration there?',
  ])('is never one about the seminar, papers or certificates: %s', async (question) => {
    let calls = 0
    const counting = await assistantWith({
      findChunks: async () => [],
      phrasing: async () => {
        calls += 1
        return null
      },
    })
    await answerTo(counting, question)
    const before = calls
    await answerTo(counting, question)
    expect(calls).toBe(before * 2)
  })

  test('is never one to somebody who is signed in, or that says where one is', async () => {
    const telling = await assistantWith({
      phrasing: async ({ visitor, composed }) => ({ content: `${visitor}: ${composed}`, model: 'm', tokens: 1 }),
    })
    const [ana, ben] = [await somebody(database, 'traveler'), await somebody(database, 'traveler')]
    for (const { as, id } of [ana, ben]) {
      const { content } = await answerTo(telling, 'Is it safe in Japan?', { as })
      expect(content).toContain(id)
    }
    expect((await answerTo(telling, 'Is it safe in Japan?')).content).toMatch(/^: /)
    const near = { location: { latitude: 35.69, longitude: 139.7 } }
    await answerTo(telling, 'Where is a church near me?', near)
    expect((await answerTo(telling, 'Where is a church near me?')).content).toContain('Which city or country')
  })
})

test('each question leaves a row without who asked; its words only where the answer fell short', async () => {
  const ana = await somebody(database, 'traveler')
  const known = await answerTo(app, 'Is it safe in Japan?', { as: ana.as })
  const unknown = await answerTo(app, 'What does Ana, +63 917 123 4567, eat on Mars?', { as: ana.as })
  await expect
    .poll(() => noted(unknown.metadata.question_id))
    .toMatchObject({
      status: 'unknown',
      question: 'What does Ana, […], eat on Mars?',
      record_ids: [],
    })
  const row = await noted(known.metadata.question_id)
  expect(row).toMatchObject({
    intent: 'travel_inquiry',
    status: 'answered',
    country_code: 'JP',
    language: 'en',
    question: null,
  })
  expect(JSON.stringify(row)).not.toContain(ana.id)
})

test('a row that cannot be written takes no answer away', async () => {
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
  test('are refused with when to come back: of one address, and of one person', async () => {
    const limited = await assistantWith({ rates: { address: 3, account: 2 } })
    const ana = await somebody(database, 'traveler')
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

test('switched off, it says so in the language of the page', async () => {
  await inBackground(database, 'test', (db) => writeSetting(db, 'assistant.enabled', false))
  await app.readModel.catchUp()
  expect(await askOver(app, { message: 'Hello' })).toMatchObject({
    status: 503,
    body: { code: 'assistant_off', error: 'The assistant is switched off at the moment. Please talk to a person.' },
  })
  expect((await askOver(app, { message: 'Hello', interface_language: 'ar' })).body.error).toMatch(/\p{Script=Arabic}/u)
  await inBackground(database, 'test', (db) => writeSetting(db, 'assistant.enabled', true))
  await app.readModel.catchUp()
})

test('fifty visitors at once all have their words', async () => {
  const contentOf = async (i: number) => {
    const events = await eventsOf(await openStream(app, { message: `Is it safe in Japan? ${i}` }))
    return events.find(({ event }) => event === 'words')?.data.text
  }
  const all = await Promise.all(Array.from({ length: 50 }, (_, i) => contentOf(i)))
  for (const content of all) expect(content).toContain('Japan: Level 1')
})
