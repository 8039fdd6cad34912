import { Outlet, useRouteLoaderData } from 'react-router'
import { countryNames } from '#shared/advisories/cards.ts'
import { type Advisory, listAdvisories } from '#shared/advisories/endpoints.ts'
import { getUnread } from '#shared/notifications/inbox.ts'
import { getOwnCountries } from '#shared/overview/endpoints.ts'
import { signedInPages } from '#shared/pages/signed-in.ts'
import { AdvisoryBanner, BANNER_OPTIONS } from '#web/advisories/AdvisoryBanner.tsx'
import { nameIn, titleIn } from '#web/advisories/reader.server.ts'
import { ErrorScreen } from '#web/content/ErrorScreen.tsx'
import { api, ifReadable, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/DashboardLayout'
import { PublicFrame } from './PublicFrame.tsx'

export const handle = { ns: ['advisories'], pages: signedInPages } satisfies RouteHandle

/** The banner of the signed-in area covers the user's own countries; without any, urgent advisories anywhere. */
export async function loader({ context }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const { countries = [] } = (await ifReadable(context, (call) => call(getOwnCountries))) ?? {}
  const inbox = await ifReadable(context, (call) => call(getUnread))
  const query = countries.length > 0 ? { countries: countries.join() } : { urgent: 'true' }
  const { advisories } = await api(context)(listAdvisories, { query: { ...query, limit: 2 * BANNER_OPTIONS.maxItems } })
  const titleOf = titleIn(language)
  const nameOf = nameIn(language)
  const items = advisories.map((advisory) => itemOf(advisory, titleOf, nameOf))
  return { countries, items, unread: inbox?.unreadCount }
}

function itemOf(advisory: Advisory, titleOf: ReturnType<typeof titleIn>, nameOf: ReturnType<typeof nameIn>) {
  const { id, severity_level, is_urgent, last_updated, affected_countries, country_codes } = advisory
  const { title, title_language } = titleOf(advisory, countryNames(advisory, nameOf))
  return {
    id,
    title,
    language: title_language,
    severity_level,
    is_urgent,
    last_updated,
    affected_countries,
    country_codes,
  }
}

export default function DashboardLayout() {
  return (
    <PublicFrame ticker={<Banner />}>
      <Outlet />
    </PublicFrame>
  )
}

/** The header stays when a page fails, so that the user can continue from here. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <PublicFrame ticker={<Banner />}>
      <ErrorScreen level="page" error={error} isFramed />
    </PublicFrame>
  )
}

function Banner() {
  const data = useRouteLoaderData<typeof loader>('layouts/DashboardLayout')
  // Without the loader data the user's countries are unknown.
  if (!data) return null
  const { countries, items } = data
  return countries.length > 0 ? (
    <AdvisoryBanner key={countries.join()} items={items} countries={countries} />
  ) : (
    <AdvisoryBanner key="" items={items} showOnlyUrgent />
  )
}
