import { sql } from 'kysely'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { applyCorrection } from '#shared/churches/care.ts'
import { ProposedValues } from '#shared/churches/visitors.ts'
import { AppError } from '#shared/errors.ts'
import { lockLocale, write } from './care-updates.ts'
import { published } from './confirmation.ts'

type Choice = (typeof applyCorrection)['~']['parsed']['body']

/** Applies a visitor's correction, or the named part of it, and closes it. */
export async function applyProposed(
  db: Db,
  by: SignedIn,
  id: string,
  { fields, note }: Choice,
  names: (code: string) => string | null,
) {
  const correction = await openCorrection(db, id)
  const was = await lockLocale(db, correction.locale_id)
  // Checked again: the row may have been accepted by an earlier version.
  const proposed = ProposedValues.parse(correction.proposed)
  const chosen = Object.entries(proposed).filter(([name]) => !fields || fields.includes(name as keyof ProposedValues))
  const is = Object.fromEntries(chosen.map(([name, value]) => [name, value || null]))
  const difference = changed<object>(was, is)
  if (difference) await write(db, correction.locale_id, is)
  await close(db, by, id, 'applied', note)
  await audit(db, by, {
    action: 'locale.correct',
    subject_type: 'locale',
    subject_id: correction.locale_id,
    before: difference?.before ?? null,
    after: { ...difference?.after, correction: id },
    reason: note,
  })
  if (difference) await published(db, correction.locale_id, names)
  return { applied: chosen.map(([name]) => name) }
}

export async function decline(db: Db, by: SignedIn, id: string, note: string) {
  const correction = await openCorrection(db, id)
  await close(db, by, id, 'declined', note)
  await audit(db, by, {
    action: 'locale.decline',
    subject_type: 'locale',
    subject_id: correction.locale_id,
    after: { correction: id, proposed: correction.proposed },
    reason: note,
  })
  return { declined: true } as const
}

/** Marks a visitor's message as answered. Idempotent. */
export async function setAnswered(db: Db, by: SignedIn, id: string) {
  const message = await db.selectFrom('locale_messages').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!message) throw new AppError(404, 'no_message', 'Message not found.')
  if (message.answered_at) return { answered_at: message.answered_at.toISOString() }
  const { answered_at } = await db
    .updateTable('locale_messages')
    .set({ status: 'answered', answered_at: sql<Date>`clock_timestamp()`, answered_by: by.id })
    .where('id', '=', id)
    .returning((eb) => eb.ref('answered_at').$notNull().as('answered_at'))
    .executeTakeFirstOrThrow()
  await audit(db, by, {
    action: 'locale.answer',
    subject_type: 'locale',
    subject_id: message.locale_id,
    // Excludes text and sender: those are deleted in time, audit entries are not.
    after: { message: id, kind: message.kind },
  })
  return { answered_at: answered_at.toISOString() }
}

async function openCorrection(db: Db, id: string) {
  const row = await db.selectFrom('locale_corrections').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new AppError(404, 'no_correction', 'Correction not found.')
  if (row.status !== 'open') throw new AppError(409, 'decided', 'Someone else has already decided on this correction.')
  return row
}

const close = (db: Db, by: SignedIn, id: string, status: 'applied' | 'declined', note: string) =>
  db
    .updateTable('locale_corrections')
    .set({ status, decided_at: sql<Date>`clock_timestamp()`, decided_by: by.id, decision_note: note || null })
    .where('id', '=', id)
    .execute()
