import { sql } from 'kysely'
import { inBackground } from '../db/claims.ts'
import type { Database } from '../db/connection.ts'
import type { Log } from '../log.ts'
import { type Channels, type Delivered, DeliveryFailure, type Message } from './channels.ts'

const LANES = 4
/** Longer than any delivery takes: after it, what a dead process had in hand is taken up again. */
const LEASE_SECONDS = 120
/** With the pauses below a message is tried for four hours (H8). */
export const TRIES = 52
const OUTCOME_TRIES = 5
/** One run ends before its job counts as lost; the next minute goes on. */
const RUN_MS = 240_000

/** Seconds from one failed try to the next: soon at first, then every five minutes. */
export const pauseAfter = (attempts: number) => Math.min(30 * 2 ** (attempts - 1), 300)

export interface SendingParts {
  database: Database
  channels: Channels
  log: Log
  /** Aborted when the process stops: what is in hand is finished, nothing more is taken. */
  signal?: AbortSignal
}

/**
 * Sends what waits and is due, until nothing is left or the other side does not answer. Safe to run in several places
 * at once: each message is claimed for a while, without holding a connection while it is on its way. A process that
 * dies between sending and writing it down sends that one message a second time, under the same Message-ID; none is
 * lost. Returns how many were tried.
 */
export async function sendWaiting(parts: SendingParts): Promise<number> {
  let tried = 0
  let isPeerAway = false
  const until = Date.now() + RUN_MS
  const lane = async () => {
    while (!isPeerAway && !parts.signal?.aborted && Date.now() < until) {
      const message = await claim(parts.database, parts.channels.madeUpDomain)
      if (!message) return
      tried++
      const outcome = await deliver(parts, message)
      if (outcome instanceof DeliveryFailure && outcome.isPeerAway) isPeerAway = true
      await writeOutcome(parts, message, outcome)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return tried
}

type Claimed = Message & { isMadeUp: boolean }

/** Takes the next message that is due; codes and links that somebody waits for come first. */
function claim(database: Database, madeUpDomain: string | undefined): Promise<Claimed | undefined> {
  return inBackground(database, 'messages', (db) =>
    db
      .updateTable('messages')
      .set({
        status: 'sending',
        attempts: sql`attempts + 1`,
        not_before: sql`now() + make_interval(secs => ${LEASE_SECONDS})`,
      })
      .where('id', '=', (of) =>
        of
          .selectFrom('messages')
          .select('id')
          .where('status', 'in', ['pending', 'sending'])
          .where('body_text', 'is not', null)
          .where('not_before', '<=', sql<Date>`now()`)
          .orderBy('is_secret', 'desc')
          .orderBy('not_before')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .returning(
        sql<boolean>`channel = 'email' and (recipient ~* '[@.]invalid$' or lower(split_part(recipient, '@', 2)) = ${madeUpDomain?.toLowerCase() ?? ''}
          and exists (select from user_profiles p
            where p.id = user_id and p.auth_provider = 'mcgi-hub' and not p.email_verified))`.as('isMadeUp'),
      )
      .executeTakeFirst(),
  )
}

async function deliver({ channels, log }: SendingParts, message: Claimed): Promise<Delivered | DeliveryFailure> {
  if (message.expires_at && message.expires_at <= new Date())
    return new DeliveryFailure('Its time ran out before it could be sent', { isFinal: true })
  const send = channels[message.channel]
  try {
    // Where nothing is sent at all, made-up addresses are recorded like the others.
    if (message.isMadeUp && channels.sendsEmail)
      return new DeliveryFailure('No mail reaches this address: it was made up by the portal', { isFinal: true })
    return await send(message)
  } catch (error) {
    if (error instanceof DeliveryFailure) return error
    log.error({ reason: (error as Error).message, template: message.template }, 'a message could not be handed over')
    return new DeliveryFailure((error as Error).message)
  }
}

/** What was sent must be written down, or it is sent again: tried for some seconds while the database is away. */
async function writeOutcome(parts: SendingParts, message: Message, outcome: Delivered | DeliveryFailure) {
  for (let attempt = 1; ; attempt++)
    try {
      return await write(parts, message, outcome)
    } catch (error) {
      if (attempt === OUTCOME_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 500 * attempt))
    }
}

function write({ database, channels }: SendingParts, message: Message, outcome: Delivered | DeliveryFailure) {
  const wiped = message.is_secret ? { body_text: '', body_html: null } : {}
  return inBackground(database, 'messages', async (db) => {
    const row = db
      .updateTable('messages')
      .where('id', '=', message.id)
      // Another process took it up when the lease had run out: what that one writes counts.
      .where('status', '=', 'sending')
      .where('attempts', '=', message.attempts)
    if (outcome instanceof DeliveryFailure) {
      const error = outcome.message.slice(0, 500)
      const isOver = outcome.isFinal || message.attempts >= TRIES
      const pause = sql<Date>`now() + make_interval(secs => ${pauseAfter(message.attempts)})`
      await row.set(isOver ? { status: 'failed', error } : { status: 'pending', error, not_before: pause }).execute()
    } else if (outcome.status === 'sent')
      await row.set({ ...outcome, ...wiped, error: null, sent_at: new Date() }).execute()
    else await row.set({ ...outcome, ...(channels.hasOpenOutbox ? {} : wiped), error: null }).execute()
  })
}
