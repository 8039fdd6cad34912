import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import type { Route } from './+types/AdminInboxPage'
import { Inbox } from './Inbox.tsx'

export { actOnInbox as action, loadInbox as loader } from './inbox.server.ts'

export const handle = { ns: ['notifications', 'forms'] } satisfies RouteHandle

/** The same inbox inside the admin area, so that its menu and search stay. */
export default function AdminInboxPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('notifications')
  return (
    <AdminPage title={t('title')} end={<Link to="/notifications/preferences">{t('section_preferences')}</Link>}>
      <Inbox {...loaderData} actionData={actionData} />
    </AdminPage>
  )
}
