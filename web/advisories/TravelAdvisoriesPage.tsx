import { useEffect } from 'react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { countConfirmed } from '#shared/advisories/freshness.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/TravelAdvisoriesPage'
import { AdvisoryList } from './AdvisoryList.tsx'
import { ADVISORIES_PATH, activeFilters } from './filters.ts'
import { listingFor } from './list.server.ts'
import { AdvisoryMap } from './map/AdvisoryMap.tsx'
import { advisoryMap, sendPictureOnce } from './map/map.server.ts'
import styles from './TravelAdvisoriesPage.module.css'

export const handle = { ns: ['advisories'], hasPlaceholders: true } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const { language, now, user, isDocument } = visitorOf(context)
  const params = new URL(request.url).searchParams
  const description = translator(language, 'advisories')('page_description')
  const call = api(context)
  const listing = await listingFor({ api: call, language, now, params, isSignedIn: user !== null })
  // Whoever filters or turns pages looks for advisories: the map would only come before them.
  const isOverview = activeFilters(listing.filters).length === 0 && listing.filters.page === 1
  const map = isOverview ? await advisoryMap(call, language, params.get('region')) : null
  if (map && isDocument) sendPictureOnce(map)
  return { ...listing, map, description }
}

type LoaderData = Awaited<ReturnType<typeof loader>>
let latest: LoaderData | undefined

/**
 * If a reload fails in the browser, keep the old list with its time: an old list marked as such is better than none.
 */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  try {
    latest = await serverLoader()
    return { ...latest, hasFailed: false }
  } catch (error) {
    if (error instanceof Response || !latest) throw error
    return { ...latest, hasFailed: true }
  }
}

/** The list below an open advisory stays as it is; a link to an advisory loads it with the list. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isSameList = withoutHighlight(currentUrl) === withoutHighlight(nextUrl)
  const losesHighlight = currentUrl.searchParams.has('highlight') && !nextUrl.searchParams.has('highlight')
  return losesHighlight && isSameList ? false : defaultShouldRevalidate
}

export default function TravelAdvisoriesPage({ loaderData }: Route.ComponentProps) {
  useEffect(() => {
    latest ??= loaderData
  }, [loaderData])
  return (
    <Page>
      <Head />
      <AdvisoryList
        data={loaderData}
        hasFailed={'hasFailed' in loaderData && loaderData.hasFailed === true}
        map={loaderData.map && <AdvisoryMap map={loaderData.map} confirmed={countConfirmed(loaderData.sources)} />}
      />
    </Page>
  )
}

/** The first load failed: say so, and never suggest that there is no danger. */
export function ErrorBoundary() {
  const t = useT('advisories')
  const officialPages = useSite()?.all_advisories_url
  return (
    <Page>
      <Head />
      <Note
        kind="error"
        heading="h2"
        title={t('error_title')}
        isLive
        action={
          <>
            <ButtonLink to={ADVISORIES_PATH} reloadDocument icon="refresh">
              {t('try_again')}
            </ButtonLink>
            {officialPages && (
              <ButtonLink to={officialPages} icon="external" target="_blank" rel="noopener">
                {t('official_pages')}
              </ButtonLink>
            )}
          </>
        }
      >
        <p>{t('error_load')}</p>
        <p>{t('error_no_answer')}</p>
      </Note>
    </Page>
  )
}

function Head() {
  const t = useT('advisories')
  return (
    <>
      <Breadcrumbs />
      <h1>{t('page_title')}</h1>
      <div className={styles.under}>
        <p className={styles.subtitle}>{t('page_subtitle')}</p>
        <ButtonLink isSmall to="/dashboard/subscriptions/new" icon="bell">
          {t('notify_me')}
        </ButtonLink>
      </div>
    </>
  )
}

function withoutHighlight(url: URL): string {
  const params = new URLSearchParams(url.searchParams)
  params.delete('highlight')
  return `${url.pathname}?${params}`
}
