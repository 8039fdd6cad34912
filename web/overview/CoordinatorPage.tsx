import { useSearchParams } from 'react-router'
import { listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { getCoordination } from '#shared/overview/endpoints.ts'
import { mayPass } from '#shared/roles.ts'
import { getRollCallBoard } from '#shared/roll-calls/endpoints.ts'
import { NewAccounts } from '#web/accounts/users/NewAccounts.tsx'
import { newAccounts } from '#web/accounts/users/new-accounts.server.ts'
import { cardsIn, nameIn } from '#web/advisories/reader.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { translator, useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, userOf, visitorOf } from '#web/lib/visitor.ts'
import { RollCallBoard } from '#web/roll-calls/RollCallBoard.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/CoordinatorPage'
import { CallsForHelp } from './CallsForHelp.tsx'
import { callsForHelp } from './calls.server.ts'
import styles from './Overview.module.css'
import { OverviewTiles } from './OverviewTiles.tsx'
import { churchTiles } from './overview.ts'
import { SourcesPanel } from './SourcesPanel.tsx'
import { namedSources } from './sources.server.ts'
import { UrgentPanel } from './UrgentPanel.tsx'
import { useWaitingUpdates } from './useWaitingUpdates.ts'

export { actOnNewAccount as action } from '#web/accounts/users/new-accounts.server.ts'

export const handle = { ns: ['admin', 'users', 'forms', 'rollCalls'] } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const { language, now } = visitorOf(context)
  const { id: me, role } = userOf(context)
  const call = api(context)
  const mayCall = mayPass('rollCalls', role)
  const [own, { sources }, waiting, board, calls] = await Promise.all([
    call(getCoordination),
    call(listAdvisorySources),
    newAccounts(context),
    mayCall ? call(getRollCallBoard) : null,
    mayCall ? callsForHelp(context) : null,
  ])
  const nameOf = nameIn(language)
  return {
    title: translator(language, 'admin')('overview_title'),
    made_at: now.toISOString(),
    has_scope: own.countries?.length !== 0 || own.chapters?.length !== 0,
    countries: own.countries?.map((code) => ({ code, name: nameOf(code) })) ?? null,
    chapters: own.chapters,
    new_accounts: own.new_accounts,
    church_tiles: mayPass('careForLocales', role) ? churchTiles(own.church_care) : [],
    waiting,
    board,
    calls,
    me,
    advisories: cardsIn(language, own.advisories),
    advisory_count: own.advisory_count,
    sources: namedSources(sources, language),
  }
}

/** Pending work of a coordinator, in the countries of their role. */
export default function CoordinatorPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('admin')
  useWaitingUpdates()
  const {
    board,
    calls,
    me,
    made_at,
    has_scope,
    countries,
    chapters,
    church_tiles,
    new_accounts,
    waiting,
    advisories,
    advisory_count,
    sources,
  } = loaderData
  const urgent = (
    <UrgentPanel
      title={t(has_scope && (countries || chapters) ? 'own_advisories_title' : 'urgent_title')}
      advisories={advisories}
      total={advisory_count}
      mayAsk={board !== null && has_scope}
    />
  )
  return (
    <AdminPage title={t('overview_title')} end={<Time value={made_at} />}>
      {calls && <CallsForHelp found={calls} me={me} />}
      {board && <RollCallBoard board={board} isAlways={has_scope} />}
      <Places countries={countries} chapters={chapters} />
      {(has_scope ? church_tiles.length > 0 : church_tiles.some(({ count }) => count > 0)) && (
        <OverviewTiles tiles={church_tiles} />
      )}
      <div className={styles.columns}>
        <div className={styles.stack}>
          {has_scope ? <NewAccountsPanel counted={new_accounts} waiting={waiting} actionData={actionData} /> : urgent}
        </div>
        <div className={styles.stack}>
          {has_scope && urgent}
          <SourcesPanel sources={sources} />
        </div>
      </div>
    </AdminPage>
  )
}

type Data = Route.ComponentProps['loaderData']

function Places({ countries, chapters }: Pick<Data, 'countries' | 'chapters'>) {
  const t = useT('admin')
  if (!countries && !chapters) return <p className={styles.places}>{t('scope_everywhere')}</p>
  return (
    <>
      {countries && countries.length > 0 && (
        <Names label={t('scope_countries')} names={countries.map(({ name }) => name)} />
      )}
      {chapters && chapters.length > 0 && <Names label={t('scope_chapters')} names={chapters} />}
    </>
  )
}

function Names({ label, names }: { label: string; names: string[] }) {
  const t = useT('admin')
  return (
    <p className={styles.places}>
      {label}{' '}
      {names.map((name, i) => (
        <span key={name}>
          {i > 0 && t('comma')}
          <bdi>{name}</bdi>
        </span>
      ))}
    </p>
  )
}

interface NewAccountsProps {
  counted: Data['new_accounts']
  waiting: Data['waiting']
  actionData: Route.ComponentProps['actionData']
}

function NewAccountsPanel({ counted: { count, oldest_at }, waiting, actionData }: NewAccountsProps) {
  const t = useT('admin')
  const language = useLanguage()
  const [params] = useSearchParams()
  const done = (['verify', 'flag'] as const).find((known) => known === params.get('done'))
  return (
    <AdminPanel id="new-accounts" title={t('accounts_title')} end={formatNumber(language, count)}>
      {count > 0 && (
        <p className={styles.nothing}>
          {t('accounts_waiting', { count })} {oldest_at && <Time value={oldest_at} look="relative" />}
        </p>
      )}
      <NewAccounts accounts={waiting.accounts} actionData={actionData} done={done} action="/admin/coordinator" />
    </AdminPanel>
  )
}
