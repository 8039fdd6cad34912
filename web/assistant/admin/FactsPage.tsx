import { Link } from 'react-router'
import { confirmFact, FACT_KINDS, listFacts } from '#shared/assistant/facts.ts'
import { tableQuery } from '#shared/table.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { countriesIn } from '#web/churches/admin/choices.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable, type Column } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/FactsPage'
import { ActionErrorNote } from './ActionErrorNote.tsx'
import styles from './Admin.module.css'
import { AssistantTabs } from './AssistantTabs.tsx'
import { ConfirmButton } from './ConfirmButton.tsx'
import { FactFreshness } from './FactFreshness.tsx'
import { FactValue, useFactName } from './FactValue.tsx'
import { freshnessOf } from './fact-values.ts'
import { FACTS, factPath } from './paths.ts'

export const handle = { ns: ['assistantAdmin', 'forms'] } satisfies RouteHandle

const FILTERS = ['search', 'kind', 'country', 'status']
const STATUSES = ['expired', 'due', 'inactive'] as const

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language, now } = visitorOf(context)
  const query = tableQuery(listFacts.query, new URL(request.url).searchParams)
  const { done, error } = await attempt(context, (call) => call(listFacts, { query }))
  const nameOf = nameIn(language)
  const list = done ?? { facts: [], total: 0, page: 1, per_page: 50 }
  return {
    ...list,
    facts: list.facts.map((fact) => ({
      ...fact,
      country: fact.country_code && nameOf(fact.country_code),
      freshness: freshnessOf(fact, now),
    })),
    countries: countriesIn(language).map(({ code, name }) => ({ value: code, label: name })),
    hasFailed: error !== undefined,
  }
}

export const action = formAction(async (call, { text, back }) => {
  await call(confirmFact, { params: { id: text('confirm') } })
  return back('fact_confirmed')
})

/** All facts of the assistant; those due for confirmation first. */
export default function FactsPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('assistantAdmin')
  return (
    <AdminPage
      title={t('title')}
      end={
        <ButtonLink look="primary" to={`${FACTS}/new`}>
          {t('new_fact')}
        </ButtonLink>
      }
    >
      <AssistantTabs current="facts" />
      {actionData ? <ActionErrorNote error={actionData.error} /> : <FlashMessage namespace="assistantAdmin" />}
      <p className={styles.text}>{t('facts_intro')}</p>
      <AdminTableFilters
        searchLabel={t('facts_search')}
        choices={[
          {
            name: 'kind',
            label: t('kind'),
            options: FACT_KINDS.map((value) => ({ value, label: t(`kind_${value}`) })),
          },
          { name: 'country', label: t('country'), options: loaderData.countries },
          {
            name: 'status',
            label: t('freshness'),
            options: STATUSES.map((value) => ({ value, label: t(`status_${value}`) })),
          },
        ]}
      />
      <AdminTable
        {...loaderData}
        label={t('tab_facts')}
        columns={useColumns()}
        rows={loaderData.facts}
        rowKey={({ id }) => id}
        filters={FILTERS}
        empty={
          <Note heading="h2" kind="unknown" title={t('facts_none')}>
            <p>{t('facts_none_text')}</p>
          </Note>
        }
      />
    </AdminPage>
  )
}

type Row = Route.ComponentProps['loaderData']['facts'][number]

function useColumns(): readonly [Column<Row>, ...Column<Row>[]] {
  const t = useT('assistantAdmin')
  const nameOf = useFactName()
  return [
    {
      key: 'code',
      label: t('column_fact'),
      cell: (fact) => (
        <>
          <Link to={factPath(fact.id)} className={styles.name}>
            {nameOf(fact)}
            {fact.purpose && ` (${t(`purpose_${fact.purpose}`)})`}
          </Link>
          <span className={styles.small}>
            <FactValue fact={fact} />
          </span>
        </>
      ),
    },
    { key: 'country', label: t('country'), narrow: 'under', cell: ({ country }) => country ?? t('everywhere') },
    { key: 'freshness', label: t('freshness'), narrow: 'under', cell: (fact) => <FactFreshness {...fact} /> },
    {
      key: 'source',
      label: t('column_source'),
      cell: ({ source_title, source_url }) => (
        <a href={source_url} target="_blank" rel="noopener" className={styles.source}>
          <bdi>{source_title}</bdi>
        </a>
      ),
    },
    {
      key: 'confirm',
      label: t('column_confirm'),
      narrow: 'under',
      cell: (fact) => <ConfirmButton id={fact.id} name={nameOf(fact)} />,
    },
  ]
}
