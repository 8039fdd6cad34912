import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { type AssistantCase, type CaseEntry, ENTRIES_PER_PAGE } from '#shared/assistant/cases.ts'
import { AppError } from '#shared/errors.ts'
import { insertCase } from './case-creation.ts'
import { findCase } from './queries.ts'

/**
 * A page of the entries of a case that the caller may read. Entries with contact details come first, bulk entries last;
 * within each group the latest first.
 */
export async function listEntries(db: Db, caseId: string, page: number) {
  const rows = await db
    .selectFrom('assistant_case_entries')
    .selectAll()
    .select(sql<number>`count(*) over (partition by lower(text))::int`.as('alike'))
    .where('case_id', '=', caseId)
    .orderBy(sql`split_to is not null`)
    .orderBy(sql`user_id is null`)
    .orderBy(sql`safe_phone is null`)
    .orderBy('is_low')
    .orderBy(sql`name is null`)
    .orderBy(sql`text = ''`)
    .orderBy('alike')
    .orderBy('received_at', 'desc')
    .orderBy('id')
    .limit(ENTRIES_PER_PAGE)
    .offset((page - 1) * ENTRIES_PER_PAGE)
    .execute()
  const counts = await db
    .selectFrom('assistant_case_entries')
    .select(sql<number>`count(*)::int`.as('stored_entries'))
    // Normalised, so that spacing does not matter.
    .select(sql<number>`count(distinct regexp_replace(safe_phone, '[^0-9+]', '', 'g'))::int`.as('numbers'))
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow()
  return {
    entries: rows.map(
      ({ case_id: _, received_at, text, ...row }): CaseEntry => ({
        ...row,
        words: text,
        received_at: received_at.toISOString(),
      }),
    ),
    ...counts,
  }
}

/**
 * Moves an entry into a case of its own and notifies the coordinators of its place. 409 if it was already split off.
 */
export async function splitEntryOff(
  db: Db,
  by: SignedIn,
  { id, entry }: { id: string; entry: string },
  now: Date,
): Promise<AssistantCase> {
  const parent = await findCase(db, id)
  const made = await asPortal(db, async () => {
    const row = await db
      .selectFrom('assistant_case_entries as e')
      .innerJoin('assistant_cases as c', 'c.id', 'e.case_id')
      .selectAll('e')
      .select('c.chapter_id')
      .where('e.id', '=', entry)
      .where('e.case_id', '=', id)
      // Coordinators do not work on their own case.
      .where(sql<boolean>`portal_takes_cases(c.country_code, c.chapter_id)`)
      .forUpdate('e')
      .executeTakeFirst()
    if (!row) throw new AppError(404, 'entry_not_found', 'Message not found.')
    if (row.split_to) throw new AppError(409, 'entry_split', 'This message is already a separate case.')
    const input = {
      kind: row.kind,
      channel: parent.channel,
      dangers: row.dangers,
      userId: row.user_id,
      conversationId: null,
      name: row.name,
      safePhone: row.safe_phone ?? undefined,
      safeTime: row.safe_time ?? undefined,
      country: parent.country_code,
      chapterId: row.chapter_id,
      language: row.language,
      intents: [],
      questions: 0,
      originalText: row.text,
      sources: [],
      isLow: false,
      isExcess: false,
    }
    const own = await insertCase(db, by, input, { isGroup: false }, now)
    await db.updateTable('assistant_case_entries').set({ split_to: own.id }).where('id', '=', entry).execute()
    return own
  })
  await audit(db, by, {
    action: 'assistant.case.split',
    subject_type: 'assistant_case',
    subject_id: id,
    after: { entry, split_to: made.id },
  })
  return findCase(db, made.id)
}
