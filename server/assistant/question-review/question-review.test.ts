import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { AnswerStatus } from '#shared/assistant/answer.ts'
import type { QuestionLogEntry } from '#shared/assistant/questions.ts'
import { ROLES } from '#shared/roles.ts'

const database = await testDatabase()
const app = await testApp(database)
const admin = await createTestUser(database, 'admin')
const DAY = 86_400_000

beforeEach(async () => {
  await database.background.pool.query('delete from assistant_questions')
  await database.background.pool.query('delete from assistant_spending')
})

interface Listed {
  questions: QuestionLogEntry[]
  total: number
  figures: object
}
const asAnyone = createApiClient(app, 'admin/assistant/questions')
const ask = (method: string, path = '', as = admin.as) => asAnyone<Listed>(as, method, path)
const insertQuestion = (status: AnswerStatus, more: { rating?: 1 | -1; daysAgo?: number } = {}) =>
  inBackground(database, 'test', async (db) => {
    const { id } = await db
      .insertInto('assistant_questions')
      .values({
        ...{ status, language: 'en', intent: 'general_inquiry', country_code: null, model_used: null },
        ...{ processing_time_ms: 5, question: status === 'unknown' ? 'Where can I park?' : null, comment: null },
        rating: more.rating ?? null,
        asked_at: new Date(Date.now() - (more.daysAgo ?? 0) * DAY),
        reviewed_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })

test('unanswered and badly rated questions are listed, latest first, with statistics of all answers', async () => {
  const old = await insertQuestion('unknown', { daysAgo: 40 })
  const unknown = await insertQuestion('unknown', { daysAgo: 2 })
  const down = await insertQuestion('answered', { rating: -1, daysAgo: 1 })
  await insertQuestion('answered', { rating: 1 })
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('assistant_spending')
      .values({ day: new Date().toISOString().slice(0, 10), calls: 3, tokens: '900' as never })
      .execute(),
  )
  const { body } = await ask('GET')
  expect(body.questions.map(({ id }) => id)).toEqual([down, unknown, old])
  expect(body.questions[1]).toMatchObject({ question: 'Where can I park?', rating: null })
  expect(body.figures).toEqual({
    ...{ asked: 3, by_status: { answered: 2, unknown: 1 }, rated_up: 1, rated_down: 1 },
    ...{ model_calls_today: 3, tokens_today: 900 },
  })
  expect((await ask('GET', '?kind=rated_down')).body.questions.map(({ id }) => id)).toEqual([down])
  expect((await ask('GET', '?kind=unanswered')).body.total).toBe(2)
})

test('a reviewed question leaves the list, and the review is audited', async () => {
  const id = await insertQuestion('partly')
  expect((await ask('POST', `/${id}/review`)).status).toBe(200)
  expect((await ask('GET')).body.total).toBe(0)
  expect((await ask('POST', `/${id}/review`)).status).toBe(404)
  const auditLog = await inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').selectAll().where('subject_id', '=', id).execute(),
  )
  expect(auditLog).toMatchObject([{ action: 'question.review', actor_id: admin.id }])
})

test.each(ROLES.filter((role) => role !== 'admin'))(
  'a %s cannot see questions of others, nor read them from the tables',
  async (role) => {
    const id = await insertQuestion('unknown')
    const user = await createTestUser(database, role)
    expect((await ask('GET', '', user.as)).status).toBe(403)
    expect((await ask('POST', `/${id}/review`, user.as)).status).toBe(403)
    const rows = await withClaims(database, { as: 'user', userId: user.id, role }, (db) =>
      db.selectFrom('assistant_questions').selectAll().execute(),
    )
    expect(rows).toEqual([])
  },
)

test('an anonymous caller cannot see questions', async () => {
  expect((await ask('GET', '', '')).status).toBe(401)
  expect((await ask('POST', `/${randomUUID()}/review`, '')).status).toBe(401)
})
