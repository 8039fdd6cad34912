import { Link } from 'react-router'
import { listManagedAdvisories, type ManagedAdvisory, ManagedQuery, STANDINGS } from '#shared/advisories/admin.ts'
import { listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { ADVISORY_TYPES, SEVERITIES } from '#shared/advisories/severity.ts'
import { tableQuery } from '#shared/table.ts'
import { sourceName } from '#web/lib/country-names.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import { nameIn } from '../reader.server.ts'
import { SeverityTag } from '../SeverityTag.tsx'
import { typeText } from '../status-text.ts'
import type { Route } from './+types/AdvisoriesAdminPage'
import styles from './AdvisoriesAdminPage.module.css'
import { AdvisoryTabs } from './AdvisoryTabs.tsx'
import { PublicationStateTag } from './PublicationStateTag.tsx'
import { editPath, MANAGE } from './paths.ts'

export const handle = { ns: ['manage', 'advisory'] } satisfies RouteHandle

const FILTERS = ['search', 'severity_level', 'type', 'source', 'status']

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const query = tableQuery(ManagedQuery, new URL(request.url).searchParams)
  const [list, { sources }] = await Promise.all([
    api(context)(listManagedAdvisories, { query }),
    api(context)(listAdvisorySources),
  ])
  const nameOf = nameIn(language)
  const names = Object.fromEntries(sources.map((source) => [source.id, sourceName(source, nameOf)]))
  return {
    ...list,
    advisories: list.advisories.map((advisory) => ({
      ...advisory,
      source_name: names[advisory.source_id] ?? advisory.source_name,
      countries: advisory.country_codes.map((code) => nameOf(code)),
    })),
    sources: sources.map(({ id, organization }) => ({ value: id, label: `${names[id]} (${organization})` })),
    sort: query.sort ?? '-last_updated',
    csv: `/api/admin/travel-advisories/export?${new URLSearchParams(query as Record<string, string>)}`,
  }
}

type Row = ManagedAdvisory & { countries: string[] }

export default function AdvisoriesAdminPage({ loaderData }: Route.ComponentProps) {
  const t = useT('manage')
  return (
    <AdminPage
      title={t('title')}
      end={
        <ButtonLink look="primary" to={`${MANAGE}/new`}>
          {t('new')}
        </ButtonLink>
      }
    >
      <AdvisoryTabs current="list" />
      <FlashMessage namespace="manage" kinds={{ skipped: 'unknown' }} />
      <Filters sources={loaderData.sources} />
      <AdminTable
        {...loaderData}
        label={t('title')}
        columns={useColumns()}
        rows={loaderData.advisories}
        rowKey={({ id }) => id}
        filters={FILTERS}
        empty={<Note heading="h2" title={t('list_empty')} />}
      />
    </AdminPage>
  )
}

function Filters({ sources }: { sources: { value: string; label: string }[] }) {
  const t = useT('manage')
  const about = useT('advisory')
  const common = useT('common')
  return (
    <AdminTableFilters
      searchLabel={t('search')}
      choices={[
        {
          name: 'severity_level',
          label: t('severity'),
          options: SEVERITIES.map((value) => ({ value, label: common(`severity_${value}`) })),
        },
        {
          name: 'type',
          label: t('type'),
          options: ADVISORY_TYPES.map((value) => ({ value, label: typeText(about, value) })),
        },
        { name: 'source', label: t('source'), options: sources },
        {
          name: 'status',
          label: t('status'),
          options: [
            ...STANDINGS.map((value) => ({ value: value as string, label: t(`publication_${value}`) })),
            { value: 'not_shown', label: t('not_shown') },
            { value: 'pending_level', label: t('pending_level') },
          ],
        },
      ]}
    />
  )
}

function useColumns(): readonly [Column<Row>, ...Column<Row>[]] {
  const t = useT('manage')
  return [
    {
      key: 'title',
      label: t('advisory_title'),
      sort: 'asc',
      cell: (row) => (
        <Link to={editPath(row.id)} className={styles.title}>
          <bdi lang={row.language}>{row.title}</bdi>
        </Link>
      ),
    },
    {
      key: 'severity',
      label: t('severity'),
      sort: 'desc',
      narrow: 'under',
      cell: (row) => (
        <span className={styles.whole}>
          <SeverityTag severity={row.severity_level} isPulsing={false} /> {row.is_urgent && <b>{t('urgent')}</b>}
        </span>
      ),
    },
    {
      key: 'status',
      label: t('status'),
      narrow: 'under',
      cell: (row) => <PublicationStateTag standing={row.standing} removal={row.removal} />,
    },
    { key: 'source', label: t('source'), sort: 'asc', cell: (row) => <bdi>{row.source_name}</bdi> },
    { key: 'countries', label: t('countries'), cell: (row) => <Countries row={row} /> },
    {
      key: 'last_updated',
      label: t('last_updated'),
      sort: 'desc',
      cell: (row) => (
        <span className={styles.whole}>
          <Time value={row.last_updated} precision={row.date_precision} look="day" />
        </span>
      ),
    },
    {
      key: 'expiry_date',
      label: t('expiry_date'),
      sort: 'asc',
      cell: (row) => row.expiry_date && <Time value={row.expiry_date} look="day" />,
    },
    { key: 'version', label: t('version'), isNumber: true, cell: (row) => row.version },
  ]
}

const NAMED = 2

function Countries({ row }: { row: Row }) {
  const t = useT('manage')
  if (row.country_count === 0) return t('worldwide')
  const names = row.countries.slice(0, NAMED).join(t('comma'))
  const more = row.country_count - Math.min(NAMED, row.countries.length)
  return (
    <>
      {names} {more > 0 && t('more_countries', { n: more })}
    </>
  )
}
