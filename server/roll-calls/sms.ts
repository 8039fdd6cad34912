import { sql } from 'kysely'
import { languageOf } from '#shared/language.ts'
import { type Answer, answerIn } from '#shared/roll-calls/answers.ts'
import { inBackground } from '../db/claims.ts'
import type { Database } from '../db/connection.ts'
import { writeAnswerOf } from './answering.ts'
import { ANSWER_LINK_DAYS } from './answerLink.ts'
import { findOwn } from './own.ts'
import { say } from './words.ts'

export interface AnsweredBySms {
  rollCall: string
  user: string
  answer: Answer
  /** What to send back, in the language of the person. */
  reply: string
}

/**
 * Takes a text message for the answer to a roll-call: of the person with that number (E.164), to the roll-call that was
 * asked last and is not answered, else to the last one. Null: the words are no answer, or nothing is asked of them.
 */
export async function answerBySms(
  database: Database,
  number: string,
  text: string,
  now = new Date(),
): Promise<AnsweredBySms | null> {
  const answer = answerIn(text)
  if (!answer) return null
  return inBackground(database, 'roll-calls', async (db) => {
    const row = await db
      .selectFrom('roll_call_people as p')
      .innerJoin('roll_calls as r', 'r.id', 'p.roll_call_id')
      .innerJoin('user_profiles as u', 'u.id', 'p.user_id')
      .select(['p.roll_call_id', 'p.user_id', 'u.preferred_language'])
      .where('u.phone_number', '=', number)
      .where('u.profile_status', 'in', ['active', 'pending'])
      .where('r.ended_at', 'is', null)
      .where('r.started_at', '>', new Date(now.valueOf() - ANSWER_LINK_DAYS * 86_400_000))
      .orderBy(sql`p.answer is null`, 'desc')
      .orderBy('r.started_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!row) return null
    const of = { rollCall: row.roll_call_id, user: row.user_id }
    await writeAnswerOf(
      db,
      of,
      { answer, via: 'sms', ...(isMore(text) ? { note: text.trim().slice(0, 500) } : {}) },
      now,
    )
    const { helper } = await findOwn(db, of.user, of.rollCall)
    const language = languageOf(row.preferred_language) ?? 'en'
    const reply =
      answer === 'need_help' && !helper
        ? say(language, 'sms_need_help_nobody')
        : say(language, `sms_${answer}`, { helper: helper?.name ?? '' })
    return { ...of, answer, reply }
  })
}

/** More than the word itself, which whoever helps should read. */
const isMore = (text: string) => text.trim().split(/\s+/).length > 2
