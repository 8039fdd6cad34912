import { randomInt } from 'node:crypto'
import type { AnswerMetadata, Citation } from '#shared/assistant/answer.ts'
import type { openCase } from '#shared/assistant/cases.ts'
import type { Intent } from '#shared/assistant/intents.ts'
import { MOST_HANDED_OVER } from '#shared/assistant/limits.ts'
import { audit } from '../../audit/writing.ts'
import { asPortal } from '../../db/claims.ts'
import type { Db } from '../../db/connection.ts'
import type { SignedIn } from '../../http/session.ts'
import { findMessages } from '../conversations/queries.ts'
import { lockConversation } from '../conversations/storing.ts'
import { summaryOf, type Told } from './summary.ts'
import { tellHelpers } from './telling.ts'

type Given = (typeof openCase)['~']['parsed']['body']

// Without those that are taken for one another when read aloud.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** A reference that people say aloud; it alone opens nothing. */
function newReference(now: Date): string {
  const random = Array.from({ length: 7 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `CASE-${now.getUTCFullYear()}-${random}`
}

/**
 * Writes a case and tells those who look after its place, in one transaction `db` of the caller. Words and sources are
 * those of the own conversation where it is kept, else what the page sends along. Returns the reference.
 */
export async function writeCase(
  db: Db,
  { user, now }: { user: SignedIn | null; now: Date },
  given: Given,
): Promise<string> {
  const said = await wordsOf(db, user, given)
  const profile = user && (await ownProfile(db, user.id))
  const country = given.country ?? profile?.country_code ?? null
  const reference = newReference(now)
  const told: Told = {
    kind: given.kind,
    dangers: given.dangers,
    country,
    language: given.language,
    intents: said.intents,
    questions: said.words.filter(({ sender }) => sender === 'user').length,
    safePhone: given.safe_phone,
    safeTime: given.safe_time,
  }
  await asPortal(db, async () => {
    const row = await db
      .insertInto('assistant_cases')
      .values({
        reference,
        kind: given.kind,
        dangers: given.dangers,
        user_id: user?.id ?? null,
        conversation_id: said.conversationId,
        name: given.name || profile?.display_name || null,
        safe_phone: given.safe_phone ?? null,
        safe_time: given.safe_time ?? null,
        country_code: country,
        chapter_id: profile?.chapter_id ?? null,
        language: given.language,
        summary: summaryOf(told, 'en'),
        summary_ar: summaryOf(told, 'ar'),
        original_words: transcriptOf([...said.words, ...(given.note ? [{ sender: 'user', content: given.note }] : [])]),
        sources: JSON.stringify(said.sources),
        taken_by: null,
        note: null,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await tellHelpers(db, row, now)
    await audit(db, user, {
      action: 'assistant.case',
      subject_type: 'assistant_case',
      subject_id: row.id,
      after: { kind: row.kind, country_code: row.country_code, dangers: row.dangers },
    })
  })
  if (said.conversationId)
    await db
      .updateTable('ai_conversations')
      .set({ status: 'handed_over' })
      .where('id', '=', said.conversationId)
      .execute()
  return reference
}

async function wordsOf(db: Db, user: SignedIn | null, given: Given) {
  if (!user || !given.conversation_id)
    return { conversationId: null, words: given.messages, intents: [] as Intent[], sources: [] as Citation[] }
  await lockConversation(db, user.id, given.conversation_id)
  const kept = await findMessages(db, user.id, given.conversation_id)
  const answers = kept
    .map(({ metadata }) => metadata)
    .filter((metadata): metadata is AnswerMetadata => metadata !== null)
  const sources = new Map(answers.flatMap(({ citations }) => citations.map((citation) => [citation.record, citation])))
  return {
    conversationId: given.conversation_id,
    words: kept.map(({ sender_type, content }) => ({ sender: sender_type, content })),
    intents: [...new Set(answers.flatMap(({ intent_analysis }) => intent_analysis?.intent ?? []))],
    sources: [...sources.values()].map((citation, at) => ({ ...citation, n: at + 1 })),
  }
}

const ownProfile = (db: Db, id: string) =>
  db
    .selectFrom('user_profiles')
    .select(['display_name', 'country_code', 'chapter_id'])
    .where('id', '=', id)
    .executeTakeFirst()

/** The words as they were said; of a very long conversation its end. */
function transcriptOf(words: readonly { sender: string; content: string }[]): string {
  const lines = words.map(({ sender, content }) => `${sender === 'user' ? '— ' : '[assistant] '}${content}`)
  const transcript = lines.join('\n\n')
  return transcript.length > MOST_HANDED_OVER ? `…${transcript.slice(1 - MOST_HANDED_OVER)}` : transcript
}
