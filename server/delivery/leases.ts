import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { SuppressionsTable } from '#server/db/tables-notifications.ts'
import { type MessageChannel, QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import type { Message } from './channels.ts'
import { MANDATORY_TEMPLATES } from './mandatory-templates.ts'
import { COVERS_COUNTRY, COVERS_TYPE } from './subscription-coverage.ts'

/**
 * A message is in the hands of one process for so long, which says again and again that it still has it. After it, what
 * a dead process had is taken up by another.
 */
export const LEASE_SECONDS = 30

/** What of a message is read to send it. */
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

/** A message in hand, with everything that decides whether, where to and when it leaves. */
export interface Claimed extends Pick<Message, (typeof TAKEN)[number]> {
  name: string | null
  /** The addresses of the profile; null where there is none that reaches anybody. */
  email: string | null
  phone: string | null
  time_zone: string | null
  country_code: string | null
  quiet_from: string | null
  quiet_until: string | null
  urgent_bypass: boolean
  /** Why nothing is sent to its address any more. */
  stopped: SuppressionsTable['reason'] | null
  /** Why it is not true or not wanted any more, now that its time has come. */
  void_reason: string | null
  is_made_up: boolean
}

/**
 * Takes messages of one channel that are due, the urgent ones first, and looks in the same statement at what has become
 * of their cause and their reader. No connection is held while they are on their way.
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
  // Each lane is looked at in its own stretch of the index, since what waits for later in one may be very much.
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
 * Why a message is not sent though nothing failed, or null: of a message m with its reader p, preferences f,
 * subscription s, announcement n and advisory a. What belongs to the account itself is always sent.
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
 * Of a message m that is found by its id. Its status not as the index of what waits has it: just after an advisory was
 * told the database does not know yet how many wait, and would read all of them to find a few.
 */
export const IS_LEASED = sql`m.in_hand_until is not null
  and (m.status is not distinct from 'pending' or m.status is not distinct from 'sending')`

/** Nobody has it in hand, or whoever had is dead: it may be taken, or be cancelled. */
export const NOT_LEASED = sql<boolean>`(in_hand_until is null or in_hand_until <= now())`

function inForce() {
  return sql`(a.status = 'actual' and a.is_active and (a.expiry_date is null or a.expiry_date > now()))`
}

/** No mail reaches an address that the portal made up for a member of whom the hub knows none. */
const madeUp = (domain: string | undefined) => sql<boolean>`m.channel = 'email' and m.recipient is not null and (
  m.recipient ~* '[@.]invalid$' or lower(split_part(m.recipient, '@', 2)) = ${domain?.toLowerCase() ?? ''}
    and p.auth_provider = 'mcgi-hub' and not p.email_verified)`
