import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { ANSWER_LINK_DAYS } from './answer-link.ts'

/** Notes and phone numbers of recipients are kept this long after the roll call ends. */
const NOTES_RETENTION_DAYS = 180

/** Ends roll calls that were never closed, and deletes locations and notes after the retention period. */
export async function pruneRollCalls(database: Database, now = new Date()): Promise<void> {
  await inBackground(database, 'roll-calls', async (db) => {
    const before = (days: number) => new Date(now.valueOf() - days * 86_400_000)
    const ended = await db
      .updateTable('roll_calls')
      .set({ ended_at: now })
      .where('ended_at', 'is', null)
      // Its answer links have expired.
      .where('started_at', '<', before(ANSWER_LINK_DAYS))
      .returning('id')
      .execute()
    for (const { id } of ended)
      await audit(db, null, { action: 'roll_call.close', subject_type: 'roll_call', subject_id: id })
    const over = db.selectFrom('roll_calls').select('id').where('ended_at', '<', before(NOTES_RETENTION_DAYS))
    await pruneTexts(
      db,
      (await over.execute()).map(({ id }) => id),
      now,
    )
    await db
      .updateTable('roll_call_recipients')
      .set({ note: null, phone: null, help_note: null })
      .where('roll_call_id', 'in', over)
      .where(sql<boolean>`coalesce(note, phone, help_note) is not null`)
      .execute()
    // They name who needed help and where; their messages and inbox entries are deleted with them.
    await db
      .deleteFrom('announcements')
      .where('announcement_key', '~', '^roll-call-(help|change|taken|unclear) ')
      .where('created_at', '<', before(NOTES_RETENTION_DAYS))
      .execute()
  })
}

/** Retention of texts without a roll call: long enough to recognise a repeated webhook and to append to a case. */
const TEXTS_RETENTION_DAYS = 30

async function pruneTexts(db: Db, over: string[], now: Date): Promise<void> {
  if (over.length > 0) await db.deleteFrom('roll_call_texts').where('roll_call_id', 'in', over).execute()
  await db
    .deleteFrom('inbound_texts as t')
    .where('t.received_at', '<', new Date(now.valueOf() - TEXTS_RETENTION_DAYS * 86_400_000))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('roll_call_texts as r').select('r.text_id').whereRef('r.text_id', '=', 't.id'))),
    )
    .execute()
}

/** Deletes what a user wrote and announcements that name them; the fact that they answered stays counted. */
export async function forgetInRollCalls(db: Db, userId: string, now: Date): Promise<void> {
  await db
    .deleteFrom('announcements')
    .where('announcement_key', '~', '^roll-call-(help|change|taken|unclear) ')
    .where((where) =>
      where.or([sql<boolean>`position(${userId} in announcement_key) > 0`, where('created_by', '=', userId)]),
    )
    .execute()
  const texts = await db.deleteFrom('roll_call_texts').where('user_id', '=', userId).returning('text_id').execute()
  const ids = texts.map(({ text_id }) => text_id)
  // A text that another user of the same number may have sent is kept for that user.
  if (ids.length > 0)
    await db
      .deleteFrom('inbound_texts as t')
      .where('t.id', 'in', ids)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('roll_call_texts as r').select('r.text_id').whereRef('r.text_id', '=', 't.id'))),
      )
      .execute()
  await db
    .updateTable('roll_call_recipients')
    .set({
      unclear_at: null,
      note: null,
      phone: null,
      help_note: null,
      // The user no longer exists, so the request for help is closed.
      helped_at: sql<Date | null>`case when answer = 'need_help' then coalesce(helped_at, ${now}) else helped_at end`,
    })
    .where('user_id', '=', userId)
    .execute()
}

/** Deletes the texts of a number, except those shown with another user's roll call. */
export async function forgetTextsOf(db: Db, number: string): Promise<void> {
  await db
    .deleteFrom('inbound_texts as t')
    .where('t.number', '=', number)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('roll_call_texts as r').select('r.text_id').whereRef('r.text_id', '=', 't.id'))),
    )
    .execute()
}
