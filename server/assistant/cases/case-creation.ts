import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { firstOf } from '#shared/assert.ts'
import type { AnswerMetadata, Citation } from '#shared/assistant/answer.ts'
import type { openCase } from '#shared/assistant/cases.ts'
import type { Intent } from '#shared/assistant/intents.ts'
import { MAX_TRANSCRIPT } from '#shared/assistant/limits.ts'
import { findMessages } from '../conversations/queries.ts'
import { lockConversation } from '../conversations/store.ts'
import { countArrivals } from './bursts.ts'
import { phoneKeyOf, rankOf } from './contact.ts'
import { addEntries, findCaseToJoin, isUnknown } from './entries.ts'
import { isUrgent, notifyCaseHelpers } from './helper-notification.ts'
import type { NewCase } from './new-case.ts'
import { newReference } from './reference.ts'
import { type CaseDetails, summaryOf } from './summary.ts'

type CaseBody = (typeof openCase)['~']['parsed']['body']

/**
 * Creates a case and notifies the coordinators of its place, in one transaction `db` of the signed-in user; or adds to
 * the case that the user opened within the hour. Uses the text and sources of the user's saved conversation, if any,
 * else those in the request. Returns the reference.
 */
export async function writeCase(db: Db, user: SignedIn, body: CaseBody, now: Date): Promise<string> {
  const conversation = await conversationOf(db, user, body)
  const profile = await ownProfile(db, user.id)
  const input: NewCase = {
    ...inputOf(body, conversation.words),
    userId: user.id,
    conversationId: conversation.conversationId,
    name: body.name || profile?.display_name || null,
    country: body.country ?? profile?.country_code ?? null,
    chapterId: profile?.chapter_id ?? null,
    intents: conversation.intents,
    sources: conversation.sources,
  }
  const { reference } = firstOf(await asPortal(db, () => receiveCalls(db, user, [input], now)))
  if (conversation.conversationId)
    await db
      .updateTable('ai_conversations')
      .set({ status: 'handed_over' })
      .where('id', '=', conversation.conversationId)
      .execute()
  return reference
}

/** A case without an account: everything known about it is in the request. */
export const visitorCase = (body: CaseBody, { isLow, isExcess }: { isLow: boolean; isExcess: boolean }): NewCase => ({
  ...inputOf(body, body.messages),
  isLow,
  isExcess,
})

const inputOf = (body: CaseBody, messages: readonly { sender: string; content: string }[]): NewCase => ({
  kind: body.kind,
  channel: 'portal',
  dangers: body.dangers,
  userId: null,
  conversationId: null,
  name: body.name || null,
  safePhone: body.safe_phone,
  safeTime: body.safe_time,
  country: body.country ?? null,
  chapterId: null,
  language: body.language,
  intents: [],
  questions: messages.filter(({ sender }) => sender === 'user').length,
  originalText: transcriptOf([...messages, ...(body.note ? [{ sender: 'user', content: body.note }] : [])]),
  sources: [],
  isLow: false,
  isExcess: false,
})

/** Calls for help with the same key may be batched; undefined means never batched. */
export const batchKeyOf = (input: NewCase): string | undefined =>
  isUrgent(input) && !input.userId && !input.safePhone && !input.name
    ? JSON.stringify([input.country, input.language, [...input.dangers].toSorted(), input.isLow])
    : undefined

/**
 * Adds calls for help with the same key to their existing case, or opens one. Runs in the transaction `db` of the
 * service.
 */
export async function receiveCalls(
  db: Db,
  by: SignedIn | null,
  inputs: readonly NewCase[],
  now: Date,
): Promise<{ caseId: string; reference: string }[]> {
  const first = firstOf(inputs)
  // A conversation for review is always its own case: only calls for help are grouped and counted.
  if (!isUrgent(first)) {
    const row = await insertCase(db, by, first, { isGroup: false }, now)
    return [{ caseId: row.id, reference: row.reference }]
  }
  const existing = await findCaseToJoin(db, first, now)
  const received = existing
    ? (await addEntries(db, existing, inputs, now)).map((reference) => ({ caseId: existing.id, reference }))
    : await openCall(db, by, inputs, now)
  if (!first.userId) await countArrivals(db, first.country, inputs.length, now)
  return received
}

