import { useSearchParams } from 'react-router'
import { listAdvisorySources } from '#shared/advisories/endpoints.ts'
import { getCoordination } from '#shared/overview/endpoints.ts'
import { mayPass } from '#shared/roles.ts'
import { NewAccounts } from '#web/accounts/users/NewAccounts.tsx'
import { newAccounts } from '#web/accounts/users/new-accounts.server.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { translator, useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, userOf, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/CoordinatorPage'
import styles from './Overview.module.css'
import { PlacesPanel } from './PlacesPanel.tsx'
import { QueuePanel } from './QueuePanel.tsx'
import { queueFor } from './queue.server.ts'
import { SourcesPanel } from './SourcesPanel.tsx'
import { namedSources } from './sources.server.ts'
import { useWaitingUpdates } from './useWaitingUpdates.ts'

const HERE = '/admin/coordinator'

export { actOnNewAccount as action } from '#web/accounts/users/new-accounts.server.ts'

export const handle = { ns: ['admin', 'users', 'forms', 'queue'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language, now } = visitorOf(context)
  const { role } = userOf(context)
  const call = api(context)
  const [own, queue, { sources }, waiting] = await Promise.all([
    call(getCoordination),
    queueFor(context, request),
    call(listAdvisorySources),
    newAccounts(context),
  ])
  const nameOf = nameIn(language)
  return {
    title: translator(language, 'admin')('overview_title'),
    made_at: now.toISOString(),
    has_scope: own.countries?.length !== 0 || own.chapters?.length !== 0,
    has_places: own.countries !== null || own.chapters !== null,
    chapters: own.chapters,
    places: own.places.map((place) => ({ ...place, name: nameOf(place.country_code) })),
    place_count: own.place_count,
    may_ask: mayPass('rollCalls', role),
    new_accounts: own.new_accounts,
    queue,
    waiting,
    sources: namedSources(sources, language),
  }
}

/** What waits in the countries of a coordinator, and how these are. */
export default function CoordinatorPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('admin')
  const tQueue = useT('queue')
  useWaitingUpdates()
  // The message stays when the last account was verified.
  const hasActed = useSearchParams()[0].has('done')
  const { made_at, has_scope, has_places, chapters, places, place_count, may_ask } = loaderData
  const { queue, new_accounts, waiting, sources } = loaderData
  return (
    <AdminPage title={t('overview_title')} end={<Time value={made_at} />}>
      {!has_places && <p className={styles.places}>{t('scope_everywhere')}</p>}
      {chapters && chapters.length > 0 && <Chapters names={chapters} />}
      <div className={styles.columns}>
        <div className={styles.stack}>
          <QueuePanel title={tQueue('title_own')} queue={queue} path={HERE} isCoordinator />
          {(new_accounts.count > 0 || actionData || hasActed) && (
            <NewAccountsPanel counted={new_accounts} waiting={waiting} actionData={actionData} />
          )}
        </div>
        <div className={styles.stack}>
          {has_scope && (
            <PlacesPanel
              title={tQueue(has_places ? 'places_title' : 'places_urgent')}
              places={places}
              total={place_count}
              now={queue.read_at}
              mayAsk={may_ask}
            />
          )}
          <SourcesPanel sources={sources} />
        </div>
      </div>
    </AdminPage>
  )
}

type Data = Route.ComponentProps['loaderData']

function Chapters({ names }: { names: string[] }) {
  const t = useT('admin')
  return (
    <p className={styles.places}>
      {t('scope_chapters')}{' '}
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
