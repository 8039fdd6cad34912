import { audit, changed } from '#server/audit/audit-log.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid, laterThan, stale } from '#server/db/records.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { FactInput } from '#shared/assistant/facts.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { dayOf, daysAfter, type FactRow, findFact, noSuchFact } from './queries.ts'
import { faultsOf } from './validation.ts'

export interface WriteContext {
  by: SignedIn
  now: Date
}

/** Inserts a fact, or updates the one with this id unless it has changed since it was read. */
export async function writeFact(
  db: Db,
  id: string,
  { updated_at, ...fact }: FactInput & { updated_at: string | null },
  { by, now, countries }: WriteContext & { countries: Countries },
): Promise<FactRow> {
  const faults = faultsOf(fact, countries)
  if (fact.checked_on > dayOf(now)) faults.checked_on = 'The date cannot be in the future'
  if (Object.keys(faults).length > 0) throw invalid(faults)
  const existing = await findFact(db, id, { forUpdate: true })
  if (existing ? existing.updated_at.getTime() !== Date.parse(updated_at ?? '') : updated_at !== null) throw stale()
  const row = await write(db, id, fact, { by, now }, existing)
  await auditChange(db, by, existing ? 'fact.change' : 'fact.add', row, existing)
  return row
}

/** Confirms a fact as of today, for the same period as before. */
export async function confirm(db: Db, id: string, { by, now }: WriteContext): Promise<FactRow> {
  const existing = await findFact(db, id, { forUpdate: true })
  if (!existing) throw noSuchFact()
  const { updated_at: _, updated_by: __, id: ___, ...fact } = existing
  const days = Math.round((Date.parse(existing.valid_until) - Date.parse(existing.checked_on)) / 86_400_000)
  const today = dayOf(now)
  const values = { ...fact, checked_on: today, valid_until: daysAfter(today, days) }
  const row = await write(db, id, values, { by, now }, existing)
  await auditChange(db, by, 'fact.confirm', row, existing)
  return row
}

/** Deletes a fact. A shipped one does not come back at the next start (see loadFacts). */
export async function removeFact(db: Db, id: string, { by }: WriteContext): Promise<void> {
  const existing = await findFact(db, id, { forUpdate: true })
  if (!existing) throw noSuchFact()
  await db.deleteFrom('assistant_facts').where('id', '=', id).execute()
  await audit(db, by, {
    action: 'fact.delete',
    subject_type: 'assistant_fact',
    subject_id: id,
    before: contentOf(existing),
  })
}

async function write(
  db: Db,
  id: string,
  { value, ...fact }: Omit<FactRow, 'id' | 'updated_at' | 'updated_by'>,
  { by, now }: WriteContext,
  existing: FactRow | undefined,
): Promise<FactRow> {
  const updated_at = existing ? laterThan(existing, now) : now
  const values = { ...fact, value: JSON.stringify(value), updated_at, updated_by: by.id }
  return db
    .insertInto('assistant_facts')
    .values({ id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
}

const contentOf = ({ id: _, updated_at: __, updated_by: ___, ...content }: FactRow) => content

async function auditChange(
  db: Db,
  by: SignedIn,
  action: AuditAction,
  row: FactRow,
  existing: FactRow | undefined,
): Promise<void> {
  const change = existing ? changed(contentOf(existing), contentOf(row)) : { before: null, after: contentOf(row) }
  await audit(db, by, { action, subject_type: 'assistant_fact', subject_id: row.id, ...change })
}
