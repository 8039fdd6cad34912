import type { Answer } from '#shared/assistant/answer.ts'
import { inBackground } from '../db/claims.ts'
import type { Database } from '../db/connection.ts'
import type { Log } from '../log.ts'

const LONGEST = 500
/** Figures of any script with what people put between them: telephones, passports, cards, days of birth. */
const NUMBERS = /\+?\p{Nd}[\p{Nd}\s().\-/]{2,}\p{Nd}|\p{L}{0,3}\p{Nd}{3,}\p{L}{0,3}/gu
const ADDRESSES = /[^\s@]+@[^\s@]+|\b(?:https?:\/\/|www\.)\S+/giu
const APPLICATIONS = /\b(?:PDOS|APP)[-\s]?\d[\d-]*/giu

/** A question without what could tell who asked it: addresses, numbers, names of applications. */
export const scrubbed = (question: string): string =>
  [...question.replace(APPLICATIONS, '[…]').replace(ADDRESSES, '[…]').replace(NUMBERS, '[…]')]
    .slice(0, LONGEST)
    .join('')

/**
 * Notes what was asked and what came of it, without who. The words are kept only where the answer fell short, so that it
 * can be answered better, and never where somebody may be in danger. Nobody waits for it.
 */
export function noteQuestion(
  { database, log }: { database: Database; log: Log },
  { id, question, answer }: { id: string; question: string; answer: Answer },
): Promise<void> {
  const { status, language, intent_analysis, records, model_used, tokens_used, processing_time_ms, danger } =
    answer.metadata
  const { country = null, destination = null } = intent_analysis?.entities ?? {}
  const fellShort = status === 'unknown' || status === 'partly'
  return inBackground(database, 'assistant', async (db) => {
    await db
      .insertInto('assistant_questions')
      .values({
        id,
        language,
        intent: intent_analysis?.intent ?? 'general_inquiry',
        status,
        country_code: country ?? destination,
        record_ids: records.filter((record) => !record.startsWith('own:')),
        model_used,
        tokens_used,
        processing_time_ms,
        question: fellShort && !danger ? scrubbed(question) : null,
        rating: null,
        comment: null,
        reviewed_by: null,
      })
      .execute()
  }).catch((error: Error) => log.warn({ reason: error.message }, 'a question was answered and could not be noted'))
}
