import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Answer, AnsweredVia } from '#shared/roll-calls/answers.ts'
import { audit } from '../audit/writing.ts'
import type { Db } from '../db/connection.ts'
import type { SignedIn } from '../http/session.ts'
import { cancelWaiting } from '../messages/cancelling.ts'
import type { AnswerClaim } from './answerLink.ts'
import { type Asked, askNextHelper, type Call, tellHelper } from './helping.ts'

export interface Given {
  answer: Answer
  via: AnsweredVia
  note?: string | undefined
  phone?: string | undefined
  /** Who wrote it for somebody that was reached by telephone. */
  by?: SignedIn
}

/**
 * Writes what somebody answered, in the transaction `db` of the portal. Whoever needs help has a named helper, who is
 * told, when this commits. What was answered before is replaced, and the trail keeps it.
 */
export async function writeAnswerOf(db: Db, { rollCall, user }: AnswerClaim, given: Given, now: Date): Promise<void> {
  const { call, person } = await lockAsked(db, rollCall, user)
  const isOpenHelp = person.answer === 'need_help' && person.helped_at === null
  if (given.answer === 'need_help' && isOpenHelp) return addToHelp(db, call, person, given, now)
  const changed = await db
    .updateTable('roll_call_people')
    .set({
      answer: given.answer,
      answered_at: now,
      answered_via: given.via,
      note: given.note || null,
      unclear_at: null,
      phone: given.phone || person.phone,
      helper_id: null,
      helper_since: null,
      taken_at: null,
      helped_at: null,
      help_note: null,
      asked_helpers: [],
      escalations: 0,
    })
    .where('roll_call_id', '=', rollCall)
    .where('user_id', '=', user)
    .returningAll()
    .executeTakeFirstOrThrow()
  await leaveTrail(db, person, given)
  await stopAsking(db, rollCall, user)
  if (given.answer === 'need_help') await askNextHelper(db, call, changed, now)
  else if (isOpenHelp) await tellHelper(db, call, person, { key: String(now.valueOf()), answer: given.answer })
}

/** One answer at a time; the roll-call stays open until it is written. */
async function lockAsked(db: Db, rollCall: string, user: string): Promise<{ call: Call; person: Asked }> {
  const call = await db
    .selectFrom('roll_calls')
    .select(['id', 'title', 'escalate_after_minutes', 'ended_at'])
    .where('id', '=', rollCall)
    .forShare()
    .executeTakeFirst()
  const person =
    call &&
    (await db
      .selectFrom('roll_call_people')
      .selectAll()
      .where('roll_call_id', '=', rollCall)
      .where('user_id', '=', user)
      .forUpdate()
      .executeTakeFirst())
  if (!person) throw notAsked()
  if (call.ended_at) throw new AppError(410, 'roll_call_over', 'This roll-call is over.')
  return { call, person }
}

export const notAsked = () => new AppError(404, 'not_asked', 'Nobody asks this of you.')

/** More about a call for help that stands: nobody new is asked, the helper learns of it. */
async function addToHelp(db: Db, call: Call, person: Asked, input: Given, now: Date): Promise<void> {
  const { note, phone } = input
  // The form of a page shows the note and changes it; a text adds to it.
  const isText = input.via === 'sms' && note && person.note
  const is = { note: isText ? joined(person.note!, note) : note || person.note, phone: phone || person.phone }
  if (is.note === person.note && is.phone === person.phone) return
  await db
    .updateTable('roll_call_people')
    .set(is)
    .where('roll_call_id', '=', call.id)
    .where('user_id', '=', person.user_id)
    .execute()
  const words = [isText ? note : is.note, is.phone].filter(Boolean).join(' · ')
  await tellHelper(db, call, person, { key: String(now.valueOf()), note: words })
}

/** As much as the column holds; the texts themselves are kept whole beside it. */
const joined = (before: string, after: string) => {
  const both = `${before}\n${after}`
  return both.length <= 500 ? both : before
}

/**
 * A first "I am safe" is its row; what changes an answer, asks for help or was written by another is in the trail. Not
 * what people wrote: it is about their bodies and homes, and can be forgotten in its row.
 */
async function leaveTrail(db: Db, person: Asked, { answer, via, by }: Given): Promise<void> {
  if (!by && person.answer === null && answer !== 'need_help') return
  await audit(db, by ?? null, {
    action: 'roll_call.answer',
    subject_type: 'roll_call',
    subject_id: person.roll_call_id,
    before: person.answer ? { user_id: person.user_id, answer: person.answer, via: person.answered_via } : null,
    after: { user_id: person.user_id, answer, via },
  })
}

/** Whoever has answered is not asked any more by what still waits. */
async function stopAsking(db: Db, rollCall: string, user: string): Promise<void> {
  await cancelWaiting(db)
    .where('user_id', '=', user)
    .where(
      'announcement_id',
      '=',
      sql<string>`any(select unnest(array_append(reminder_ids, announcement_id)) from roll_calls where id = ${rollCall})`,
    )
    .execute()
}
