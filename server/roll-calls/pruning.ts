import { sql } from 'kysely'
import { audit } from '../audit/writing.ts'
import { inBackground } from '../db/claims.ts'
import type { Database, Db } from '../db/connection.ts'
import { ANSWER_LINK_DAYS } from './answerLink.ts'

/** So long the words and numbers of those who were asked are kept after it is over. */
const WORDS_KEPT_DAYS = 180

/** Ends what nobody closed, and forgets where people were and what they wrote when it is long over. */
export async function pruneRollCalls(database: Database, now = new Date()): Promise<void> {
  await inBackground(database, 'roll-calls', async (db) => {
    const before = (days: number) => new Date(now.valueOf() - days * 86_400_000)
    const ended = await db
      .updateTable('roll_calls')
      .set({ ended_at: now })
      .where('ended_at', 'is', null)
      // No link answers it any more.
      .where('started_at', '<', before(ANSWER_LINK_DAYS))
      .returning('id')
      .execute()
    for (const { id } of ended)
      await audit(db, null, { action: 'roll_call.close', subject_type: 'roll_call', subject_id: id })
    const over = db.selectFrom('roll_calls').select('id').where('ended_at', '<', before(WORDS_KEPT_DAYS))
    await db
      .updateTable('roll_call_people')
      .set({ note: null, phone: null, help_note: null })
      .where('roll_call_id', 'in', over)
      .where(sql<boolean>`coalesce(note, phone, help_note) is not null`)
      .execute()
    // They name who needed help, and where; messages and bells of them go along.
    await db
      .deleteFrom('announcements')
      .where('announcement_key', '~', '^roll-call-(help|change|taken) ')
      .where('created_at', '<', before(WORDS_KEPT_DAYS))
      .execute()
  })
}

/** Forgets what somebody said and what was told of her by name; that somebody answered stays counted. */
export async function forgetInRollCalls(db: Db, userId: string, now: Date): Promise<void> {
  await db
    .deleteFrom('announcements')
    .where('announcement_key', '~', '^roll-call-(help|change|taken) ')
    .where((where) =>
      where.or([sql<boolean>`position(${userId} in announcement_key) > 0`, where('created_by', '=', userId)]),
    )
    .execute()
  await db
    .updateTable('roll_call_people')
    .set({
      note: null,
      phone: null,
      help_note: null,
      // Nobody is there any more to be helped.
      helped_at: sql<Date | null>`case when answer = 'need_help' then coalesce(helped_at, ${now}) else helped_at end`,
    })
    .where('user_id', '=', userId)
    .execute()
}
