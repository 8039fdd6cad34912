import { Link } from 'react-router'
import { KINDS, PRIORITIES } from '#shared/delivery/kinds.ts'
import { getSystemStats } from '#shared/notifications/admin-notifications.ts'
import {
  ANNOUNCEMENT_STATUSES,
  AnnouncementQuery,
  type AnnouncementRow,
  listAnnouncements,
} from '#shared/notifications/announcements.ts'
import { isAdmin } from '#shared/roles.ts'
import { tableQuery } from '#shared/table.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Tiles } from '#web/ui/Tiles.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/AnnouncementsPage'
import styles from './Announcements.module.css'
import { AnnouncementTabs } from './AnnouncementTabs.tsx'
import { ANNOUNCEMENTS, announcementPath } from './paths.ts'
import { StatusLabel } from './StatusLabel.tsx'

export const handle = { ns: ['announcements'] } satisfies RouteHandle

const FILTERS = ['search', 'kind', 'status', 'priority']
const NONE = { announcements: [], total: 0, page: 1, per_page: 50 }

export async function loader({ context, request }: Route.LoaderArgs) {
  const query = tableQuery(AnnouncementQuery, new URL(request.url).searchParams)
  const isForAll = isAdmin(visitorOf(context).user?.role ?? null)
  const { done, error } = await attempt(context, async (call) => ({
    list: await call(listAnnouncements, { query }),
    stats: isForAll ? await call(getSystemStats) : undefined,
  }))
  return {
    ...(done?.list ?? NONE),
    stats: done?.stats,
    isForAll,
    hasFailed: error !== undefined,
    sort: query.sort ?? '-created_at',
  }
}

/** Announcements sent, scheduled, or waiting for approval; coordinators see their own. */
export default function AnnouncementsPage({ loaderData }: Route.ComponentProps) {
  const t = useT('announcements')
  const { isForAll } = loaderData
  return (
    <AdminPage
      title={t('page_title')}
      end={
        <ButtonLink look="primary" to={`${ANNOUNCEMENTS}/new`}>
          {t('new_announcement')}
        </ButtonLink>
      }
    >
      <FlashMessage namespace="announcements" />
      <AnnouncementTabs current="history" />
      {loaderData.stats && <StatTiles stats={loaderData.stats} />}
      <Filters isForAll={isForAll} />
      <AdminTable
        {...loaderData}
        label={t('page_title')}
        columns={useColumns(isForAll)}
        rows={loaderData.announcements}
        rowKey={({ id }) => id}
        filters={FILTERS}
        empty={
          <Note heading="h2" title={t(isForAll ? 'none' : 'none_own')}>
            {t(isForAll ? 'none_text' : 'none_own_text')}
          </Note>
        }
      />
    </AdminPage>
  )
}

function StatTiles({ stats }: { stats: NonNullable<Route.ComponentProps['loaderData']['stats']> }) {
  const t = useT('announcements')
  const language = useLanguage()
  const n = (value: number) => formatNumber(language, value)
  const isOver = stats.deliveryRate > 0 || stats.failedDeliveries > 0
  return (
    <div className={styles.tiles}>
      <Tiles
        label={t('stats')}
        tiles={[
          { key: 'total', label: t('stat_total'), value: n(stats.totalNotifications) },
          { key: 'today', label: t('stat_today'), value: n(stats.sentToday) },
          {
            key: 'pending',
            label: t('stat_pending'),
            value: n(stats.pendingNotifications),
            to: '/admin/outbox?status=pending',
          },
          {
            key: 'failed',
            label: t('stat_failed'),
            value: n(stats.failedDeliveries),
            to: '/admin/outbox?status=failed',
          },
          ...(stats.recordedNotifications > 0
            ? [
                {
                  key: 'recorded',
                  label: t('stat_recorded'),
                  value: n(stats.recordedNotifications),
                  to: '/admin/outbox?status=recorded',
                },
              ]
            : []),
          { key: 'rate', label: t('stat_rate'), value: isOver ? t('percent', { n: n(stats.deliveryRate) }) : '–' },
        ]}
      />
    </div>
  )
}

function Filters({ isForAll }: { isForAll: boolean }) {
  const t = useT('announcements')
  return (
    <AdminTableFilters
      searchLabel={t('search_label')}
      choices={[
        ...(isForAll
          ? [{ name: 'kind', label: t('kind'), options: KINDS.map((value) => ({ value, label: t(`kind_${value}`) })) }]
          : []),
        {
          name: 'status',
          label: t('status'),
          options: ANNOUNCEMENT_STATUSES.map((value) => ({ value, label: t(`status_${value}`) })),
        },
        {
          name: 'priority',
          label: t('priority'),
          options: PRIORITIES.map((value) => ({ value, label: t(`priority_${value}`) })),
        },
      ]}
    />
  )
}

/** For users who see only their own announcements, type and author are omitted. */
function useColumns(isForAll: boolean): readonly [Column<AnnouncementRow>, ...Column<AnnouncementRow>[]] {
  const t = useT('announcements')
  const language = useLanguage()
  const n = (value: number) => formatNumber(language, value)
  return [
    {
      key: 'title',
      label: t('title'),
      cell: ({ id, titles }) => (
        <Link to={announcementPath(id)} className={styles.title}>
          <bdi>{titles[language] || t('untitled')}</bdi>
        </Link>
      ),
    },
    ...(isForAll
      ? [
          {
            key: 'kind',
            label: t('kind'),
            cell: ({ kind }: AnnouncementRow) => t(`kind_${kind}`),
            narrow: 'under',
          } as const,
        ]
      : []),
    {
      key: 'status',
      label: t('status'),
      sort: 'asc',
      cell: ({ status }) => <StatusLabel status={status} />,
      narrow: 'end',
    },
    {
      key: 'priority',
      label: t('priority'),
      sort: 'desc',
      cell: ({ priority }) => t(`priority_${priority}`),
    },
    {
      key: 'people',
      label: t('recipients'),
      sort: 'desc',
      isNumber: true,
      cell: ({ people }) => (people === null ? '' : n(people)),
    },
    {
      key: 'failed',
      label: t('count_failed'),
      isNumber: true,
      cell: ({ failed }) => (failed > 0 ? <span className={styles.bad}>{n(failed)}</span> : ''),
    },
    {
      key: 'created_at',
      label: t('when'),
      sort: 'desc',
      cell: (row) => <Time value={row.told_at ?? row.scheduled_for ?? row.created_at} />,
      narrow: 'under',
    },
    ...(isForAll
      ? [
          {
            key: 'by',
            label: t('created_by'),
            cell: ({ created_by_name }: AnnouncementRow) => <bdi>{created_by_name ?? t('portal_itself')}</bdi>,
          },
        ]
      : []),
  ]
}
