import { Link } from 'react-router'
import { listRollCalls } from '#shared/roll-calls/endpoints.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/RollCallsPage'
import { ROLL_CALLS, rollCallPath } from './paths.ts'
import styles from './RollCallsPage.module.css'

export const handle = { ns: ['rollCalls'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const page = Number(new URL(request.url).searchParams.get('page')) || 1
  const { done, error } = await attempt(context, (call) => call(listRollCalls, { query: { page } }))
  const nameOf = nameIn(language)
  const list = done ?? { roll_calls: [], total: 0, page: 1, per_page: 30 }
  return {
    ...list,
    roll_calls: list.roll_calls.map((row) => ({
      ...row,
      places: [...row.country_codes.map((code) => nameOf(code)), row.chapter_name].filter((name) => name !== null),
    })),
    hasFailed: error !== undefined,
  }
}

/** Roll calls within the scope of the user's role, open ones first. */
export default function RollCallsPage({ loaderData }: Route.ComponentProps) {
  const t = useT('rollCalls')
  const add = (
    <ButtonLink look="primary" to={`${ROLL_CALLS}/new`}>
      {t('new')}
    </ButtonLink>
  )
  return (
    <AdminPage title={t('title')} end={loaderData.total > 0 && add}>
      <p className={styles.text}>{t('intro')}</p>
      <AdminTable
        {...loaderData}
        label={t('title')}
        columns={useColumns()}
        rows={loaderData.roll_calls}
        rowKey={({ id }) => id}
        filters={[]}
        empty={
          <Note heading="h2" kind="unknown" title={t('none_title')} action={add}>
            <p>{t('none_text')}</p>
          </Note>
        }
      />
    </AdminPage>
  )
}

type Row = Route.ComponentProps['loaderData']['roll_calls'][number]

function useColumns(): readonly [Column<Row>, ...Column<Row>[]] {
  const t = useT('rollCalls')
  const language = useLanguage()
  const number = (key: 'asked' | 'safe' | 'not_there' | 'silent', narrow?: 'end'): Column<Row> => ({
    key,
    label: t(`tile_${key}`),
    isNumber: true,
    ...(narrow ? { narrow } : {}),
    cell: ({ counts }) => formatNumber(language, counts[key]),
  })
  return [
    {
      key: 'title',
      label: t('column_title'),
      cell: (row) => (
        <Link to={rollCallPath(row.id)}>
          <bdi>{row.title}</bdi>
        </Link>
      ),
    },
    {
      key: 'help',
      label: t('tile_help'),
      isNumber: true,
      narrow: 'end',
      cell: ({ counts }) => (
        <span className={counts.need_help > 0 ? styles.bad : undefined}>
          {formatNumber(language, counts.need_help)}
        </span>
      ),
    },
    number('silent'),
    number('safe'),
    number('not_there'),
    number('asked'),
    {
      key: 'places',
      label: t('field_countries'),
      narrow: 'under',
      cell: ({ places }) => <bdi>{places.join(t('comma'))}</bdi>,
    },
    {
      key: 'started',
      label: t('column_started'),
      narrow: 'under',
      cell: ({ started_at }) => <Time value={started_at} look="relative" />,
    },
    {
      key: 'state',
      label: t('column_state'),
      narrow: 'under',
      cell: ({ ended_at }) => <Tag>{t(ended_at ? 'closed' : 'open')}</Tag>,
    },
  ]
}
