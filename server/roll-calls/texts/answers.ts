import type { Db } from '#server/db/connection.ts'
import { writeAnswerOf } from '../answers.ts'
import { findOwn } from '../own-roll-calls.ts'
import { type Meaning, meaningOf } from './meaning.ts'
import type { OpenCall } from './sender.ts'
import type { InboundText } from './text-inbox.ts'
import { markUnclear } from './unclear-texts.ts'

const MAX_NOTE = 500

/** What came of a text, for the reply. */
export interface Answered {
  meaning: Meaning
  openCall: OpenCall
  /** Of the roll call that the answer was written to. */
  helper: string | null
  isShared: boolean
  /** Ask back: nothing was asked back before. */
  shouldAskBack: boolean
}

/**
 * Takes a text of somebody whom open roll calls ask. Where several people share the number, each may have written it:
 * a call for help counts for all of them, "safe" only for the one who gives her name.
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
  const read = senders.map((own) => ({ own, meaning: readAs(text.body, own[0]!.name, isDanger) }))
  const needsHelp = read.some(({ meaning }) => meaning === 'need_help')
  const named = isShared ? read.filter(({ meaning }) => isAnswer(meaning) && !isAnswer(meaningOf(text.body))) : read
  if (isShared && !needsHelp && named.length !== 1) {
    let shouldAskBack = false
    for (const { own } of read)
      shouldAskBack = (await write(db, text, own, 'unclear', now)).shouldAskBack || shouldAskBack
    return { meaning: 'unclear', openCall: senders[0]![0]!, helper: null, isShared, shouldAskBack }
  }
  const results: Answered[] = []
  for (const { own, meaning } of needsHelp ? read : named)
    results.push({ ...(await write(db, text, own, needsHelp ? 'need_help' : meaning, now)), isShared })
  return results[0]!
}

const isAnswer = (meaning: Meaning) => meaning === 'safe' || meaning === 'not_there'

function readAs(body: string, name: string, isDanger: boolean): Meaning {
  const meaning = meaningOf(body, [name])
  return meaning === 'unclear' && isDanger ? 'need_help' : meaning
}

/** Writes what one person texted to the roll calls that ask her. */
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
      // Help is sought once: by the roll call that waits for an answer, or where it is sought already.
      if (isOpenHelp(call) || (meaning === 'need_help' && call === openCall)) await add(call)
      else shouldAskBack = (await markUnclear(db, call, body, now)) || shouldAskBack
    }
  const { helper } = await findOwn(db, openCall.user_id, openCall.roll_call_id)
  return { meaning, openCall, helper: helper?.name ?? null, shouldAskBack }
}

const idsOf = ({ roll_call_id: rollCall, user_id: user }: OpenCall) => ({ rollCall, user })
const isOpenHelp = ({ answer, helped_at }: OpenCall) => answer === 'need_help' && helped_at === null
const isAnswered = ({ answer, unclear_at }: OpenCall) => answer !== null && unclear_at === null

/** Shows the text beside the person on each list. Returns whether none stood there before. */
export async function linkText(db: Db, text_id: string, calls: readonly OpenCall[]): Promise<boolean> {
  const before = await db
    .selectFrom('roll_call_texts')
    .select('text_id')
    .where('user_id', '=', calls[0]!.user_id)
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
