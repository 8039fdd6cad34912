import { Outlet, useRouteLoaderData } from 'react-router'
import { listProviders } from '#shared/accounts/endpoints.ts'
import { getTicker } from '#shared/advisories/endpoints.ts'
import { getUnread } from '#shared/notifications/inbox.ts'
import { NewsTicker } from '#web/advisories/NewsTicker.tsx'
import { fetchLimit } from '#web/advisories/ticker-state.ts'
import { ErrorScreen } from '#web/content/ErrorScreen.tsx'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import type { Route } from './+types/PublicLayout'
import { PublicFrame } from './PublicFrame.tsx'

/** SHELL-17 */
const TICKER_ITEMS = 12

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
    <PublicFrame ticker={<Ticker />}>
      <ErrorScreen level="page" error={error} isFramed />
    </PublicFrame>
  )
}

function Ticker() {
  const data = useRouteLoaderData<typeof loader>('layouts/PublicLayout')
  // Without loader data the ticker fetches the advisories itself.
  return <NewsTicker {...data?.ticker} maxItems={TICKER_ITEMS} />
}
