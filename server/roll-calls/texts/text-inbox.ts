import { randomUUID } from 'node:crypto'
import { addTextToCase, openTextCase } from '#server/assistant/cases/text-cases.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { InboundText, ReceiveText } from '#server/delivery/webhooks/inbound-text.ts'
import type { Log } from '#server/log.ts'
import { firstOf } from '#shared/assert.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { emergencyUrl } from '#shared/emergency/address.ts'
import { AppError } from '#shared/errors.ts'
import { languageOf } from '#shared/language.ts'
import { translate } from '../messages.ts'
import { type Answered, answerRollCalls, linkText } from './answers.ts'
import { meaningOf } from './meaning.ts'
import { countryOfNumber, findOpenCalls, findOwners, type OpenCall } from './sender.ts'

/** The assistant's interpretation of a text. */
export interface TextInterpretation {
  dangers: readonly Danger[]
  /**
   * States the danger plainly: only then it counts as a request for help in a roll call, which otherwise asks for
   * clarification.
   */
  isPlain: boolean
  language: AssistantLanguage
  /** A country named in the text. */
  country: string | null
}

export interface InboxDeps {
  publicUrl: string
  log: Log
  interpret: (text: string, now: Date) => Promise<TextInterpretation>
  /** The confirmed emergency number of a country. */
  emergencyNumber: (country: string, now: Date) => string | null
}

const MAX_BODY = 10_000
const REPLY_AGAIN_HOURS = 24

/**
 * Handles inbound texts: as an answer to the roll call that asks the sender, else as a request for help, else with a
 * link to the emergency numbers as reply. No text is lost, and no rate limit delays a request for help.
 */
export function createTextInbox(deps: InboxDeps): ReceiveText {
  return async (database, input, now) => {
    // PostgreSQL text cannot contain NUL.
    const text = { ...input, body: input.body.replaceAll('\0', '').slice(0, MAX_BODY) }
    const interpretation = await interpretText(deps, text, now)
    try {
      return await receive(database, deps, text, interpretation, now)
    } catch (error) {
      // Closed at this very moment: the transaction was rolled back, so treat the text as one without a roll call.
      if (!(error instanceof AppError) || error.code !== 'roll_call_over') throw error
      return receive(database, deps, text, interpretation, now)
    }
  }
}

function receive(
  database: Database,
  deps: InboxDeps,
  text: InboundText,
  interpretation: TextInterpretation,
  now: Date,
) {
  return inBackground(database, 'texts', async (db) => {
    const calls = await findOpenCalls(db, text.number, now)
    const id = await record(db, text, interpretation, now)
    if (!id) return { reply: null }
    const reply = text.optOut
      ? await noteOptOut(db, id, text.optOut, calls, now)
      : calls.length > 0
        ? replyTo(deps, await answerRollCalls(db, { ...text, id }, calls, isHelpRequest(interpretation), now), now)
        : await receiveOutside(db, deps, { ...text, id }, interpretation, now)
    if (reply) await db.updateTable('inbound_texts').set({ replied_at: now }).where('id', '=', id).execute()
    return { reply }
  })
}

/** Word lists handle plain texts; the assistant is only asked about the rest, and its failure loses nothing. */
async function interpretText({ interpret, log }: InboxDeps, text: InboundText, now: Date): Promise<TextInterpretation> {
  const nothing: TextInterpretation = {
    dangers: [],
    isPlain: false,
    language: /\p{sc=Arabic}/u.test(text.body) ? 'ar' : 'en',
    country: null,
  }
  const meaning = meaningOf(text.body)
  if (text.optOut || !['unclear', 'need_help'].includes(meaning) || text.body.trim() === '') return nothing
  try {
    return await interpret(text.body, now)
  } catch (error) {
    log.error({ err: error }, 'a text could not be understood; it is handled by its words')
    return nothing
  }
}

const isHelpRequest = ({ dangers, isPlain }: TextInterpretation) => isPlain && dangers.length > 0

