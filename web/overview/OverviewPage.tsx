import { getAdvisoryStatistics, listAdvisories, listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { getOverview } from '#shared/overview/endpoints.ts'
import { getRollCallBoard } from '#shared/roll-calls/endpoints.ts'
import { cardsIn } from '#web/advisories/reader.server.ts'
import { readableEntries } from '#web/audit/entries.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, userOf, visitorOf } from '#web/lib/visitor.ts'
import { RollCallBoard } from '#web/roll-calls/RollCallBoard.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/OverviewPage'
import { AlarmNotes } from './AlarmNotes.tsx'
import { CallsForHelp } from './CallsForHelp.tsx'
import { callsForHelp } from './calls.server.ts'
import { DoFirst } from './DoFirst.tsx'
import styles from './Overview.module.css'
import { OverviewTiles } from './OverviewTiles.tsx'
import { overviewTiles } from './overview.ts'
import { RecentActivity } from './RecentActivity.tsx'
import { SourcesPanel } from './SourcesPanel.tsx'
import { namedSources } from './sources.server.ts'
import { UrgentPanel } from './UrgentPanel.tsx'
import { useDashboardUpdates } from './useDashboardUpdates.ts'
import { useWaitingUpdates } from './useWaitingUpdates.ts'

const URGENT_SHOWN = 10

export const handle = { ns: ['rollCalls'] } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const { language, now } = visitorOf(context)
  const call = api(context)
  const [overview, { by_severity, total }, { sources }, urgent, board, calls] = await Promise.all([
    call(getOverview),
    call(getAdvisoryStatistics),
    call(listAdvisorySources),
    call(listAdvisories, { query: { urgent: 'true', limit: URGENT_SHOWN } }),
    call(getRollCallBoard),
    callsForHelp(context),
  ])
  const named = namedSources(sources, language)
  return {
    board,
    calls,
    me: userOf(context).id,
    made_at: now.toISOString(),
    tiles: overviewTiles({ ...overview, sources: named, urgent: urgent.total, total }),
    waiting: { ...overview, sources: named.filter(({ state }) => state === 'not_confirmed') },
    levels: SEVERITIES.map((severity) => ({ severity, count: by_severity[severity] ?? 0 })),
    alarms: overview.alarms,
    activity: readableEntries(language, overview.activity),
    sources: named,
    urgent: cardsIn(language, urgent.advisories),
    urgent_total: urgent.total,
  }
}

/**
 * Pending work, most urgent first, and the state of the portal. The same page on /admin and /admin/dashboard (C-54).
 */
export default function OverviewPage({ loaderData }: Route.ComponentProps) {
  const t = useT('admin')
  useDashboardUpdates()
  useWaitingUpdates()
  const { board, calls, me, made_at, tiles, waiting, levels, activity, sources, urgent, urgent_total, alarms } =
    loaderData
  return (
    <AdminPage title={t('overview_title')} end={<Time value={made_at} />}>
      <CallsForHelp found={calls} me={me} />
      <AlarmNotes alarms={alarms} />
      <RollCallBoard board={board} />
      <OverviewTiles tiles={tiles} />
      <div className={styles.columns}>
        <div className={styles.stack}>
          <DoFirst waiting={waiting} />
          <RecentActivity activity={activity} />
        </div>
        <div className={styles.stack}>
          <SourcesPanel sources={sources} />
          <UrgentPanel title={t('urgent_title')} advisories={urgent} total={urgent_total} levels={levels} />
        </div>
      </div>
    </AdminPage>
  )
}
