import { sql } from 'kysely'
import type { SkipReason } from '#server/delivery/leases.ts'
import { MANDATORY_TEMPLATES } from '#server/delivery/outbox.ts'
import { COVERS_COUNTRY, COVERS_TYPE } from '../subscriptions/coverage.ts'

const IN_FORCE = sql`(a.status = 'actual' and a.is_active and (a.expiry_date is null or a.expiry_date > now()))`

/** The reasons that concern the recipient, then the announcement n, its advisory a and the subscription s behind it. */
const REASON = sql`case
  when m.user_id is not null and coalesce(p.profile_status, '') not in ('active', 'pending')
    then 'The account is not active any more'
  when not coalesce((f.channels -> m.kind ->> m.channel)::boolean, true)
    and m.template <> all(${sql.lit(`{${[...MANDATORY_TEMPLATES].join()}}`)}::text[])
    then 'Its reader does not want such messages any more'
  when m.channel = 'sms' and coalesce(f.sms_opt_out, false) then 'User has opted out of SMS notifications'
  when n.status = 'cancelled' then 'It was cancelled'
  when m.subscription_id is not null and not coalesce(s.active, false) then 'The subscription was ended'
  when a.id is null then null
  when n.reason = 'withdrawn' and ${IN_FORCE} then 'The advisory is in force again'
  when n.reason <> 'withdrawn' and not ${IN_FORCE} then 'The advisory is not in force any more'
  when exists (select from announcements later where later.advisory_id = a.id
    and later.advisory_version > n.advisory_version and later.status in ('waiting', 'sent'))
    then 'A later version of the advisory was announced'
  when m.subscription_id is not null and not (a.severity_level = any(s.severity_levels)
    and ${COVERS_COUNTRY} and ${COVERS_TYPE}
    and (n.priority = 'urgent' or a.is_urgent or not s.urgent_only)
    and m.channel = any(s.channels)) then 'The subscription does not cover the advisory any more'
  end`

/** Why a message is obsolete or unwanted by now, or null. Account messages are always sent. */
export const SKIP_REASON: SkipReason = sql<string | null>`case when m.kind <> 'account' then (
  select ${REASON}
  from (values (m.announcement_id, m.subscription_id)) v (announcement_id, subscription_id)
  left join announcements n on n.id = v.announcement_id
  left join advisory_subscriptions s on s.id = v.subscription_id
  left join travel_advisories a on a.id = n.advisory_id) end`
