import { Outlet } from 'react-router'
import { getUnread } from '#shared/notifications/inbox.ts'
import { getAdminFrame } from '#shared/overview/endpoints.ts'
import { signedInPages } from '#shared/pages/signed-in.ts'
import { ErrorScreen } from '#web/content/ErrorScreen.tsx'
import { ifReadable } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/AdminLayout'
import { AdminFrame } from './AdminFrame.tsx'
import { NoScopeNote } from './NoScopeNote.tsx'

export const handle = { ns: ['admin'], pages: signedInPages } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const frame = await ifReadable(context, (call) => call(getAdminFrame))
  const inbox = await ifReadable(context, (call) => call(getUnread))
  return { frame, unread: inbox?.unreadCount }
}

export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AdminFrame frame={loaderData.frame}>
      {loaderData.frame?.has_scope === false && <NoScopeNote />}
      <Outlet />
    </AdminFrame>
  )
}

/** The menu stays when a page fails, so that the user can continue from here. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <AdminFrame frame={loaderData?.frame}>
      <ErrorScreen level="page" error={error} isFramed />
    </AdminFrame>
  )
}
