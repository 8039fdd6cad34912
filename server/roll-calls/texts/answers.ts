import type { Db } from '#server/db/connection.ts'
import type { InboundText } from '#server/delivery/webhooks/inbound-text.ts'
import { firstOf } from '#shared/assert.ts'
import { writeAnswerOf } from '../answers.ts'
import { findOwn } from '../own-roll-calls.ts'
import { type Meaning, meaningOf } from './meaning.ts'
import type { OpenCall } from './sender.ts'
import { markUnclear } from './unclear-texts.ts'

const MAX_NOTE = 500

/** Result of a text, for the reply. */
export interface Answered {
  meaning: Meaning
  openCall: OpenCall
  /** Helper of the roll call that the answer was written to. */
  helper: string | null
  isShared: boolean
  /** Ask for clarification, unless that was done before. */
  shouldAskBack: boolean
}

/**
 * Handles a text of a user whom open roll calls ask. If several users share the number, any of them may have sent it: a
 * request for help counts for all of them, "safe" only for the one named in it.
 */
export async function answerRollCalls(
  db: Db,
  text: InboundText & { id: string },
  calls: readonly OpenCall[],
  isDanger: boolean,
  now: Date,
): Promise<Answered> {
  const senders = [...Map.groupBy(calls, ({ user_id }) => user_id).values()]
  const isShared = senders.length > 1
  const read = senders.map((own) => ({ own, meaning: readAs(text.body, firstOf(own).name, isDanger) }))
  const needsHelp = read.some(({ meaning }) => meaning === 'need_help')
  const named = isShared ? read.filter(({ meaning }) => isAnswer(meaning) && !isAnswer(meaningOf(text.body))) : read
  if (isShared && !needsHelp && named.length !== 1) {
    let shouldAskBack = false
    for (const { own } of read)
      shouldAskBack = (await write(db, text, own, 'unclear', now)).shouldAskBack || shouldAskBack
    return { meaning: 'unclear', openCall: firstOf(firstOf(senders)), helper: null, isShared, shouldAskBack }
  }
  const results: Answered[] = []
  for (const { own, meaning } of needsHelp ? read : named)
    results.push({ ...(await write(db, text, own, needsHelp ? 'need_help' : meaning, now)), isShared })
  return firstOf(results)
}

const isAnswer = (meaning: Meaning) => meaning === 'safe' || meaning === 'not_there'

function readAs(body: string, name: string, isDanger: boolean): Meaning {
  const meaning = meaningOf(body, [name])
  return meaning === 'unclear' && isDanger ? 'need_help' : meaning
}

/** Applies one user's text to the roll calls that ask them. */
async function write(
  db: Db,
  { id, body }: { id: string; body: string },
  own: readonly OpenCall[],
  meaning: Meaning,
  now: Date,
): Promise<Omit<Answered, 'isShared'>> {
  const [first, ...others] = own.toSorted((a, b) => Number(isAnswered(a)) - Number(isAnswered(b)))
  const openCall = first!
  const isFirstText = await linkText(db, id, own)
  let shouldAskBack = false
  const add = (call: OpenCall) =>
    writeAnswerOf(db, idsOf(call), { answer: 'need_help', via: 'sms', note: body.trim().slice(0, MAX_NOTE) }, now)
  if (isAnswer(meaning)) {
    const answer = meaning as 'safe' | 'not_there'
    for (const call of [openCall, ...others.filter(({ unclear_at }) => unclear_at)])
      await writeAnswerOf(db, idsOf(call), { answer, via: 'sms' }, now)
  } else if (meaning === 'acknowledged') shouldAskBack = openCall.answer === null && isFirstText
  else
    for (const call of own) {
      // Request help only once: in the roll call still waiting for an answer, or where it was requested already.
      if (isOpenHelp(call) || (meaning === 'need_help' && call === openCall)) await add(call)
      else shouldAskBack = (await markUnclear(db, call, body, now)) || shouldAskBack
    }
  const { helper } = await findOwn(db, openCall.user_id, openCall.roll_call_id)
  return { meaning, openCall, helper: helper?.name ?? null, shouldAskBack }
}

const idsOf = ({ roll_call_id: rollCall, user_id: user }: OpenCall) => ({ rollCall, user })
const isOpenHelp = ({ answer, helped_at }: OpenCall) => answer === 'need_help' && helped_at === null
const isAnswered = ({ answer, unclear_at }: OpenCall) => answer !== null && unclear_at === null

/** Links the text to the user in each roll call. Returns whether it is their first. */
export async function linkText(db: Db, text_id: string, calls: readonly OpenCall[]): Promise<boolean> {
  const before = await db
    .selectFrom('roll_call_texts')
    .select('text_id')
    .where('user_id', '=', firstOf(calls).user_id)
    .where(
      'roll_call_id',
      'in',
      calls.map(({ roll_call_id }) => roll_call_id),
    )
    .limit(1)
    .execute()
  await db
    .insertInto('roll_call_texts')
    .values(calls.map(({ roll_call_id, user_id }) => ({ roll_call_id, user_id, text_id })))
    .execute()
  return before.length === 0
}
