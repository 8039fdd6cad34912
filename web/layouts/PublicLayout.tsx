import { Outlet, useMatches } from 'react-router'
import { listProviders } from '#shared/accounts/endpoints.ts'
import { getTicker } from '#shared/advisories/endpoints.ts'
import { getUnread } from '#shared/notifications/inbox.ts'
import { PageTicker, TICKER_ITEMS } from '#web/advisories/PageTicker.tsx'
import { fetchLimit } from '#web/advisories/ticker-state.ts'
import { ErrorScreen } from '#web/content/ErrorScreen.tsx'
import type { RouteHandle } from '#web/lib/root-data.ts'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import type { Route } from './+types/PublicLayout'
import { PublicFrame } from './PublicFrame.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const query = { limit: fetchLimit(TICKER_ITEMS), lng: visitorOf(context).language }
  const [ticker, { google }, inbox] = await Promise.all([
    api(context)(getTicker, { query }),
    api(context)(listProviders),
    // A public page must load even if the user's unread count cannot be read.
    visitorOf(context).user ? attempt(context, (call) => call(getUnread)) : undefined,
  ])
  return { ticker, hasGoogle: google, unread: inbox?.done?.unreadCount }
}

// The ticker refreshes itself: a page that fails to revalidate must not affect it.
export const shouldRevalidate = () => false

export default function PublicLayout({ loaderData }: Route.ComponentProps) {
  return (
    <PublicFrame ticker={<Ticker />} hasGoogle={loaderData.hasGoogle}>
      <Outlet />
    </PublicFrame>
  )
}

/** The header stays when a page fails, so that the user can continue from here. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <PublicFrame ticker={<PageTicker />}>
      <ErrorScreen level="page" error={error} isFramed />
    </PublicFrame>
  )
}

function Ticker() {
  const matches = useMatches()
  const isBelow = matches.some(({ handle }) => (handle as RouteHandle | undefined)?.hasTickerBelow)
  return isBelow ? <PageTicker on="desktop" /> : <PageTicker />
}
