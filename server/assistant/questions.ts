import { setTimeout as pause } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { AssistantQuestionsTable } from '#server/db/tables-assistant.ts'
import type { Log } from '#server/log.ts'
import type { Answer } from '#shared/assistant/answer.ts'

const LONGEST = 500
/** Digits of any script with common separators: phone, passport and card numbers, dates of birth. */
const NUMBERS = /\+?\p{Nd}[\p{Nd}\s().\-/]{2,}\p{Nd}|\p{L}{0,3}\p{Nd}{3,}\p{L}{0,3}/gu
const ADDRESSES = /[^\s@]+@[^\s@]+|\b(?:https?:\/\/|www\.)\S+/giu
const APPLICATIONS = /\b(?:PDOS|APP)[-\s]?\d[\d-]*/giu

/** A question without anything that could identify its author: addresses, numbers, application references. */
export const scrubbed = (question: string): string =>
  [...question.replace(APPLICATIONS, '[…]').replace(ADDRESSES, '[…]').replace(NUMBERS, '[…]')]
    .slice(0, LONGEST)
    .join('')

interface QuestionRecord {
  id: string
  question: string
  answer: Answer
  /** This or an earlier question shows signs of danger; its text is not stored. */
  isInDanger: boolean
}

/** Entries are buffered this long and written together, so that bursts are batched and no answer waits. */
const COLLECTED_MS = 50
/** Buffer size while the database is unavailable; the oldest entries are dropped. */
const MAX_WAITING = 1_000

/**
 * Logs questions and results without their authors. The text is stored only if the answer fell short, so that it can be
 * improved, and never if the user may be in danger.
 */
export function createNotes({ database, log }: { database: Database; log: Log }): (record: QuestionRecord) => void {
  let waiting: Row[] = []
  let isWriting = false

  async function write() {
    isWriting = true
    while (waiting.length > 0) {
      await pause(COLLECTED_MS, undefined, { ref: false })
      const rows = waiting.slice(-MAX_WAITING)
      waiting = []
      await inBackground(database, 'assistant', (db) =>
        db.insertInto('assistant_questions').values(rows).execute(),
      ).catch((error: Error) => log.warn({ reason: error.message }, 'questions were answered and could not be noted'))
    }
    isWriting = false
  }

  return (record) => {
    waiting.push(rowOf(record))
    if (!isWriting) void write()
  }
}

type Row = Insertable<AssistantQuestionsTable>

function rowOf({ id, question, answer, isInDanger }: QuestionRecord): Row {
  const { status, language, intent_analysis, records, model_used, tokens_used, processing_time_ms } = answer.metadata
  const { country = null, destination = null } = intent_analysis?.entities ?? {}
  const fellShort = status === 'unknown' || status === 'partly'
  return {
    id,
    asked_at: new Date(),
    language,
    intent: intent_analysis?.intent ?? 'general_inquiry',
    status,
    country_code: country ?? destination,
    record_ids: records.filter((record) => !record.startsWith('own:')),
    model_used,
    tokens_used,
    processing_time_ms,
    question: fellShort && !isInDanger ? scrubbed(question) : null,
    rating: null,
    comment: null,
    reviewed_by: null,
  }
}
