import { Link } from 'react-router'
import { DISCREET_MODES } from '#shared/churches/discretion.ts'
import { LOCALE_STATUSES } from '#shared/churches/entry.ts'
import { listManagedLocales, type ManagedLocale, ManagedLocaleQuery, MISSING } from '#shared/churches/managed-list.ts'
import { tableQuery } from '#shared/table.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Tag, UnknownTag } from '#web/ui/Chip.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/LocalesAdminPage'
import styles from './Admin.module.css'
import { countriesIn } from './choices.server.ts'
import { LOCALES, localePath } from './paths.ts'

export const handle = { ns: ['manageChurches'] } satisfies RouteHandle

const FILTERS = ['search', 'country', 'status', 'public', 'mode', 'missing', 'chapter']
const NONE = { locales: [], total: 0, page: 1, per_page: 50 }

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const query = tableQuery(ManagedLocaleQuery, new URL(request.url).searchParams)
  const { done, error } = await attempt(context, (call) => call(listManagedLocales, { query }))
  const list = done ?? NONE
  const nameOf = nameIn(language)
  return {
    ...list,
    locales: list.locales.map((row) => ({
      ...row,
      country: row.country_code ? nameOf(row.country_code) : null,
      elsewhere: row.located_in && row.located_in !== row.country_code ? nameOf(row.located_in) : null,
    })),
    hasFailed: error !== undefined,
    countries: countriesIn(language).map(({ code, name }) => ({ value: code, label: name })),
    sort: query.sort ?? 'name',
    csv: `/api/locales/export?${new URLSearchParams(query as Record<string, string>)}`,
  }
}

type Row = ManagedLocale & {
  country: string | null
  /** Country its point lies in, if other than the country it names. */
  elsewhere: string | null
}

export default function LocalesAdminPage({ loaderData }: Route.ComponentProps) {
  const t = useT('manageChurches')
  return (
    <AdminPage
      title={t('locales')}
      end={
        <>
          <ButtonLink to={`${LOCALES}/discretion`}>{t('discretion')}</ButtonLink>
          <ButtonLink to={`${LOCALES}/import`}>{t('import')}</ButtonLink>
          <ButtonLink look="primary" to={`${LOCALES}/new`}>
            {t('new_locale')}
          </ButtonLink>
        </>
      }
    >
      <FlashMessage namespace="manageChurches" />
      <Filters countries={loaderData.countries} />
      <AdminTable
        {...loaderData}
        label={t('locales')}
        columns={useColumns()}
        rows={loaderData.locales}
        rowKey={({ id }) => id}
        filters={FILTERS}
        empty={<Note heading="h2" title={t('locales_none')} />}
      />
    </AdminPage>
  )
}

function Filters({ countries }: { countries: { value: string; label: string }[] }) {
  const t = useT('manageChurches')
  return (
    <AdminTableFilters
      searchLabel={t('locales_search')}
      choices={[
        { name: 'country', label: t('country_code'), options: countries },
        {
          name: 'status',
          label: t('locale_status'),
          options: LOCALE_STATUSES.map((value) => ({ value, label: t(`status_${value}`) })),
        },
        {
          name: 'public',
          label: t('is_public'),
          options: (['yes', 'no'] as const).map((value) => ({ value, label: t(`public_${value}`) })),
        },
        {
          name: 'mode',
          label: t('discreet_mode'),
          options: DISCREET_MODES.map((value) => ({ value, label: t(`mode_${value}`) })),
        },
        {
          name: 'missing',
          label: t('missing'),
          options: MISSING.map((value) => ({ value, label: t(`missing_${value}`) })),
        },
      ]}
    />
  )
}

function useColumns(): readonly [Column<Row>, ...Column<Row>[]] {
  const t = useT('manageChurches')
  return [
    {
      key: 'name',
      label: t('name'),
      sort: 'asc',
      cell: (row) => (
        <Link to={localePath(row.id)} className={styles.name}>
          <bdi>{row.name}</bdi>
        </Link>
      ),
    },
    {
      key: 'city',
      label: t('city'),
      sort: 'asc',
      narrow: 'under',
      cell: (row) => <bdi>{[row.city, row.state_province].filter(Boolean).join(t('comma'))}</bdi>,
    },
    { key: 'country_code', label: t('country_code'), sort: 'asc', narrow: 'under', cell: (row) => row.country },
    { key: 'marks', label: t('marks'), narrow: 'under', cell: (row) => <Marks row={row} /> },
    {
      key: 'confirmed_at',
      label: t('confirmed_at'),
      sort: 'asc',
      cell: (row) => (
        <span className={styles.whole}>
          {row.confirmed_at ? <Time value={row.confirmed_at} look="day" /> : t('never')}
        </span>
      ),
    },
    {
      key: 'updated_at',
      label: t('updated_at'),
      sort: 'desc',
      cell: (row) => (
        <span className={styles.whole}>
          <Time value={row.updated_at} look="day" />
        </span>
      ),
    },
  ]
}

/** What is unusual about a locale; empty if all is well. */
function Marks({ row }: { row: Row }) {
  const t = useT('manageChurches')
  const isUsual = row.locale_status === 'active' && row.is_public && row.mode === 'exact'
  if (isUsual && row.latitude !== null && row.timezone !== null && row.country_code !== null) return null
  return (
    <span className={styles.marks}>
      {row.locale_status !== 'active' && <Tag>{t(`status_${row.locale_status}`)}</Tag>}
      {!row.is_public && <Tag>{t('public_no')}</Tag>}
      {row.mode !== 'exact' && <Tag>{t(`mode_${row.mode}`)}</Tag>}
      {row.mode !== 'exact' && row.elsewhere && <UnknownTag>{t('point_in', { country: row.elsewhere })}</UnknownTag>}
      {row.latitude === null && <UnknownTag>{t('missing_coordinates')}</UnknownTag>}
      {row.timezone === null && <UnknownTag>{t('missing_time_zone')}</UnknownTag>}
      {row.country_code === null && <UnknownTag>{t('missing_country')}</UnknownTag>}
    </span>
  )
}
