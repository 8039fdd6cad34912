import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { TravelAdvisoriesTable } from '#server/db/tables-advisories.ts'
import type { AnnouncementsTable, Within } from '#server/db/tables-notifications.ts'
import { MANDATORY_TEMPLATES } from '#server/delivery/outbox.ts'
import { joinSuppression } from '#server/delivery/suppressions.ts'
import { LANGUAGE_TAGS, type Localized } from '#shared/language.ts'
import { COVERS_COUNTRY, COVERS_TYPE } from '../subscriptions/coverage.ts'

/** The fields of an announcement that decide who receives it. */
export type Target = Pick<
  Selectable<AnnouncementsTable>,
  'kind' | 'template' | 'audience' | 'channels' | 'advisory_id'
> & {
  /** Without: in every language. */
  texts?: Localized<unknown>
  /** An advisory that is not saved, instead of the one with this id. */
  advisory?: Partial<Insertable<TravelAdvisoriesTable>>
}

/**
 * Recipients with channel and language, once per channel. With a limit, an arbitrary subset. Suppressed addresses are
 * marked: their message is recorded with the reason and reaches nobody.
 */
export function recipientsQuery(row: Target, limit?: number): RawBuilder<unknown> {
  const chosen = limit === undefined ? audienceQuery(row) : sql`${audienceQuery(row)} limit ${limit}`
  const wanted = MANDATORY_TEMPLATES.has(row.template)
    ? sql`true`
    : sql`coalesce((f.channels -> ${row.kind} ->> r.channel)::boolean, true)`
  const address = sql`case r.channel when 'email' then p.email else p.phone_number end`
  return sql`
    select distinct on (p.id, r.channel) p.id as user_id, r.channel, r.subscription_id,
      case when coalesce(r.language, p.preferred_language) = any(${Object.keys(row.texts ?? LANGUAGE_TAGS)}::text[])
        then coalesce(r.language, p.preferred_language) else 'en' end as language,
      ${row.kind} = 'advisory' and coalesce(f.digest, 'at_once') <> 'at_once' as is_digested,
      x.reason is not null as is_suppressed
    from (${chosen}) r
    join user_profiles p on p.id = r.user_id and p.profile_status in ('active', 'pending')
    left join notification_preferences f on f.user_id = p.id
    ${joinSuppression(sql`r.channel`, address)}
    where ${wanted} and case r.channel
      when 'email' then p.email_verified or p.auth_provider <> 'mcgi-hub'
      when 'sms' then p.phone_number is not null and not coalesce(f.sms_opt_out, false)
      when 'whatsapp' then p.phone_number is not null
      when 'push' then exists (select from push_subscriptions s where s.user_id = p.id)
      else true end
    order by p.id, r.channel, r.subscription_id`
}

/** The intended recipients by intended channel, whether or not they are reachable. */
export const audienceQuery = (row: Target): RawBuilder<unknown> =>
  row.audience === null ? subscribers(row) : selectedUsers(row)

/** Those whose subscription covers the advisory in its current state. */
const subscribers = ({ advisory, advisory_id }: Target) => sql`
  select s.user_id, channel, s.id as subscription_id, s.language
  from ${advisory ? sql`jsonb_populate_record(null::travel_advisories, ${JSON.stringify(advisory)}::jsonb)` : sql`travel_advisories`} a
  join advisory_subscriptions s on s.active and a.severity_level = any(s.severity_levels)
    and ${COVERS_COUNTRY} and ${COVERS_TYPE}
    and (a.is_urgent or not s.urgent_only)
  cross join unnest(s.channels) channel
  where ${advisory ? sql`true` : sql`a.id = ${advisory_id}`}`

/** A selected audience, over the channels selected for it. */
function selectedUsers({ audience, channels }: Target): RawBuilder<unknown> {
  const { roles, countries, chapters, users, within } = audience ?? {}
  const conditions = [
    roles && sql`p.role = any(${roles}::text[])`,
    countries && sql`(p.country_code = any(${countries}::text[]) or p.countries && ${countries}::text[])`,
    chapters && sql`p.chapter_id = any(${chapters}::uuid[])`,
    users && sql`p.id = any(${users}::uuid[])`,
    within && withinScope(within),
  ].filter((condition) => condition !== undefined)
  return sql`
    select p.id as user_id, channel, null::uuid as subscription_id, null::text as language
    from user_profiles p cross join unnest(${channels ?? []}::text[]) channel
    where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`false`}`
}

/** Whom a coordinator may notify: travelers and members within the scope, as in the policy profiles_coordinator. */
export const withinScope = ({ everywhere = false, countries = [], chapters = [] }: Within) => sql<boolean>`(
  p.role in ('traveler', 'member') and (${everywhere}::boolean or p.country_code = any(${countries}::text[])
    or p.countries && ${countries}::text[] or p.chapter_id = any(${chapters}::uuid[])))`
