import { Link } from 'react-router'
import {
  CHAPTER_STATUSES,
  type Chapter,
  ChapterQuery,
  COMPLIANCE_STATUSES,
  countMfa,
  listChapterChoices,
  listChapters,
} from '#shared/churches/chapters.ts'
import { isAdmin } from '#shared/roles.ts'
import { tableQuery } from '#shared/table.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/ChaptersPage'
import styles from './Admin.module.css'
import { countriesIn } from './choices.server.ts'
import { CHAPTERS, chapterPath } from './paths.ts'

export const handle = { ns: ['manageChurches'] } satisfies RouteHandle

const FILTERS = ['search', 'country', 'chapter_status', 'compliance_status', 'coordinator_id']
const ROWS = 50

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language, user } = visitorOf(context)
  const query = tableQuery(ChapterQuery, new URL(request.url).searchParams)
  const { done, error } = await attempt(context, async (call) => ({
    list: await call(listChapters, { query: { per_page: ROWS, ...query } }),
    ...(await call(countMfa)),
    ...(await call(listChapterChoices)),
  }))
  const nameOf = nameIn(language)
  const list = done?.list ?? { chapters: [], total: 0, page: 1, per_page: ROWS }
  return {
    ...list,
    chapters: list.chapters.map((row) => ({ ...row, country: row.country_code && nameOf(row.country_code) })),
    stats: done?.stats,
    coordinators: (done?.coordinators ?? []).map(({ id, display_name }) => ({ value: id, label: display_name })),
    countries: countriesIn(language).map(({ code, name }) => ({ value: code, label: name })),
    hasFailed: error !== undefined,
    mayMake: isAdmin(user?.role ?? null),
    sort: query.sort ?? 'chapter_name',
  }
}

export default function ChaptersPage({ loaderData }: Route.ComponentProps) {
  const t = useT('manageChurches')
  const language = useLanguage()
  const { stats, mayMake } = loaderData
  return (
    <AdminPage
      title={t('chapters')}
      end={
        mayMake && (
          <ButtonLink look="primary" to={`${CHAPTERS}/new`}>
            {t('new_chapter')}
          </ButtonLink>
        )
      }
    >
      <FlashMessage namespace="manageChurches" />
      {stats && (
        <p className={styles.text}>
          {t('chapters_stats', {
            active: formatNumber(language, stats.active_chapters),
            members: formatNumber(language, stats.members),
            travelers: formatNumber(language, stats.active_travelers),
            review: formatNumber(language, stats.non_compliant_chapters + stats.chapters_under_review),
          })}
        </p>
      )}
      <AdminTableFilters
        searchLabel={t('chapters_search')}
        choices={[
          { name: 'country', label: t('country_code'), options: loaderData.countries },
          {
            name: 'chapter_status',
            label: t('chapter_status'),
            options: CHAPTER_STATUSES.map((value) => ({ value, label: t(`chapter_${value}`) })),
          },
          {
            name: 'compliance_status',
            label: t('compliance_status'),
            options: COMPLIANCE_STATUSES.map((value) => ({ value, label: t(`compliance_${value}`) })),
          },
          // Coordinators cannot see one another.
          ...(mayMake ? [{ name: 'coordinator_id', label: t('coordinator'), options: loaderData.coordinators }] : []),
        ]}
      />
      <AdminTable
        {...loaderData}
        label={t('chapters')}
        columns={useColumns()}
        rows={loaderData.chapters}
        rowKey={({ id }) => id}
        filters={FILTERS}
        empty={<Note heading="h2" title={t(mayMake ? 'chapters_none' : 'chapters_none_own')} />}
      />
    </AdminPage>
  )
}

function useColumns(): readonly [Column<Chapter>, ...Column<Chapter>[]] {
  const t = useT('manageChurches')
  const language = useLanguage()
  return [
    {
      key: 'chapter_name',
      label: t('name'),
      sort: 'asc',
      cell: (row) => (
        <Link to={chapterPath(row.id)} className={styles.name}>
          <bdi>{row.chapter_name}</bdi>
        </Link>
      ),
    },
    { key: 'city', label: t('city'), sort: 'asc', narrow: 'under', cell: (row) => <bdi>{row.city}</bdi> },
    { key: 'country_code', label: t('country_code'), sort: 'asc', narrow: 'under', cell: (row) => row.country },
    {
      key: 'marks',
      label: t('chapter_status'),
      narrow: 'under',
      cell: (row) => (
        <span className={styles.marks}>
          <Tag>{t(`chapter_${row.chapter_status}`)}</Tag>
          {row.compliance_status !== 'compliant' && <Tag>{t(`compliance_${row.compliance_status}`)}</Tag>}
        </span>
      ),
    },
    { key: 'contact', label: t('contact_person'), cell: (row) => <bdi>{row.contact_person}</bdi> },
    { key: 'coordinator', label: t('coordinator'), cell: (row) => <bdi>{row.coordinator_name}</bdi> },
    {
      key: 'membership_count',
      label: t('membership_count'),
      sort: 'desc',
      isNumber: true,
      cell: (row) => formatNumber(language, row.membership_count),
    },
    {
      key: 'travelers',
      label: t('active_travelers_count'),
      isNumber: true,
      narrow: 'end',
      cell: (row) => formatNumber(language, row.active_travelers_count),
    },
  ]
}
