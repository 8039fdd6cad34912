import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'

const database = await testDatabase()
const app = await testApp(database)

const rate = (body: object) =>
  app.request('http://portal.test/api/ai/feedback', {
    method: 'POST',
    headers: { origin: 'http://portal.test', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const rowOf = (id: string) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('assistant_questions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )
const insertQuestion = (asked_at = new Date()) =>
  inBackground(database, 'test', (db) =>
    db
      .insertInto('assistant_questions')
      .values({
        asked_at,
        language: 'en',
        intent: 'general_inquiry',
        status: 'answered',
        country_code: null,
        model_used: null,
        processing_time_ms: 5,
        question: null,
        rating: null,
        comment: null,
        reviewed_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )

test('an answer is rated; the question is stored only if the user submits it, without numbers', async () => {
  const { id } = await insertQuestion()
  expect((await rate({ question_id: id, rating: 1 })).status).toBe(200)
  expect(await rowOf(id)).toMatchObject({ rating: 1, question: null, comment: null })
  await rate({
    question_id: id,
    rating: -1,
    comment: 'Call me on +63 917 123 4567',
    question: 'Where is ana@example.org now?',
  })
  expect(await rowOf(id)).toMatchObject({ rating: -1, comment: 'Call me on […]', question: 'Where is […] now?' })
})

test('an unknown answer, one of last week and an invalid rating are rejected', async () => {
  expect((await rate({ question_id: randomUUID(), rating: 1 })).status).toBe(404)
  const { id } = await insertQuestion(new Date(Date.now() - 7 * 86_400_000))
  expect((await rate({ question_id: id, rating: 1 })).status).toBe(404)
  expect((await rate({ question_id: id, rating: 5 })).status).toBe(422)
})
