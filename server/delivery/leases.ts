import { type RawBuilder, sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { SuppressionsTable } from '#server/db/tables-delivery.ts'
import type { Log } from '#server/log.ts'
import { type MessageChannel, QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import type { Message } from './channels.ts'
import { joinSuppression } from './suppressions.ts'

/** Lease duration in seconds. The holder renews it; after expiry another process takes over its messages. */
const LEASE_SECONDS = 30
const RENEW_MS = (LEASE_SECONDS * 1000) / 3

/** Columns needed to send a message. */
const LEASED_COLUMNS = [
  'id',
  'message_key',
  'channel',
  'recipient',
  'reply_to',
  'user_id',
  'template',
  'language',
  'subject',
  'body_text',
  'body_html',
  'is_secret',
  'attempts',
  'expires_at',
  'announcement_id',
  'subscription_id',
  'kind',
  'queue_priority',
  'extras',
] as const

/** A leased message with everything that decides whether, where and when it is sent. */
export interface LeasedMessage extends Pick<Message, (typeof LEASED_COLUMNS)[number]> {
  name: string | null
  /** Addresses of the profile; null if none is deliverable. */
  email: string | null
  phone: string | null
  time_zone: string | null
  country_code: string | null
  quiet_from: string | null
  quiet_until: string | null
  urgent_bypass: boolean
  /** Why its address is suppressed. */
  suppression_reason: SuppressionsTable['reason'] | null
  /** Why the message is obsolete or unwanted by now. */
  skip_reason: string | null
  is_made_up: boolean
}

/**
 * SQL text: why a message is skipped though nothing failed, or null. Aliases: message m, profile p and preferences f of
 * its recipient.
 */
export type SkipReason = RawBuilder<string | null>

/**
 * Leases due messages of one channel, urgent ones first, and reads the current state of their cause and recipient in
 * the same statement. No connection is held while sending.
 */
export async function leaseDue(
  database: Database,
  input: {
    channel: MessageChannel
    limit: number
    queuePriorities?: readonly number[]
    madeUpDomain: string | undefined
    skipReason: SkipReason
  },
): Promise<LeasedMessage[]> {
  const { channel, limit, queuePriorities = Object.values(QUEUE_PRIORITY), madeUpDomain, skipReason } = input
  const address = sql`case when m.announcement_id is null then m.recipient
    when m.channel = 'email' then p.email else p.phone_number end`
  // Each priority is scanned in its own index range, since one may hold very many messages due later.
  const { rows } = await inBackground(database, 'messages', (db) =>
    sql<LeasedMessage>`
      with due as materialized (
        select d.ctid from unnest(${sql.lit(`{${queuePriorities.join()}}`)}::smallint[]) of_priority
        cross join lateral (
          select ctid from messages
          where channel = ${sql.lit(channel)} and queue_priority = of_priority and status in ('pending', 'sending')
            and not_before <= now() and ${NOT_LEASED}
          order by not_before limit ${sql.lit(limit)} for update skip locked
        ) d
        limit ${sql.lit(limit)}
      ),
      leased as (
        update messages m set attempts = m.attempts + 1,
          leased_until = now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})
        from due where m.ctid = due.ctid
        returning ${sql.join(LEASED_COLUMNS.map((name) => sql.ref(`m.${name}`)))}
      )
      select m.*, p.display_name as name, nullif(p.phone_number, '') as phone, p.time_zone,
        p.country_code::text as country_code,
        case when p.email_verified or p.auth_provider <> 'mcgi-hub' then nullif(p.email, '') end as email,
        f.quiet_from::text, f.quiet_until::text, coalesce(f.urgent_bypass, true) as urgent_bypass,
        x.reason as suppression_reason,
        ${skipReason} as skip_reason,
        ${madeUp(madeUpDomain)} as is_made_up
      from leased m
      left join user_profiles p on p.id = m.user_id
      left join notification_preferences f on f.user_id = m.user_id
      ${joinSuppression(sql`m.channel`, address)}
      order by m.queue_priority`.execute(db),
  )
  return rows
}

/** Renews the leases of this process while their messages are being sent. */
export function createLeaseRenewal(database: Database, log: Log) {
  const attemptsById = new Map<string, number>()
  let batches = 0
  let timer: NodeJS.Timeout | undefined

  const renew = () =>
    inBackground(database, 'messages', (db) =>
      sql`update messages m set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
        from jsonb_each_text(${JSON.stringify(Object.fromEntries(attemptsById))}::jsonb) h
        where m.id = h.key::uuid and m.attempts = h.value::int and ${IS_LEASED}`.execute(db),
    ).catch((error: Error) => log.warn({ reason: error.message }, 'the leases of messages could not be renewed'))

  return {
    /** Renews these leases until the returned function is called or they are released. */
    renewWhileSending(leased: LeasedMessage[]): () => void {
      for (const { id, attempts } of leased) attemptsById.set(id, attempts)
      batches++
      timer ??= setInterval(() => attemptsById.size > 0 && void renew(), RENEW_MS).unref()
      return () => {
        for (const message of leased) attemptsById.delete(message.id)
        batches--
        if (batches > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    release: (message: LeasedMessage) => void attemptsById.delete(message.id),
  }
}

/**
 * For a message m found by id. Avoids the status condition of the partial index: right after a fan-out the planner has
 * no statistics on the number of waiting messages and would scan them all.
 */
export const IS_LEASED = sql`m.leased_until is not null
  and (m.status is not distinct from 'pending' or m.status is not distinct from 'sending')`

/** Not leased, or the lease has expired: it may be leased or cancelled. */
export const NOT_LEASED = sql<boolean>`(leased_until is null or leased_until <= now())`

/** Placeholder addresses, created for members whose address the hub does not know, are not deliverable. */
const madeUp = (domain: string | undefined) => sql<boolean>`m.channel = 'email' and m.recipient is not null and (
  m.recipient ~* '[@.]invalid$' or lower(split_part(m.recipient, '@', 2)) = ${domain?.toLowerCase() ?? ''}
    and p.auth_provider = 'mcgi-hub' and not p.email_verified)`
