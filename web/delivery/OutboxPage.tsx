import { useSearchParams } from 'react-router'
import { getMessage, getMessagesByDay, listMessages, OutboxQuery, retryMessage } from '#shared/delivery/endpoints.ts'
import { tableQuery } from '#shared/table.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { BarsByDay } from '#web/ui/charts/BarsByDay.tsx'
import type { Route } from './+types/OutboxPage'
import { MessageDrawer } from './MessageDrawer.tsx'
import { MessageList } from './MessageList.tsx'
import styles from './Outbox.module.css'

export const handle = { ns: ['outbox', 'forms', 'charts'] } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams
  const id = params.get('message')
  const [list, byDay] = await Promise.all([
    attempt(context, (call) => call(listMessages, { query: tableQuery(OutboxQuery, params) })),
    attempt(context, (call) => call(getMessagesByDay)),
  ])
  const result = id ? await attempt(context, (call) => call(getMessage, { params: { id } })) : undefined
  return { list: list.done, days: byDay.done?.days, opened: id ? (result?.done ?? null) : undefined }
}

export const action = formAction(async (call, { request, back }) => {
  await call(retryMessage, { params: { id: new URL(request.url).searchParams.get('message') ?? '' } })
  return back('retried')
})

/** Messages sent by the portal, their delivery, and what prevented it. */
export default function OutboxPage({ loaderData: { list, days, opened: message }, actionData }: Route.ComponentProps) {
  const t = useT('outbox')
  const [params] = useSearchParams()
  return (
    <AdminPage title={t('title')}>
      <p className={styles.hint}>{t('hint')}</p>
      {days && (
        <div className={styles.chart}>
          <AdminPanel id="days" title={t('days_title')}>
            <div className={styles.chartBody}>
              <BarsByDay days={days} />
            </div>
          </AdminPanel>
        </div>
      )}
      <MessageList list={list} current={message?.id} />
      {message !== undefined && (
        <MessageDrawer
          key={params.get('message')}
          message={message}
          neighbours={(list?.messages ?? []).map(({ id }) => id)}
          canRetry
          problem={actionData?.error?.error}
          isRetried={params.get('done') === 'retried'}
        />
      )}
    </AdminPage>
  )
}
