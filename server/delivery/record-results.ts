import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { DeliveryError, type DeliveryResult, type SkipResult } from './delivery-result.ts'
import { IS_LEASED, type LeasedMessage } from './leases.ts'
import type { OutboundMessage } from './outbound-message.ts'
import { suppressRecipients } from './suppressions.ts'

/** With the pauses below, a message is retried for four hours (H8). */
export const TRIES = 52
const LONGEST_PAUSE_SECONDS = 3_600
/** Results are buffered this long and written in one statement. */
const GATHER_MS = 20
const MAX_AT_ONCE = 1_000
const WRITE_TRIES = 5

/** Seconds until the next attempt: short at first, then five minutes. */
export const pauseAfter = (attempts: number) => Math.min(30 * 2 ** (attempts - 1), 300)

/** Delivery result of one message. Fields at their default are omitted to keep the JSON batch small. */
interface Written {
  id: string
  attempts: number
  status: 'sent' | 'delivered' | 'recorded' | 'failed' | 'pending' | 'dropped'
  at: string
  error?: string
  /** Seconds until the next attempt. */
  pause?: number | undefined
  /** Returned without an attempt. */
  is_untried?: boolean
  provider?: string | undefined
  provider_message_id?: string
  recipient?: string | undefined
  subject?: string | undefined
  /** Records an unsuccessful attempt. */
  note?: 'failed' | 'deferred' | undefined
  suppression_reason?: 'bounced' | 'invalid' | 'opted_out' | undefined
  is_wiped?: boolean
}

/**
 * Writes delivery results in batches. Each call returns a promise that resolves once the result is written, so that a
 * process records its results before leasing more messages.
 */
export function createResultWriter(database: Database, { hasOpenOutbox }: { hasOpenOutbox: boolean }) {
  let gathering: { results: Written[]; done: Promise<void> } | undefined
  let last: Promise<void> = Promise.resolve()

  function begin() {
    const round = { results: [] as Written[], done: last }
    const gathered = new Promise((resolve) => setTimeout(resolve, GATHER_MS))
    round.done = Promise.all([last.catch(() => {}), gathered]).then(async () => {
      gathering = undefined
      for (let from = 0; from < round.results.length; from += MAX_AT_ONCE)
        await persistently(() => write(database, round.results.slice(from, from + MAX_AT_ONCE)))
    })
    last = round.done
    // Errors surface through the returned promise; swallow here to avoid an unhandled rejection.
    last.catch(() => {})
    return round
  }

  return {
    add(message: LeasedMessage, result: DeliveryResult | SkipResult, outbound?: OutboundMessage): Promise<void> {
      gathering ??= begin()
      gathering.results.push({ ...statusOf(message, result, hasOpenOutbox), ...profileFields(message, outbound) })
      return gathering.done
    },
  }
}

/** Recipient address and subject of a bulk message, whose row has none of its own. */
function profileFields({ announcement_id, channel }: LeasedMessage, outbound?: OutboundMessage): Partial<Written> {
  if (announcement_id === null || !outbound) return {}
  return {
    recipient: channel === 'push' ? undefined : outbound.to,
    subject: channel === 'email' ? outbound.content.subject.slice(0, 300) : undefined,
  }
}

function statusOf(message: LeasedMessage, result: DeliveryResult | SkipResult, hasOpenOutbox: boolean): Written {
  const { id, attempts } = message
  const base: Written = { id, attempts, status: 'pending', at: new Date().toISOString() }
  if (result instanceof DeliveryError) return { ...base, ...failureOf(message, result) }
  switch (result.status) {
    case 'dropped':
      return { ...base, status: 'dropped', error: result.reason, is_untried: true }
    case 'later':
      return { ...base, error: result.reason, is_untried: true, pause: (result.at.valueOf() - Date.now()) / 1000 }
    case 'recorded':
      return { ...base, status: 'recorded', is_wiped: message.is_secret && !hasOpenOutbox }
    default:
      return {
        ...base,
        status: result.status,
        provider: result.provider,
        provider_message_id: clean(result.providerMessageId),
        is_wiped: message.is_secret,
      }
  }
}

function failureOf(message: LeasedMessage, error: DeliveryError): Partial<Written> {
  const { isFinal, provider, retryAfter, suppression } = error
  const isOver = isFinal || message.attempts >= TRIES
  return {
    status: isOver ? 'failed' : 'pending',
    error: clean(error.message),
    pause: isOver ? undefined : pauseOf(message, error),
    provider,
    note: provider === undefined ? undefined : retryAfter === undefined ? 'failed' : 'deferred',
    suppression_reason: suppression,
  }
}

/** A provider's response text, made fit for the column. */
const clean = (text: string) => text.replaceAll('\0', '').slice(0, 500).toWellFormed()

/** Retry-After of the provider, up to an hour. A text message's first transient failure is retried at once. */
function pauseOf(
  { channel, attempts }: LeasedMessage,
  { retryAfter, isPeerAway, mayHaveArrived }: DeliveryError,
): number {
  if (retryAfter !== undefined) return Math.min(Math.max(retryAfter, 1), LONGEST_PAUSE_SECONDS)
  if (channel === 'sms' && attempts === 1 && !isPeerAway && !mayHaveArrived) return 0
  return pauseAfter(attempts)
}

/** Retried for some seconds while the database is unavailable, since an unrecorded message would be sent again. */
async function persistently(fn: () => Promise<void>) {
  for (let attempt = 1; ; attempt++)
    try {
      return await fn()
    } catch (error) {
      if (attempt === WRITE_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 500 * attempt))
    }
}

function write(database: Database, results: Written[]): Promise<void> {
  return inBackground(database, 'messages', async (db) => {
    await sql`
      with results as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as t(id uuid, attempts integer,
          status text, error text, pause float8, is_untried boolean, provider text, provider_message_id text, recipient text,
          subject text, at timestamptz, note text, suppression_reason text, is_wiped boolean)
      ),
      written as (
        update messages m set
          status = t.status,
          leased_until = null,
          error = t.error,
          attempts = m.attempts - coalesce(t.is_untried, false)::int,
          not_before = case when t.pause is null then m.not_before else now() + make_interval(secs => t.pause) end,
          provider = coalesce(t.provider, m.provider),
          provider_message_id = coalesce(t.provider_message_id, m.provider_message_id),
          recipient = coalesce(t.recipient, m.recipient),
          subject = case when m.subject = '' then coalesce(t.subject, '') else m.subject end,
          sent_at = case when t.status in ('sent', 'delivered') then t.at else m.sent_at end,
          delivered_at = case when t.status = 'delivered' then t.at else m.delivered_at end,
          body_text = case when t.is_wiped then '' else m.body_text end,
          body_html = case when t.is_wiped then null else m.body_html end
        from results t
        -- Another process took it up when the lease had run out: what that one writes counts.
        where m.id = t.id and ${IS_LEASED} and m.attempts = t.attempts
        returning m.id, m.channel, m.recipient, t.note, t.suppression_reason, t.provider, t.error
      ),
      attempted as (
        insert into message_attempts (message_id, provider, result, detail)
        select id, provider, note, error from written where note is not null
      )
      ${suppressRecipients(sql`(select channel, recipient, suppression_reason as reason, error as detail from written)`)}`.execute(
      db,
    )
  })
}
