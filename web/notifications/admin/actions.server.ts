import { data, type RouterContextProvider, redirect } from 'react-router'
import {
  approveAnnouncement,
  cancelAnnouncement,
  declineAnnouncement,
  deleteAnnouncement,
  retryAnnouncement,
  sendAnnouncement,
  testAnnouncement,
} from '#shared/notifications/announcements.ts'
import { attempt, type CallEndpoint, type FormError } from '#web/lib/visitor.ts'
import { ANNOUNCEMENTS, announcementPath } from './paths.ts'

type Context = Readonly<Pick<RouterContextProvider, 'get'>>
export type Action = 'send' | 'approve' | 'decline' | 'cancel' | 'test' | 'retry' | 'delete'

/** A rejected action. */
export interface ActionData {
  action: string
  reason: string
  error: FormError
}

const params = (id: string) => ({ params: { id } })
const ACTIONS: Record<
  Action,
  (call: CallEndpoint, id: string, body: { made_from?: string }, reason: string) => Promise<string>
> = {
  send: async (call, id, body) => {
    const { status } = await call(sendAnnouncement, { ...params(id), body })
    return `${announcementPath(id)}?done=${status === 'for_approval' ? 'submitted' : 'sent'}`
  },
  approve: async (call, id, body) => {
    await call(approveAnnouncement, { ...params(id), body })
    return `${announcementPath(id)}?done=approved`
  },
  decline: async (call, id, body, reason) => {
    await call(declineAnnouncement, { ...params(id), body: { ...body, reason } })
    return `${announcementPath(id)}?done=declined`
  },
  cancel: async (call, id) => {
    await call(cancelAnnouncement, params(id))
    return `${announcementPath(id)}?done=cancelled`
  },
  test: async (call, id) => {
    await call(testAnnouncement, params(id))
    return `${announcementPath(id)}?done=tested`
  },
  retry: async (call, id) => {
    await call(retryAnnouncement, params(id))
    return `${announcementPath(id)}?done=retried`
  },
  delete: async (call, id) => {
    await call(deleteAnnouncement, params(id))
    return `${ANNOUNCEMENTS}?done=deleted`
  },
}

/** Runs an action on an announcement. */
export async function actOnAnnouncement(context: Context, request: Request, id: string) {
  const form = await request.formData()
  const text = (name: string) => String(form.get(name) ?? '')
  const action = text('deed')
  if (!Object.hasOwn(ACTIONS, action)) throw new Response('Bad Request', { status: 400 })
  const made = text('made_from')
  const { done, error } = await attempt(context, (call) =>
    ACTIONS[action as Action](call, id, made ? { made_from: made } : {}, text('reason')),
  )
  if (error === undefined) throw redirect(done)
  return data<ActionData>({ action, reason: text('reason'), error }, error.status)
}
