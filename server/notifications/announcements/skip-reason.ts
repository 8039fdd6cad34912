import { sql } from 'kysely'
import type { SkipReason } from '#server/delivery/leases.ts'
import { MANDATORY_TEMPLATES } from '#server/delivery/outbox.ts'
import { COVERS_COUNTRY, COVERS_TYPE } from '../subscriptions/coverage.ts'

const IN_FORCE = sql`(a.status = 'actual' and a.is_active and (a.expiry_date is null or a.expiry_date > now()))`

/** The reasons that concern the recipient, then the announcement n, its advisory a and the subscription s behind it. */
const REASON = sql`case
  when m.user_id is not null and coalesce(p.profile_status, '') not in ('active', 'pending')
    then 'The account is no longer active'
  when not coalesce((f.channels -> m.kind ->> m.channel)::boolean, true)
    and m.template <> all(${sql.lit(`{${[...MANDATORY_TEMPLATES].join()}}`)}::text[])
    then 'The recipient has turned off these messages'
  when m.channel = 'sms' and coalesce(f.sms_opt_out, false) then 'User has opted out of SMS notifications'
  when n.status = 'cancelled' then 'The announcement was cancelled'
  when m.subscription_id is not null and not coalesce(s.active, false) then 'The subscription has ended'
  when a.id is null then null
  when n.reason = 'withdrawn' and ${IN_FORCE} then 'The advisory is in force again'
  when n.reason <> 'withdrawn' and not ${IN_FORCE} then 'The advisory is no longer in force'
  when exists (select from announcements later where later.advisory_id = a.id
    and later.advisory_version > n.advisory_version and later.status in ('waiting', 'sent'))
    then 'A newer version of the advisory was announced'
  when m.subscription_id is not null and not (a.severity_level = any(s.severity_levels)
    and ${COVERS_COUNTRY} and ${COVERS_TYPE}
    and (n.priority = 'urgent' or a.is_urgent or not s.urgent_only)
    and m.channel = any(s.channels)) then 'The subscription no longer covers the advisory'
  end`

/** Why a message is obsolete or unwanted by now, or null. Account messages are always sent. */
export const SKIP_REASON: SkipReason = sql<string | null>`case when m.kind <> 'account' then (
  select ${REASON}
  from (values (m.announcement_id, m.subscription_id)) v (announcement_id, subscription_id)
  left join announcements n on n.id = v.announcement_id
  left join advisory_subscriptions s on s.id = v.subscription_id
  left join travel_advisories a on a.id = n.advisory_id) end`
