import type { AdvisoryModel } from '#server/advisories/model.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { Router } from '#server/http/router.ts'
import type { OutputOf } from '#shared/api.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { getStatus, MONITOR_CAUSES, STATUS_SECONDS } from '#shared/notifications/status.ts'
import { STATS_DAYS } from '../announcements/stats.ts'

type StatusData = Omit<OutputOf<'GET /public/status'>, 'sources' | 'unsent_channels'>

/** The public status page: the portal's delivery targets and measured results. */
export function status(router: Router, deps: { model: AdvisoryModel; unsentChannels: MessageChannel[] }) {
  let cached: { at: number; value: StatusData } | undefined
  let reading: Promise<StatusData> | undefined

  /** One small query a minute for any number of readers; the last result while the database is unavailable. */
  async function currentStatus(database: Database, now: Date): Promise<StatusData> {
    const age = cached ? now.getTime() - cached.at : Number.POSITIVE_INFINITY
    if (cached && age >= 0 && age < STATUS_SECONDS * 1_000) return cached.value
    reading ??= withClaims(database, { as: 'service', name: 'status' }, readStatus).finally(() => {
      reading = undefined
    })
    try {
      cached = { at: now.getTime(), value: await reading }
    } catch (error) {
      if (!cached) throw error
    }
    return cached.value
  }

  router.act(getStatus, async ({ database, now }) => ({
    ...(await currentStatus(database, now)),
    unsent_channels: deps.unsentChannels,
    sources: deps.model.sources(now).map((source) => ({
      id: source.id,
      name: source.name,
      organization: source.organization,
      authority: source.authority,
      country_code: source.country_code,
      state: source.state,
      reading: source.reading,
      last_success_at: source.last_success_at,
      last_change_at: source.last_change_at,
      not_confirmed_since: source.not_confirmed_since,
      captured_on: source.captured_on,
      interval_seconds: source.interval_seconds,
    })),
  }))
}

async function readStatus(db: Db): Promise<StatusData> {
  const rows = await db.selectFrom('delivery_stats').selectAll().orderBy('scope', 'desc').orderBy('channel').execute()
  const alarms = await db
    .selectFrom('delivery_monitor_alarms')
    .select(['cause', 'raised_at'])
    .where('cause', 'in', MONITOR_CAUSES)
    .where('cleared_at', 'is', null)
    .orderBy('raised_at')
    .execute()
  return {
    days: STATS_DAYS,
    measured_at: rows[0]?.measured_at.toISOString() ?? null,
    figures: rows.map(({ measured_at: _, days: __, sent, sent_p50, sent_p95, ...row }) => ({
      ...row,
      ...{ handed_over: sent, handed_over_p50: sent_p50, handed_over_p95: sent_p95 },
    })),
    // Which advisories they concern is visible to administrators only.
    alarms: alarms.map(({ cause, raised_at }) => ({
      cause: cause as (typeof MONITOR_CAUSES)[number],
      raised_at: raised_at.toISOString(),
    })),
    proof: await findProof(db),
  }
}

async function findProof(db: Db): Promise<StatusData['proof']> {
  const latest = await db
    .selectFrom('announcements as a')
    .select(['a.id', 'a.created_at', 'a.sent_at'])
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('delivery_monitor_checks').whereRef('announcement_id', '=', 'a.id').select('channel')),
    )
    .orderBy('a.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!latest) return null
  const channels = await db
    .selectFrom('delivery_monitor_checks')
    .select(['channel', 'sent_at', 'delivered_at'])
    .where('announcement_id', '=', latest.id)
    .orderBy('channel')
    .execute()
  const iso = (date: Date | null) => date?.toISOString() ?? null
  return {
    announced_at: latest.created_at.toISOString(),
    told_at: iso(latest.sent_at),
    channels: channels.map((row) => ({
      channel: row.channel,
      handed_over_at: iso(row.sent_at),
      delivered_at: iso(row.delivered_at),
    })),
  }
}
