import { randomInt } from 'node:crypto'
import type { AnswerMetadata, Citation } from '#shared/assistant/answer.ts'
import type { CaseChannel, openCase } from '#shared/assistant/cases.ts'
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
  const row = await asPortal(db, () =>
    insertCase(
      db,
      user,
      {
        kind: given.kind,
        channel: 'portal',
        dangers: given.dangers,
        userId: user?.id ?? null,
        conversationId: said.conversationId,
        name: given.name || profile?.display_name || null,
        safePhone: given.safe_phone,
        safeTime: given.safe_time,
        country: given.country ?? profile?.country_code ?? null,
        chapterId: profile?.chapter_id ?? null,
        language: given.language,
        intents: said.intents,
        questions: said.words.filter(({ sender }) => sender === 'user').length,
        originalWords: transcriptOf([...said.words, ...(given.note ? [{ sender: 'user', content: given.note }] : [])]),
        sources: said.sources,
      },
      now,
    ),
  )
  if (said.conversationId)
    await db
      .updateTable('ai_conversations')
      .set({ status: 'handed_over' })
      .where('id', '=', said.conversationId)
      .execute()
  return row.reference
}

interface NewCase extends Told {
  channel: CaseChannel
  userId: string | null
  conversationId: string | null
  name: string | null
  chapterId: string | null
  originalWords: string
  sources: Citation[]
}

/** Inserts a case and notifies those who look after its place, in the transaction `db` of the service. */
export async function insertCase(db: Db, by: SignedIn | null, input: NewCase, now: Date) {
  const row = await db
    .insertInto('assistant_cases')
    .values({
      reference: newReference(now),
      kind: input.kind,
      channel: input.channel,
      dangers: [...input.dangers],
      user_id: input.userId,
      conversation_id: input.conversationId,
      name: input.name,
      safe_phone: input.safePhone ?? null,
      safe_time: input.safeTime ?? null,
      country_code: input.country,
      chapter_id: input.chapterId,
      language: input.language,
      summary: summaryOf(input, 'en'),
      summary_ar: summaryOf(input, 'ar'),
      original_words: input.originalWords,
      sources: JSON.stringify(input.sources),
      taken_by: null,
      note: null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tellHelpers(db, row, now)
  await audit(db, by, {
    action: 'assistant.case',
    subject_type: 'assistant_case',
    subject_id: row.id,
    after: { kind: row.kind, channel: row.channel, country_code: row.country_code, dangers: row.dangers },
  })
  return row
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