/** Null: a duplicate. */
async function record(
  db: Db,
  text: InboundText,
  interpretation: TextInterpretation,
  now: Date,
): Promise<string | null> {
  const meaning = meaningOf(text.body)
  const row = await db
    .insertInto('inbound_texts')
    .values({
      provider: text.provider,
      provider_message_id: text.providerMessageId ?? randomUUID(),
      channel: text.channel,
      number: text.number,
      body: text.body,
      media_count: text.mediaCount,
      meaning: text.optOut ?? (meaning === 'unclear' && isHelpRequest(interpretation) ? 'need_help' : meaning),
      case_id: null,
      received_at: now,
    })
    .onConflict((c) => c.columns(['provider', 'provider_message_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** A user who opts out during a roll call may become unreachable: show that to the coordinator. */
async function noteOptOut(db: Db, id: string, optOut: 'stop' | 'start', calls: readonly OpenCall[], now: Date) {
  for (const own of Map.groupBy(calls, ({ user_id }) => user_id).values()) await linkText(db, id, own)
  for (const { roll_call_id, user_id } of calls)
    await db
      .updateTable('roll_call_recipients')
      .set({ opted_out_at: optOut === 'stop' ? now : null })
      .where('roll_call_id', '=', roll_call_id)
      .where('user_id', '=', user_id)
      .execute()
  return null
}

/** In the user's language, with the emergency number. */
function replyTo(
  deps: InboxDeps,
  { meaning, openCall, helper, isShared, shouldAskBack }: Answered,
  now: Date,
): string | null {
  const language = languageOf(openCall.preferred_language) ?? 'en'
  const call = callOf(deps, openCall.country_code, language, now)
  if (meaning === 'safe' || meaning === 'not_there') return translate(language, `sms_${meaning}`)
  if (meaning === 'need_help')
    return `${translate(language, helper ? 'sms_need_help' : 'sms_need_help_nobody', { helper: helper ?? '' })} ${call}`
  if (!shouldAskBack) return null
  return `${translate(language, isShared ? 'sms_ask_who' : 'sms_ask_back')} ${call}`
}

/** "In danger now, call 911. https://…/emergency/SA" */
function callOf(deps: InboxDeps, country: string | null, language: 'en' | 'ar', now: Date): string {
  const number = country ? deps.emergencyNumber(country, now) : null
  const link = emergencyUrl(country, deps.publicUrl)
  return translate(language, number ? 'sms_call' : 'sms_call_local', { number: number ?? '', link })
}

/** Handles a text that no roll call waits for. */
async function receiveOutside(
  db: Db,
  deps: InboxDeps,
  text: InboundText & { id: string },
  interpretation: TextInterpretation,
  now: Date,
): Promise<string | null> {
  const owners = await findOwners(db, text.number)
  const meaning = meaningOf(
    text.body,
    owners.map(({ name }) => name),
  )
  const country = interpretation.country ?? owners[0]?.country_code ?? countryOfNumber(text.number)
  const known = owners.length === 1 ? languageOf(firstOf(owners).preferred_language) : undefined
  const language = interpretation.language === 'ar' ? 'ar' : (known ?? 'en')
  if (meaning !== 'acknowledged' && (await addTextToCase(db, text, now))) return null
  if (meaning === 'need_help' || interpretation.dangers.length > 0) {
    const sentence = await openTextCase(db, { text, interpretation, owners, country }, now)
    return `${sentence} ${callOf(deps, country, language, now)}`
  }
  if (await wasRepliedTo(db, text.number, now)) return null
  return translate(language, 'sms_not_read', { link: emergencyUrl(country, deps.publicUrl) })
}

async function wasRepliedTo(db: Db, number: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('inbound_texts')
    .select('id')
    .where('number', '=', number)
    .where('replied_at', '>', new Date(now.valueOf() - REPLY_AGAIN_HOURS * 3_600_000))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
