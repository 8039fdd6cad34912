import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { AssistantCase, CaseStatus } from '#shared/assistant/cases.ts'
import { AppError } from '#shared/errors.ts'
import { PER_PAGE } from '#shared/table.ts'

const chosen = (db: Db) =>
  db
    .selectFrom('assistant_cases as c')
    .selectAll('c')
    .select(sql<string | null>`assistant_case_taker(c.id)`.as('taken_by_name'))
type Row = Awaited<ReturnType<ReturnType<typeof chosen>['execute']>>[number]

const shown = (row: Row): AssistantCase => ({
  id: row.id,
  reference: row.reference,
  kind: row.kind,
  channel: row.channel,
  dangers: row.dangers,
  user_id: row.user_id,
  name: row.name,
  safe_phone: row.safe_phone,
  safe_time: row.safe_time,
  country_code: row.country_code,
  language: row.language,
  summary: row.summary,
  summary_ar: row.summary_ar,
  original_words: row.original_text,
  sources: row.sources,
  status: row.status,
  taken_by_name: row.taken_by_name,
  taken_at: row.taken_at?.toISOString() ?? null,
  closed_at: row.closed_at?.toISOString() ?? null,
  note: row.note,
  is_group: row.is_group,
  entry_count: row.entry_count,
  last_entry_at: row.last_entry_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

/** Cases of the places that the caller is responsible for, as enforced by row-level policies; open ones first. */
export async function findCases(
  db: Db,
  { status, country, page }: { status?: CaseStatus | undefined; country?: string | undefined; page: number },
) {
  let where = chosen(db)
  if (status) where = where.where('c.status', '=', status)
  if (country) where = where.where('c.country_code', '=', country)
  const rows = await where
    // Danger, then callback requests, then anonymous reports, then the rest; within each, the longest waiting first.
    .orderBy(sql`array_position(array['open', 'taken', 'closed'], c.status)`)
    .orderBy(sql`case when c.kind = 'hand_over' then 3 when c.rank = 4 then 2 else 1 end`)
    .orderBy(sql`c.rank = 3`)
    .orderBy(sql`array_position(array['danger', 'call_back', 'hand_over'], c.kind)`)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .limit(PER_PAGE)
    .offset((page - 1) * PER_PAGE)
    .execute()
  const { total } = await where
    .clearSelect()
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  return { cases: rows.map(shown), total: Number(total), page, per_page: PER_PAGE }
}

export async function findCase(db: Db, id: string): Promise<AssistantCase> {
  const row = await chosen(db).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError(404, 'case_not_found', 'Case not found.')
  return shown(row)
}

/** Takes, returns, closes or reopens a case. 409 if another user has taken it in the meantime. */
export async function changeCaseOf(
  db: Db,
  { user, id, now }: { user: SignedIn; id: string; now: Date },
  { status, note }: { status: CaseStatus; note?: string | undefined },
): Promise<AssistantCase> {
  const before = await db.selectFrom('assistant_cases').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!before) throw new AppError(404, 'case_not_found', 'Case not found.')
  if (status === 'taken' && before.status === 'taken' && before.taken_by !== user.id)
    throw new AppError(409, 'case_taken', 'Someone else is handling this case. Speak to them first.')
  const isTaking = status === 'taken' && before.taken_by !== user.id
  await db
    .updateTable('assistant_cases')
    .set({
      status,
      taken_by: status === 'open' ? null : (before.taken_by ?? user.id),
      taken_at: status === 'open' ? null : isTaking ? now : (before.taken_at ?? now),
      closed_at: status === 'closed' ? now : null,
      ...(note === undefined ? {} : { note: note || null }),
    })
    .where('id', '=', id)
    .execute()
  await audit(db, user, {
    action: `assistant.case.${status}`,
    subject_type: 'assistant_case',
    subject_id: id,
    before: { status: before.status, taken_by: before.taken_by },
    after: { status },
    ...(status === 'closed' && note ? { reason: note } : {}),
  })
  return findCase(db, id)
}
