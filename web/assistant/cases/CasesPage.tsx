import { Link, useSearchParams } from 'react-router'
import { CASE_STATUSES, listCases } from '#shared/assistant/cases.ts'
import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { tableQuery } from '#shared/table.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/CasesPage'
import styles from './Cases.module.css'
import { CASES } from './paths.ts'

export const handle = { ns: ['cases'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const query = tableQuery(listCases.query, new URL(request.url).searchParams)
  const { done, error } = await attempt(context, (call) => call(listCases, { query }))
  const nameOf = nameIn(language)
  const list = done ?? { cases: [], total: 0, page: 1, per_page: 50 }
  return {
    ...list,
    cases: list.cases.map(({ id, reference, kind, dangers, country_code, ...row }) => ({
      id,
      reference,
      kind,
      dangers,
      place: country_code && nameOf(country_code),
      language: ASSISTANT_LANGUAGES[row.language].native_name,
      messages: row.is_group ? row.entry_count : null,
      status: row.status,
      taken_by_name: row.taken_by_name,
      created_at: row.created_at,
    })),
    hasFailed: error !== undefined,
  }
}

/** Cases handed over by the assistant, in the user's areas: danger first. */
export default function CasesPage({ loaderData }: Route.ComponentProps) {
  const t = useT('cases')
  const chosen = useSearchParams()[0].get('status')
  return (
    <AdminPage title={t('title')}>
      <p className={styles.intro}>{t('intro')}</p>
      <Tabs
        label={t('filter_status')}
        tabs={[undefined, ...CASE_STATUSES].map((status) => ({
          key: status ?? 'all',
          label: t(status ? `status_${status}` : 'status_all'),
          to: status ? `${CASES}?status=${status}` : CASES,
          isCurrent: chosen === (status ?? null),
        }))}
      />
      <AdminTable
        {...loaderData}
        label={t('title')}
        columns={useColumns()}
        rows={loaderData.cases}
        rowKey={({ id }) => id}
        filters={['status']}
        empty={
          <Note heading="h2" kind="unknown" title={t('none_title')}>
            <p>{t('none_text')}</p>
          </Note>
        }
      />
    </AdminPage>
  )
}

type Row = Route.ComponentProps['loaderData']['cases'][number]

function useColumns(): readonly [Column<Row>, ...Column<Row>[]] {
  const t = useT('cases')
  const language = useLanguage()
  return [
    {
      key: 'kind',
      label: t('column_kind'),
      cell: ({ id, kind, dangers, status, messages }) => (
        <>
          <span className={kind === 'danger' && status === 'open' ? styles.danger : undefined}>
            {kind === 'danger' && <Icon name="emergency" />}{' '}
            <Link to={`${CASES}/${id}`}>{messages === null ? t(`kind_${kind}`) : t('kind_group')}</Link>
          </span>
          {messages !== null && (
            <span className={styles.signs}>
              {t('messages', { count: messages, n: formatNumber(language, messages) })}
            </span>
          )}
          {dangers.length > 0 && (
            <span className={styles.signs}>{dangers.map((danger) => t(`danger_${danger}`)).join(' · ')}</span>
          )}
        </>
      ),
    },
    {
      key: 'status',
      label: t('column_status'),
      narrow: 'end',
      cell: ({ status }) => <Tag>{t(`status_${status}`)}</Tag>,
    },
    {
      key: 'country',
      label: t('column_country'),
      narrow: 'under',
      cell: ({ place }) => <bdi>{place ?? t('country_unknown')}</bdi>,
    },
    { key: 'language', label: t('column_language'), narrow: 'under', cell: ({ language }) => <bdi>{language}</bdi> },
    {
      key: 'since',
      label: t('column_since'),
      narrow: 'under',
      cell: ({ created_at }) => <Time value={created_at} look="relative" />,
    },
    {
      key: 'taken',
      label: t('column_taken'),
      cell: ({ status, taken_by_name }) => (status === 'open' ? '–' : <bdi>{taken_by_name ?? t('unknown_user')}</bdi>),
    },
    { key: 'reference', label: t('column_reference'), cell: ({ reference }) => <bdi dir="ltr">{reference}</bdi> },
  ]
}
