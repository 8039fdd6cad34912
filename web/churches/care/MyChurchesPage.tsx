import { Link, useSearchParams } from 'react-router'
import {
  CareFilters,
  listCorrections,
  listMyChurches,
  listVisitorMessages,
  type MyChurch,
  QUEUE_PER_PAGE,
} from '#shared/churches/care.ts'
import { tableQuery } from '#shared/table.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { translator, useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { TableFoot } from '#web/ui/AdminTableFooter.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import type { Route } from './+types/MyChurchesPage'
import styles from './Care.module.css'
import { Corrections } from './Corrections.tsx'
import { Freshness } from './Freshness.tsx'
import { Messages } from './Messages.tsx'

export const handle = { ns: ['care', 'forms'] } satisfies RouteHandle
export { actOnCare as action } from './actions.server.ts'

const EMPTY = {
  locales: [],
  total: 0,
  page: 1,
  per_page: 50,
  counts: { all: 0, due: 0, closed: 0, corrections: 0, messages: 0 },
}
const TABS = ['churches', 'messages', 'corrections'] as const
const DONE = ['apply', 'decline', 'answered'] as const

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const params = new URL(request.url).searchParams
  const query = tableQuery(CareFilters, params)
  const tab = TABS.find((known) => known === params.get('tab')) ?? 'churches'
  const list = await attempt(context, (call) => call(listMyChurches, { query: tab === 'churches' ? query : {} }))
  const nameOf = nameIn(language)
  const locales = (list.done ?? EMPTY).locales.map((locale) => ({
    ...locale,
    place: [locale.city, locale.country_code && nameOf(locale.country_code)].filter(Boolean).join(' · '),
  }))
  const page = { query: query.page ? { page: query.page } : {} }
  return {
    title: translator(language, 'care')('my_title'),
    tab,
    list: { ...(list.done ?? EMPTY), locales },
    hasFailed: list.error !== undefined,
    messages: tab === 'messages' ? await api(context)(listVisitorMessages, page) : null,
    corrections: tab === 'corrections' ? await api(context)(listCorrections, page) : null,
  }
}

/** Churches in the user's care, with corrections and messages from visitors. */
export default function MyChurchesPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('care')
  const language = useLanguage()
  const [params] = useSearchParams()
  const { tab, list, hasFailed, messages, corrections } = loaderData
  const counts = { churches: list.counts.all, messages: list.counts.messages, corrections: list.counts.corrections }
  const done = actionData ? undefined : DONE.find((intent) => intent === params.get('done'))
  return (
    <AdminPage title={t('my_title')}>
      <Tabs
        label={t('tabs')}
        tabs={TABS.map((key) => ({
          key,
          label: `${t(`tab_${key}`)} (${formatNumber(language, counts[key])})`,
          to: key === 'churches' ? '/admin/my-churches' : `/admin/my-churches?tab=${key}`,
          isCurrent: tab === key,
        }))}
      />
      {done && (
        <div className={styles.done}>
          <Note kind="success" isLive title={t(`done_${done}`)} />
        </div>
      )}
      {tab === 'churches' && <Churches list={list} hasFailed={hasFailed} />}
      {messages && (
        <AdminPanel id="messages" title={t('messages')}>
          <div className={styles.panel}>
            <Messages messages={messages.messages} actionData={actionData} isNamed />
            <Pages total={messages.total} page={messages.page} />
          </div>
        </AdminPanel>
      )}
      {corrections && (
        <AdminPanel id="corrections" title={t('corrections')}>
          <div className={styles.panel}>
            <Corrections corrections={corrections.corrections} actionData={actionData} isNamed />
            <Pages total={corrections.total} page={corrections.page} />
          </div>
        </AdminPanel>
      )}
    </AdminPage>
  )
}

function Pages({ total, page }: { total: number; page: number }) {
  if (total <= QUEUE_PER_PAGE) return null
  return <TableFoot total={total} page={page} per_page={QUEUE_PER_PAGE} shown={QUEUE_PER_PAGE} />
}

type ChurchList = Route.ComponentProps['loaderData']['list']

function Churches({ list, hasFailed }: { list: ChurchList; hasFailed: boolean }) {
  const t = useT('care')
  const [params] = useSearchParams()
  return (
    <>
      <AdminTableFilters
        searchLabel={t('search_churches')}
        choices={[
          {
            name: 'status',
            label: t('filter_status'),
            options: (['due', 'closed', 'waiting'] as const).map((value) => ({ value, label: t(`status_${value}`) })),
          },
        ]}
      />
      <AdminTable
        label={t('my_title')}
        columns={useColumns()}
        rows={list.locales}
        rowKey={({ id }) => id}
        total={list.total}
        page={list.page}
        per_page={list.per_page}
        filters={['search', 'status']}
        hasFailed={hasFailed}
        empty={
          <Note kind="unknown" title={t('none_title')}>
            <p>{t('none_text')}</p>
          </Note>
        }
        key={addressWith(params, {})}
      />
    </>
  )
}

function useColumns(): [Column<Row>, ...Column<Row>[]] {
  const t = useT('care')
  return [
    {
      key: 'name',
      label: t('column_church'),
      cell: ({ id, name }) => (
        <Link to={`/admin/my-churches/${id}`}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { key: 'place', label: t('column_place'), cell: ({ place }) => <bdi>{place}</bdi>, narrow: 'under' },
    { key: 'freshness', label: t('column_freshness'), cell: (row) => <Freshness locale={row} />, narrow: 'under' },
    {
      key: 'waiting',
      label: t('column_waiting'),
      cell: (row) => <Waiting row={row} />,
      narrow: 'under',
    },
  ]
}

type Row = MyChurch & { place: string }

function Waiting({ row: { id, open_messages, open_corrections } }: { row: Row }) {
  const t = useT('care')
  const page = `/admin/my-churches/${id}`
  return (
    <span className={styles.waiting}>
      {open_messages > 0 && <Link to={`${page}#messages`}>{t('open_messages', { count: open_messages })}</Link>}
      {open_corrections > 0 && (
        <Link to={`${page}#corrections`}>{t('open_corrections', { count: open_corrections })}</Link>
      )}
    </span>
  )
}
