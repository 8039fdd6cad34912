import { useEffect, useState } from 'react'
import { data } from 'react-router'
import { getSite } from '#shared/settings/endpoints.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/LocatorPage'
import styles from './LocatorPage.module.css'
import { locatorFor } from './locator.server.ts'
import { MapPanel } from './MapPanel.tsx'
import { useOwnZone } from './NextService.tsx'
import { profileZone } from './profile.server.ts'
import { Count, Results } from './Results.tsx'
import { SearchForm } from './SearchForm.tsx'

export const handle = { ns: ['churches'] } satisfies RouteHandle

/** The next services are computed to the minute. */
export const headers = () => ({ 'valid-for': '60' })

export async function loader({ request, context }: Route.LoaderArgs) {
  const visitor = visitorOf(context)
  const { language } = visitor
  const params = new URL(request.url).searchParams
  const { call_first_after_days: callFirstAfterDays } = await visitor.api(getSite)
  const [locator, zone] = await Promise.all([
    locatorFor({ ...visitor, params, callFirstAfterDays }),
    profileZone(visitor),
  ])
  const description = translator(language, 'churches')('page_description')
  return data({ ...locator, zone, description }, { status: locator.hasFailed ? 503 : 200 })
}

type LoaderData = Awaited<ReturnType<typeof loader>>['data']
let latest: LoaderData | undefined

/** If a reload fails in the browser, keep the old list with a note. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs): Promise<LoaderData> {
  try {
    const answer = await serverLoader()
    if (!answer.hasFailed || !latest) {
      latest = answer
      return answer
    }
  } catch (error) {
    if (error instanceof Response || !latest) throw error
  }
  return { ...latest, hasFailed: true }
}

export default function LocatorPage({ loaderData }: Route.ComponentProps) {
  const t = useT('churches')
  const zone = useOwnZone(loaderData.zone)
  const [active, setActive] = useState<string | null>(null)
  const [view, setView] = useState<'list' | 'map'>('list')
  useEffect(() => {
    latest ??= loaderData
  }, [loaderData])
  return (
    <Page>
      {/* The same churches for other meeting finders; both contain public data only. */}
      <link rel="alternate" type="application/json" href="/churches/meeting-guide.json" title="Meeting Guide" />
      <link rel="alternate" type="application/ld+json" href="/churches/schema.org.json" title="schema.org" />
      <div className={styles.crumbs}>
        <Breadcrumbs />
      </div>
      <h1 className={styles.title}>{t('page_title')}</h1>
      <SearchForm data={loaderData} />
      <div className={styles.head}>
        <h2 id="results">
          <span role="status">
            <Count data={loaderData} />
          </span>
        </h2>
        <Views view={view} onView={setView} />
      </div>
      <div className={styles.columns} data-view={view}>
        <div className={styles.listColumn}>
          <Results data={loaderData} zone={zone} active={active} onActive={setActive} />
        </div>
        <div className={styles.mapColumn}>
          <MapPanel data={loaderData} zone={zone} active={active} onActive={setActive} />
        </div>
      </div>
    </Page>
  )
}

/** On a small screen list and map are tabs; without scripts the map follows the list. */
function Views({ view, onView }: { view: string; onView: (view: 'list' | 'map') => void }) {
  const t = useT('churches')
  return (
    <fieldset className={`${styles.views} needs-script`}>
      <legend className="visually-hidden">{t('view_label')}</legend>
      {(['list', 'map'] as const).map((each) => (
        <button key={each} type="button" aria-pressed={view === each} onClick={() => onView(each)}>
          {t(`view_${each}`)}
        </button>
      ))}
    </fieldset>
  )
}
