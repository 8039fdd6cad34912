import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { helpersFor } from '#server/roll-calls/helpers.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import type { AdminLanguage } from '#shared/language.ts'
import caseTexts from './case-texts.json' with { type: 'json' }
import { NOBODY } from './helper-notification.ts'
import { caseLimits } from './limits.ts'
import { fill } from './template.ts'
import { countryName, textsOf } from './texts.ts'

/** A burst that resumes within this time is the same one and raises no second alarm. */
const SAME_BURST_MINUTES = 60
/** Per-minute counts are deleted after the longest configurable time. */
const ARRIVALS_RETENTION_HOURS = 24

/**
 * Counts calls for help without an account. Above the configured number within the configured time they form a burst,
 * which raises one alarm to the administrators and the coordinators of the country. Runs in the transaction `db` of the
 * service.
 */
export async function countArrivals(db: Db, country: string | null, more: number, now: Date): Promise<void> {
  const code = country ?? ''
  await sql`
    insert into case_arrivals as a (country_code, minute, count) values (${code}, date_trunc('minute', ${now}::timestamptz), ${more}::int)
    on conflict (country_code, minute) do update set count = a.count + excluded.count`.execute(db)
  const { burstCount, burstMinutes } = await caseLimits(db)
  const count = await arrivalsOf(db, code, burstMinutes, now)
  if (burstCount === 0 || count < burstCount) return
  await sql`select pg_advisory_xact_lock(hashtext(${`case burst ${code}`}))`.execute(db)
  const { rows } = await sql<{ is_new: boolean }>`
    with was as (select ended_at from case_bursts where country_code = ${code}),
    burst as (insert into case_bursts as f (country_code, started_at, count) values (${code}, ${now}, ${count})
      on conflict (country_code) do update set count = greatest(excluded.count, case when f.ended_at is null then f.count else 0 end),
        started_at = case when f.ended_at < ${now}::timestamptz - make_interval(mins => ${SAME_BURST_MINUTES})
          then excluded.started_at else f.started_at end,
        ended_at = null returning 1)
    select not exists (select from was where ended_at is null or
      ended_at >= ${now}::timestamptz - make_interval(mins => ${SAME_BURST_MINUTES})) as is_new from burst`.execute(db)
  if (rows[0]?.is_new) await announceBurst(db, country, { count, minutes: burstMinutes }, now)
}

async function arrivalsOf(db: Db, code: string, minutes: number, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('case_arrivals')
    .select(sql<number>`coalesce(sum(count), 0)::int`.as('count'))
    .where('country_code', '=', code)
    .where('minute', '>', new Date(now.valueOf() - minutes * 60_000))
    .where('minute', '<=', now)
    .executeTakeFirstOrThrow()
  return count
}

async function announceBurst(
  db: Db,
  country: string | null,
  { count, minutes }: Record<'count' | 'minutes', number>,
  now: Date,
) {
  const helpers = await helpersFor(db, { user_id: NOBODY, country_code: country, chapter_id: null }, now)
  if (helpers.length === 0) return
  const text = (language: AdminLanguage) => {
    const texts = caseTexts[language]
    const name = countryName(language, country)
    return {
      title: fill(texts.title_burst, { place: name ? fill(texts.from_country, { country: name }) : '' }),
      message: fill(texts.message_burst, { count: String(count), minutes: String(minutes) }),
    }
  }
  await announce(db, {
    key: `assistant-cases-burst ${country ?? '-'} ${now.toISOString()}`,
    kind: 'roll_call',
    priority: 'urgent',
    template: 'assistant-case',
    texts: textsOf(text),
    actionUrl: '/admin/assistant/cases?status=open',
    audience: { users: helpers.map(({ id }) => id) },
    channels: [...CHANNELS],
  })
}

/** Ends bursts that have subsided and deletes old counts. */
export async function endBursts(database: Database, now = new Date()): Promise<void> {
  await inBackground(database, 'case bursts', async (db) => {
    const { burstCount, burstMinutes } = await caseLimits(db)
    const open = await db.selectFrom('case_bursts').select('country_code').where('ended_at', 'is', null).execute()
    for (const { country_code } of open) {
      // Half the starting threshold, to avoid flapping.
      if ((await arrivalsOf(db, country_code, burstMinutes, now)) * 2 >= Math.max(1, burstCount)) continue
      await db
        .updateTable('case_bursts')
        .set({ ended_at: now })
        .where('country_code', '=', country_code)
        .where('ended_at', 'is', null)
        .execute()
    }
    await db
      .deleteFrom('case_arrivals')
      .where('minute', '<', new Date(now.valueOf() - ARRIVALS_RETENTION_HOURS * 3_600_000))
      .execute()
  })
}
