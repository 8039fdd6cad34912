import { type ExpressionBuilder, sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import type { Tables } from '#server/db/tables.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { QuestionLogEntry } from '#shared/assistant/questions.ts'
import { PER_PAGE } from '#shared/table.ts'

const STATS_DAYS = 30

/** Unreviewed questions whose answers fell short or were rated down, latest first. */
export async function findQuestions(
  db: Db,
  { kind, page }: { kind?: 'unanswered' | 'rated_down' | undefined; page: number },
) {
  const isUnanswered = (eb: ExpressionBuilder<Tables, 'assistant_questions'>) =>
    eb('status', 'in', ['unknown', 'partly'])
  const where = db
    .selectFrom('assistant_questions')
    .where('reviewed_at', 'is', null)
    .where((eb) => eb.or([isUnanswered(eb), eb('rating', '=', -1)]))
    .$if(kind === 'unanswered', (q) => q.where(isUnanswered))
    .$if(kind === 'rated_down', (q) => q.where('rating', '=', -1))
  const rows = await where
    .select([
      'id',
      'asked_at',
      'language',
      'intent',
      'status',
      'country_code',
      'question',
      'rating',
      'comment',
      'record_ids',
    ])
    .orderBy('asked_at', 'desc')
    .orderBy('id')
    .limit(PER_PAGE)
    .offset((page - 1) * PER_PAGE)
    .execute()
  const { total } = await where.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const questions: QuestionLogEntry[] = rows.map((row) => ({ ...row, asked_at: row.asked_at.toISOString() }))
  return { questions, total: Number(total), page, per_page: PER_PAGE }
}

/** Statistics of all answers of the last days. */
export async function answerStats(db: Db, now: Date) {
  const since = new Date(now.valueOf() - STATS_DAYS * 86_400_000)
  const rows = await db
    .selectFrom('assistant_questions')
    .select(({ fn }) => [
      'status',
      fn.countAll<string>().as('asked'),
      sql<string>`count(*) filter (where rating = 1)`.as('up'),
      sql<string>`count(*) filter (where rating = -1)`.as('down'),
    ])
    .where('asked_at', '>', since)
    .groupBy('status')
    .execute()
  const sum = (of: (row: (typeof rows)[number]) => string) => rows.reduce((total, row) => total + Number(of(row)), 0)
  return {
    asked: sum(({ asked }) => asked),
    by_status: Object.fromEntries(rows.map(({ status, asked }) => [status, Number(asked)])),
    rated_up: sum(({ up }) => up),
    rated_down: sum(({ down }) => down),
  }
}

/** Today's model usage, as counted by the portal. Internal. */
export async function spentToday(db: Db, now: Date) {
  const row = await db
    .selectFrom('assistant_spending')
    .select(['calls', 'tokens'])
    .where('day', '=', now.toISOString().slice(0, 10))
    .executeTakeFirst()
  return { model_calls_today: row?.calls ?? 0, tokens_today: Number(row?.tokens ?? 0) }
}

/** Marks a question as reviewed. False if it is not on the list. */
export async function markReviewed(db: Db, id: string, { by, now }: { by: SignedIn; now: Date }) {
  const { numUpdatedRows } = await db
    .updateTable('assistant_questions')
    .set({ reviewed_at: now, reviewed_by: by.id })
    .where('id', '=', id)
    .where('reviewed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await audit(db, by, { action: 'question.review', subject_type: 'assistant_question', subject_id: id })
  return true
}
