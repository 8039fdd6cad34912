import { useSearchParams } from 'react-router'
import { getOpenMessage, listOpenMessages, OutboxQuery } from '#shared/delivery/endpoints.ts'
import { tableQuery } from '#shared/table.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/OpenOutboxPage'
import { MessageDrawer } from './MessageDrawer.tsx'
import { MessageList } from './MessageList.tsx'
import styles from './Outbox.module.css'

export const handle = { ns: ['outbox', 'admin', 'forms'] } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams
  const id = params.get('message')
  const list = await api(context)(listOpenMessages, { query: tableQuery(OutboxQuery, params) })
  const result = id ? await attempt(context, (call) => call(getOpenMessage, { params: { id } })) : undefined
  return { list, opened: id ? (result?.done ?? null) : undefined }
}

/** Outbox of a portal run locally, so that a sign-up can be completed. Not available anywhere else. */
export default function OpenOutboxPage({ loaderData: { list, opened: message } }: Route.ComponentProps) {
  const t = useT('outbox')
  const [params] = useSearchParams()
  return (
    <div className={styles.open}>
      <h1>{t('open_title')}</h1>
      <Note kind="unknown" title={t('open_note')}>
        {t('open_note_text')}
      </Note>
      <MessageList list={list} current={message?.id} />
      {message !== undefined && (
        <MessageDrawer key={params.get('message')} message={message} neighbours={list.messages.map(({ id }) => id)} />
      )}
    </div>
  )
}