async function openCall(db: Db, by: SignedIn | null, inputs: readonly NewCase[], now: Date) {
  const first = firstOf(inputs)
  const row = await insertCase(db, by, first, { isGroup: isUnknown(first) }, now)
  // In a group every message is an entry, so that each can be split off.
  const references = row.is_group ? await addEntries(db, row, inputs, now, { known: 1 }) : [row.reference]
  return references.map((reference) => ({ caseId: row.id, reference }))
}

/** Inserts a case and notifies the coordinators of its place, in the transaction `db` of the service. */
export async function insertCase(
  db: Db,
  by: SignedIn | null,
  input: NewCase,
  { isGroup }: { isGroup: boolean },
  now: Date,
) {
  const phoneKey = phoneKeyOf(input.safePhone, input.country)
  const row = await db
    .insertInto('assistant_cases')
    .values({
      reference: newReference(now),
      kind: isGroup ? 'danger' : input.kind,
      channel: input.channel,
      dangers: [...input.dangers],
      user_id: input.userId,
      conversation_id: input.conversationId,
      name: isGroup ? null : input.name,
      safe_phone: isGroup ? null : (input.safePhone ?? null),
      safe_time: isGroup ? null : (input.safeTime ?? null),
      country_code: input.country,
      chapter_id: input.chapterId,
      language: input.language,
      summary: summaryOf(isGroup ? groupOf(input) : input, 'en'),
      summary_ar: summaryOf(isGroup ? groupOf(input) : input, 'ar'),
      original_text: isGroup ? '' : input.originalText,
      phone_key: isGroup ? null : phoneKey,
      is_group: isGroup,
      rank: isGroup ? 4 : rankOf({ ...input, phoneKey }),
      sources: JSON.stringify(input.sources),
      taken_by: null,
      note: null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await notifyCaseHelpers(db, row, now)
  await audit(db, by, {
    action: 'assistant.case',
    subject_type: 'assistant_case',
    subject_id: row.id,
    after: { kind: row.kind, channel: row.channel, country_code: row.country_code, dangers: row.dangers },
  })
  return row
}

/** A group case carries only the country. The text of each reporter is in the entries. */
const groupOf = (input: NewCase): CaseDetails => ({
  ...input,
  kind: 'danger',
  intents: [],
  questions: 0,
  safePhone: undefined,
  safeTime: undefined,
})

async function conversationOf(db: Db, user: SignedIn, body: CaseBody) {
  if (!body.conversation_id)
    return { conversationId: null, words: body.messages, intents: [] as Intent[], sources: [] as Citation[] }
  await lockConversation(db, user.id, body.conversation_id)
  const messages = await findMessages(db, user.id, body.conversation_id)
  const answers = messages
    .map(({ metadata }) => metadata)
    .filter((metadata): metadata is AnswerMetadata => metadata !== null)
  const sources = new Map(answers.flatMap(({ citations }) => citations.map((citation) => [citation.record, citation])))
  return {
    conversationId: body.conversation_id,
    words: messages.map(({ sender_type, content }) => ({ sender: sender_type, content })),
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

/** The verbatim transcript, or the end of a very long one. */
function transcriptOf(messages: readonly { sender: string; content: string }[]): string {
  const lines = messages.map(({ sender, content }) => `${sender === 'user' ? '— ' : '[assistant] '}${content}`)
  const transcript = lines.join('\n\n')
  return transcript.length > MAX_TRANSCRIPT ? `…${transcript.slice(1 - MAX_TRANSCRIPT)}` : transcript
}
