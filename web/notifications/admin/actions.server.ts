import {
  approveAnnouncement,
  cancelAnnouncement,
  declineAnnouncement,
  deleteAnnouncement,
  retryAnnouncement,
  sendAnnouncement,
  testAnnouncement,
} from '#shared/notifications/announcements.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { ANNOUNCEMENTS, announcementPath } from './paths.ts'

export type Action = 'send' | 'approve' | 'decline' | 'cancel' | 'test' | 'retry' | 'delete'

/** The version that the form was made from, if any. */
const versionIn = ({ made_from }: Record<string, string>) => (made_from ? { made_from } : {})

/** All actions on an announcement. */
export const actOnAnnouncement = formAction({
  send: async (call, { id, values, flash }) => {
    const { status } = await call(sendAnnouncement, { params: { id }, body: versionIn(values) })
    return flash(announcementPath(id), status === 'for_approval' ? 'submitted' : 'sent')
  },
  approve: async (call, { id, values, flash }) => {
    await call(approveAnnouncement, { params: { id }, body: versionIn(values) })
    return flash(announcementPath(id), 'approved')
  },
  decline: async (call, { id, values, text, flash }) => {
    await call(declineAnnouncement, { params: { id }, body: { ...versionIn(values), reason: text('reason') } })
    return flash(announcementPath(id), 'declined')
  },
  cancel: async (call, { id, flash }) => {
    await call(cancelAnnouncement, { params: { id } })
    return flash(announcementPath(id), 'cancelled')
  },
  test: async (call, { id, flash }) => {
    await call(testAnnouncement, { params: { id } })
    return flash(announcementPath(id), 'tested')
  },
  retry: async (call, { id, flash }) => {
    await call(retryAnnouncement, { params: { id } })
    return flash(announcementPath(id), 'retried')
  },
  delete: async (call, { id, flash }) => {
    await call(deleteAnnouncement, { params: { id } })
    return flash(ANNOUNCEMENTS, 'deleted')
  },
})
