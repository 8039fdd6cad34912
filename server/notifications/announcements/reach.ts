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

/** Intended recipients whom no channel reaches, by name: one page and the total. */
export async function findUnreached(db: Db, target: Target, page: { limit: number; offset: number }) {
  const unreached = sql`
    with recipients as materialized (select * from (${recipientsQuery(target)}) r where not is_suppressed)
    select p.id, p.display_name as name, p.email from (${audienceOf(target)}) m
    join user_profiles p on p.id = m.user_id
    where not exists (select from recipients r where r.user_id = p.id)`
  const { rows: people } = await sql<{ id: string; name: string; email: string }>`
    ${unreached} order by p.display_name, p.id limit ${page.limit} offset ${page.offset}`.execute(db)
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${unreached}) u`.execute(db)
  return { people, total: firstOf(rows).total }
}

const audienceOf = (target: Target) => sql`
  select distinct m.user_id from (${audienceQuery(target)}) m
  join user_profiles p on p.id = m.user_id and p.profile_status in ('active', 'pending')`
