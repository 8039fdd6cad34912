import { data, type RouterContextProvider } from 'react-router'
import {
  getOwnNotificationStats,
  listNotifications,
  readAllNotifications,
  readNotification,
  removeNotification,
} from '#shared/notifications/inbox.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { attempt, userOf } from '#web/lib/visitor.ts'
import { PAGE_SIZE, readChoice } from './list-address.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>

/** The caller's notifications, by the filters of the URL. */
export async function loadInbox({ context, request }: { context: Context; request: Request }) {
  const { id } = userOf(context)
  const choice = readChoice(new URL(request.url).searchParams)
  const { isUnreadOnly, type, page } = choice
  const query = {
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
    ...(isUnreadOnly && { unreadOnly: 'true' as const }),
  }
  const { done, error } = await attempt(context, async (call) => ({
    ...(await call(listNotifications, { params: { id }, query: { ...query, ...(type && { type }) } })),
    byType: (await call(getOwnNotificationStats)).byType,
  }))
  return data({ choice, list: done ?? null }, { status: error?.status ?? 200 })
}

/** Marks as read, deletes, or opens what a notification is about. */
export const actOnInbox = formAction(
  {
    read: async (call, { text }) => {
      await call(readNotification, { params: { id: text('read') } })
      return {}
    },
    'read-all': async (call, { context }) => {
      await call(readAllNotifications, { params: { id: userOf(context).id } })
      return {}
    },
    remove: async (call, { text }) => {
      await call(removeNotification, { params: { id: text('remove') } })
      return {}
    },
    open: async (_call, { context, request, text }) => {
      // Goes there even if marking as read failed.
      await attempt(context, (call) => call(readNotification, { params: { id: text('open') } }))
      return safeReturnTo(text('to')) ?? new URL(request.url).pathname.replace(/\.data$/, '')
    },
  },
  { byField: true },
)
