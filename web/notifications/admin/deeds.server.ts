import { data, type RouterContextProvider, redirect } from 'react-router'
import {
  approveNotice,
  cancelNotice,
  declineNotice,
  deleteNotice,
  retryAnnouncement,
  sendNotice,
  testNotice,
} from '#shared/notifications/notices.ts'
import { attempt, type CallEndpoint, type Failure } from '../../lib/visitor.ts'
import { NOTICES, noticePath } from './paths.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>
export type Deed = 'send' | 'approve' | 'decline' | 'cancel' | 'test' | 'retry' | 'delete'

/** What was asked for and came back refused. */
export interface Refused {
  deed: string
  reason: string
  failure: Failure
}

const params = (id: string) => ({ params: { id } })
const DEEDS: Record<
  Deed,
  (call: CallEndpoint, id: string, body: { made_from?: string }, reason: string) => Promise<string>
> = {
  send: async (call, id, body) => {
    const { status } = await call(sendNotice, { ...params(id), body })
    return `${noticePath(id)}?done=${status === 'for_approval' ? 'submitted' : 'sent'}`
  },
  approve: async (call, id, body) => {
    await call(approveNotice, { ...params(id), body })
    return `${noticePath(id)}?done=approved`
  },
  decline: async (call, id, body, reason) => {
    await call(declineNotice, { ...params(id), body: { ...body, reason } })
    return `${noticePath(id)}?done=declined`
  },
  cancel: async (call, id) => {
    await call(cancelNotice, params(id))
    return `${noticePath(id)}?done=cancelled`
  },
  test: async (call, id) => {
    await call(testNotice, params(id))
    return `${noticePath(id)}?done=tested`
  },
  retry: async (call, id) => {
    await call(retryAnnouncement, params(id))
    return `${noticePath(id)}?done=retried`
  },
  delete: async (call, id) => {
    await call(deleteNotice, params(id))
    return `${NOTICES}?done=deleted`
  },
}

/** Everything the buttons of a notice can ask for. */
export async function actOnNotice(context: Context, request: Request, id: string) {
  const form = await request.formData()
  const text = (name: string) => String(form.get(name) ?? '')
  const deed = text('deed')
  if (!Object.hasOwn(DEEDS, deed)) throw new Response('Bad Request', { status: 400 })
  const made = text('made_from')
  const { done, failure } = await attempt(context, (call) =>
    DEEDS[deed as Deed](call, id, made ? { made_from: made } : {}, text('reason')),
  )
  if (failure === undefined) throw redirect(done)
  return data<Refused>({ deed, reason: text('reason'), failure }, failure.status)
}
