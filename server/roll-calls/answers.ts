import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { cancelWaiting } from '#server/delivery/outbox.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import type { Answer, AnsweredVia } from '#shared/roll-calls/answers.ts'
import type { AnswerClaim } from './answer-link.ts'
import { askNextHelper, type Call, notifyHelper, type RollCallRecipient } from './help-requests.ts'

export interface AnswerInput {
  answer: Answer
  via: AnsweredVia
  note?: string | undefined
  phone?: string | undefined
  /** The coordinator who entered it after a phone call. */
  by?: SignedIn
}

/**
 * Records an answer, in the transaction `db` of the portal. A recipient who needs help is assigned a helper, who is
 * notified on commit. A previous answer is replaced; the audit log keeps it.
 */
export async function writeAnswerOf(
  db: Db,
  { rollCall, user }: AnswerClaim,
  input: AnswerInput,
  now: Date,
): Promise<void> {
  const { call, recipient } = await lockRecipient(db, rollCall, user)
  const isOpenHelp = recipient.answer === 'need_help' && recipient.helped_at === null
  if (input.answer === 'need_help' && isOpenHelp) return addHelpDetails(db, call, recipient, input, now)
  const changed = await db
    .updateTable('roll_call_recipients')
    .set({
      answer: input.answer,
      answered_at: now,
      answered_via: input.via,
      note: input.note || null,
      unclear_at: null,
      phone: input.phone || recipient.phone,
      helper_id: null,
      assigned_at: null,
      accepted_at: null,
      helped_at: null,
      help_note: null,
      contacted_helper_ids: [],
      escalations: 0,
    })
    .where('roll_call_id', '=', rollCall)
    .where('user_id', '=', user)
    .returningAll()
    .executeTakeFirstOrThrow()
  await auditAnswer(db, recipient, input)
  await cancelReminders(db, rollCall, user)
  if (input.answer === 'need_help') await askNextHelper(db, call, changed, now)
  else if (isOpenHelp) await notifyHelper(db, call, recipient, { key: String(now.valueOf()), answer: input.answer })
}

/** Serialises answers of one recipient and keeps the roll call open until the answer is written. */
async function lockRecipient(
  db: Db,
  rollCall: string,
  user: string,
): Promise<{ call: Call; recipient: RollCallRecipient }> {
  const call = await db
    .selectFrom('roll_calls')
    .select(['id', 'title', 'escalate_after_minutes', 'ended_at'])
    .where('id', '=', rollCall)
    .forShare()
    .executeTakeFirst()
  const recipient =
    call &&
    (await db
      .selectFrom('roll_call_recipients')
      .selectAll()
      .where('roll_call_id', '=', rollCall)
      .where('user_id', '=', user)
      .forUpdate()
      .executeTakeFirst())
  if (!recipient) throw notARecipient()
  if (call.ended_at) throw new AppError(410, 'roll_call_over', 'This roll call has ended.')
  return { call, recipient }
}

export const notARecipient = () => new AppError(404, 'not_asked', 'You are not part of this roll call.')

/** Adds details to an open request for help: the helper is notified, nobody new is asked. */
async function addHelpDetails(
  db: Db,
  call: Call,
  recipient: RollCallRecipient,
  input: AnswerInput,
  now: Date,
): Promise<void> {
  const { note, phone } = input
  // A form shows the existing note and replaces it; a text message is appended.
  const isText = input.via === 'sms' && note && recipient.note
  const is = { note: isText ? joined(recipient.note!, note) : note || recipient.note, phone: phone || recipient.phone }
  if (is.note === recipient.note && is.phone === recipient.phone) return
  await db
    .updateTable('roll_call_recipients')
    .set(is)
    .where('roll_call_id', '=', call.id)
    .where('user_id', '=', recipient.user_id)
    .execute()
  const details = [isText ? note : is.note, is.phone].filter(Boolean).join(' · ')
  await notifyHelper(db, call, recipient, { key: String(now.valueOf()), note: details })
}

/** Truncated to the column length; the texts themselves are stored in full separately. */
const joined = (before: string, after: string) => {
  const both = `${before}\n${after}`
  return both.length <= 500 ? both : before
}

/**
 * A first "I am safe" is recorded in its row only; changed answers, requests for help and answers entered by others are
 * audited. Notes are left out: they are about health and homes, and must remain deletable with their row.
 */
async function auditAnswer(db: Db, recipient: RollCallRecipient, { answer, via, by }: AnswerInput): Promise<void> {
  if (!by && recipient.answer === null && answer !== 'need_help') return
  await audit(db, by ?? null, {
    action: 'roll_call.answer',
    subject_type: 'roll_call',
    subject_id: recipient.roll_call_id,
    before: recipient.answer
      ? { user_id: recipient.user_id, answer: recipient.answer, via: recipient.answered_via }
      : null,
    after: { user_id: recipient.user_id, answer, via },
  })
}

/** Cancels queued questions to a recipient who has answered. */
async function cancelReminders(db: Db, rollCall: string, user: string): Promise<void> {
  await cancelWaiting(db)
    .where('user_id', '=', user)
    .where(
      'announcement_id',
      '=',
      sql<string>`any(select unnest(array_append(reminder_ids, announcement_id)) from roll_calls where id = ${rollCall})`,
    )
    .execute()
}
