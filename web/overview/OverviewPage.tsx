import { listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { getOverview } from '#shared/overview/endpoints.ts'
import { readableEntries } from '#web/audit/entries.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, ifReadable, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/OverviewPage'
import { CallsByCountry } from './CallsByCountry.tsx'
import { callsMap } from './calls-map.server.ts'
import { DeliveriesPanel } from './DeliveriesPanel.tsx'
import styles from './Overview.module.css'
import { OverviewTiles } from './OverviewTiles.tsx'
import { overviewTiles } from './overview.ts'
import { QueuePanel } from './QueuePanel.tsx'
import { queueFor } from './queue.server.ts'
import { RecentActivity } from './RecentActivity.tsx'
import { SourcesPanel } from './SourcesPanel.tsx'
import { namedSources } from './sources.server.ts'
import { useDashboardUpdates } from './useDashboardUpdates.ts'
import { useWaitingUpdates } from './useWaitingUpdates.ts'

const HERE = '/admin'

export const handle = { ns: ['queue', 'charts'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language, now } = visitorOf(context)
  const [queue, overview, { sources }] = await Promise.all([
    queueFor(context, request),
    // The queue is shown also while something else cannot be read.
    ifReadable(context, (call) => call(getOverview)),
    api(context)(listAdvisorySources),
  ])
  const named = namedSources(sources, language)
  return {
    queue,
    map: callsMap(queue.countries),
    made_at: now.toISOString(),
    tiles: overview ? overviewTiles({ ...overview, sources: named }) : [],
    activity: overview ? readableEntries(language, overview.activity) : null,
    deliveries: overview?.deliveries ?? null,
    sources: named,
  }
}

/** What waits, worst first, and the state of the portal. The same page on /admin and /admin/dashboard (C-54). */
export default function OverviewPage({ loaderData }: Route.ComponentProps) {
  const t = useT('admin')
  const tQueue = useT('queue')
  useDashboardUpdates()
  useWaitingUpdates()
  const { queue, map, made_at, tiles, activity, deliveries, sources } = loaderData
  return (
    <AdminPage title={t('overview_title')} end={<Time value={made_at} />}>
      {tiles.length > 0 && <OverviewTiles tiles={tiles} />}
      <div className={styles.columns}>
        <QueuePanel title={tQueue('title')} queue={queue} path={HERE} />
        <div className={styles.stack}>
          <CallsByCountry countries={queue.countries} map={map} path={HERE} />
          {deliveries && <DeliveriesPanel days={deliveries} />}
          <SourcesPanel sources={sources} />
        </div>
      </div>
      {activity && (
        <div className={styles.below}>
          <RecentActivity activity={activity} />
        </div>
      )}
    </AdminPage>
  )
}
