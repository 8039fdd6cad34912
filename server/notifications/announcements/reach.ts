import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { firstOf } from '#shared/assert.ts'
import type { Channel } from '#shared/delivery/kinds.ts'
import { inEachLanguage, type Language } from '#shared/language.ts'
import { audienceQuery, recipientsQuery, type Target } from './recipients.ts'

export interface Reach {
  /** The intended recipients. */
  chosen: number
  /** Those reached by at least one channel. */
  people: number
  channels: ({ channel: Channel; people: number } & Record<Language, number>)[]
}

type Row = { channel: Channel; people: number; languages: Partial<Record<Language, number>> }

/** How many users an announcement would reach now, by the rules of the fan-out. In a transaction of the service. */
export async function estimateRecipients(db: Db, target: Target): Promise<Reach> {
  const { rows } = await sql<Omit<Reach, 'channels'> & { channels: Row[] | null }>`
    with recipients as materialized (select * from (${recipientsQuery(target)}) r where not is_suppressed),
    meant as (${audienceOf(target)}),
    by_channel as (
      select channel, sum(people)::int as people, jsonb_object_agg(language, people) as languages from (
        select channel, language, count(*)::int as people from recipients group by channel, language
      ) c group by channel
    )
    select (select count(*)::int from meant) as chosen, (select count(distinct user_id)::int from recipients) as people,
      (select json_agg(b order by channel) from by_channel b) as channels`.execute(db)
  const { channels, ...counts } = firstOf(rows)
  return {
    ...counts,
    channels: (channels ?? []).map(({ languages, ...row }) => ({
      ...row,
      ...inEachLanguage((of) => languages[of] ?? 0),
    })),
  }
}

interface Named {
  id: string
  name: string
  email: string
}
interface Details {
  unreached: { total: number; people: Named[] }
  portal_only: { total: number; people: Named[] }
  readers: { id: string; name: string; language: Language; time_zone: string | null; country_code: string | null }[]
}

const PORTAL_ONLY_NAMED = 20
const READERS_PER_LANGUAGE = 8

/**
 * Who is behind the numbers: one page of those whom no channel reaches, those whom no message
 * leaves for (the channels `unsent` have no provider), and some readers.
 */
export async function describeRecipients(
  db: Db,
  target: Target,
  { limit, offset, unsent = [] }: { limit: number; offset: number; unsent?: readonly Channel[] },
): Promise<Details> {
  const silent = ['in-app', 'browser', ...unsent]
  const named = sql`jsonb_build_object('id', p.id, 'name', p.display_name, 'email', p.email) as n`
  const { rows } = await sql<Details>`
    with recipients as materialized (select * from (${recipientsQuery(target)}) r where not is_suppressed),
    meant as materialized (${audienceOf(target)}),
    reached as materialized (
      select user_id, min(language) as language, bool_and(channel = any(${silent}::text[])) as is_portal_only
      from recipients group by user_id),
    missed as materialized (select user_id from meant except select user_id from reached),
    -- By name, some of each language.
    sample as (
      select p.id, p.display_name as name, r.language, p.time_zone, p.country_code::text,
        row_number() over (partition by r.language order by p.display_name, p.id) as at
      from reached r join user_profiles p on p.id = r.user_id)
    select jsonb_build_object('total', (select count(*) from missed), 'people', (
        select coalesce(jsonb_agg(n), '[]') from (
          select ${named} from missed m join user_profiles p on p.id = m.user_id
          order by p.display_name, p.id limit ${limit} offset ${offset}) u)) as unreached,
      jsonb_build_object('total', (select count(*) from reached where is_portal_only), 'people', (
        select coalesce(jsonb_agg(n), '[]') from (
          select ${named} from reached r join user_profiles p on p.id = r.user_id where is_portal_only
          order by p.display_name, p.id limit ${PORTAL_ONLY_NAMED}) u)) as portal_only,
      (select coalesce(jsonb_agg(to_jsonb(s) - 'at' order by s.at, s.language), '[]') from sample s
        where s.at <= ${READERS_PER_LANGUAGE}) as readers`.execute(db)
  return firstOf(rows)
}

const audienceOf = (target: Target) => sql`
  select distinct m.user_id from (${audienceQuery(target)}) m
  join user_profiles p on p.id = m.user_id and p.profile_status in ('active', 'pending')`
