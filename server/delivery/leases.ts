import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { SuppressionsTable } from '#server/db/tables-notifications.ts'
import { type MessageChannel, QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import type { Message } from './channels.ts'
import { MANDATORY_TEMPLATES } from './mandatory-templates.ts'
import { COVERS_COUNTRY, COVERS_TYPE } from './subscription-coverage.ts'

/** Lease duration in seconds. The holder renews it; after expiry another process takes over its messages. */
export const LEASE_SECONDS = 30

/** Columns needed to send a message. */
const TAKEN = [
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
  'lane',
  'extras',
] as const

/** A leased message with everything that decides whether, where and when it is sent. */
export interface Claimed extends Pick<Message, (typeof TAKEN)[number]> {
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
  stopped: SuppressionsTable['reason'] | null
  /** Why the message is obsolete or unwanted by now. */
  void_reason: string | null
  is_made_up: boolean
}

/**
 * Leases due messages of one channel, urgent ones first, and reads the current state of their cause and recipient in
 * the same statement. No connection is held while sending.
 */
export async function claim(
  database: Database,
  input: {
    channel: MessageChannel
    limit: number
    queuePriorities?: readonly number[]
    madeUpDomain: string | undefined
  },
): Promise<Claimed[]> {
  const { channel, limit, queuePriorities = Object.values(QUEUE_PRIORITY), madeUpDomain } = input
  // Each priority is scanned in its own index range, since one may hold very many messages due later.
  const { rows } = await inBackground(database, 'messages', (db) =>
    sql<Claimed>`
      with due as materialized (
        select d.ctid from unnest(${sql.lit(`{${queuePriorities.join()}}`)}::smallint[]) of_lane
        cross join lateral (
          select ctid from messages
          where channel = ${sql.lit(channel)} and lane = of_lane and status in ('pending', 'sending')
            and not_before <= now() and ${NOT_LEASED}
          order by not_before limit ${sql.lit(limit)} for update skip locked
        ) d
        limit ${sql.lit(limit)}
      ),
      taken as (
        update messages m set attempts = m.attempts + 1,
          in_hand_until = now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})
        from due where m.ctid = due.ctid
        returning ${sql.join(TAKEN.map((name) => sql.ref(`m.${name}`)))}
      )
      select m.*, p.display_name as name, nullif(p.phone_number, '') as phone, p.time_zone, p.country_code::text as country_code,
        case when p.email_verified or p.auth_provider <> 'mcgi-hub' then nullif(p.email, '') end as email,
        f.quiet_from::text, f.quiet_until::text, coalesce(f.urgent_bypass, true) as urgent_bypass,
        x.reason as stopped,
        ${VOID} as void_reason,
        ${madeUp(madeUpDomain)} as is_made_up
      from taken m
      left join user_profiles p on p.id = m.user_id
      left join notification_preferences f on f.user_id = m.user_id
      left join advisory_subscriptions s on s.id = m.subscription_id
      left join announcements n on n.id = m.announcement_id
      left join travel_advisories a on a.id = n.advisory_id
      left join stopped_addresses x on x.channel = m.channel and x.address = lower(case
        when m.announcement_id is null then m.recipient when m.channel = 'email' then p.email else p.phone_number end)
      order by m.lane`.execute(db),
  )
  return rows
}

/**
 * Why a message is skipped though nothing failed, or null. Aliases: message m, recipient p, preferences f, subscription
 * s, announcement n, advisory a. Account messages are always sent.
 */
export const VOID = sql<string | null>`case
  when m.kind = 'account' then null
  when m.user_id is not null and coalesce(p.profile_status, '') not in ('active', 'pending') then 'The account is not active any more'
  when not coalesce((f.channels -> m.kind ->> m.channel)::boolean, true)
    and m.template <> all(${sql.lit(`{${[...MANDATORY_TEMPLATES].join()}}`)}::text[]) then 'Its reader does not want such messages any more'
  when m.channel = 'sms' and coalesce(f.sms_opt_out, false) then 'User has opted out of SMS notifications'
  when n.status = 'cancelled' then 'It was cancelled'
  when m.subscription_id is not null and not coalesce(s.active, false) then 'The subscription was ended'
  when a.id is null then null
  when n.reason = 'withdrawn' and ${inForce()} then 'The advisory is in force again'
  when n.reason <> 'withdrawn' and not ${inForce()} then 'The advisory is not in force any more'
  when exists (select from announcements later where later.advisory_id = a.id
    and later.advisory_version > n.advisory_version and later.status in ('waiting', 'told'))
    then 'A later version of the advisory was announced'
  when m.subscription_id is not null and not (a.severity_level = any(s.severity_levels)
    and ${COVERS_COUNTRY} and ${COVERS_TYPE}
    and (n.priority = 'urgent' or a.is_urgent or not s.urgent_only)
    and m.channel = any(s.channels)) then 'The subscription does not cover the advisory any more'
  end`

/**
 * For a message m found by id. Avoids the status condition of the partial index: right after a fan-out the planner has
 * no statistics on the number of waiting messages and would scan them all.
 */
export const IS_LEASED = sql`m.in_hand_until is not null
  and (m.status is not distinct from 'pending' or m.status is not distinct from 'sending')`

/** Not leased, or the lease has expired: it may be leased or cancelled. */
export const NOT_LEASED = sql<boolean>`(in_hand_until is null or in_hand_until <= now())`

function inForce() {
  return sql`(a.status = 'actual' and a.is_active and (a.expiry_date is null or a.expiry_date > now()))`
}

/** Placeholder addresses, created for members whose address the hub does not know, are not deliverable. */
const madeUp = (domain: string | undefined) => sql<boolean>`m.channel = 'email' and m.recipient is not null and (
  m.recipient ~* '[@.]invalid$' or lower(split_part(m.recipient, '@', 2)) = ${domain?.toLowerCase() ?? ''}
    and p.auth_provider = 'mcgi-hub' and not p.email_verified)`
