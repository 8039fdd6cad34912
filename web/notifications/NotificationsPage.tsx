import type { Route } from './+types/NotificationsPage'
import { Inbox } from './Inbox.tsx'

export { actOnInbox as action, loadInbox as loader } from './inbox.server.ts'

/** The inbox of a user. */
export default function NotificationsPage({ loaderData, actionData }: Route.ComponentProps) {
  return <Inbox {...loaderData} actionData={actionData} />
}
