import { data, redirect } from 'react-router'
import { getAnnouncement } from '#shared/notifications/announcements.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import type { Route } from './+types/EditAnnouncementPage'
import { AnnouncementForm } from './AnnouncementForm.tsx'
import { composeChoices } from './announcement-form.server.ts'
import { announcementPath, UUID } from './paths.ts'
import { valuesOf } from './values.ts'

export { compose as action } from './announcement-form.server.ts'

export const handle = { ns: ['announcements', 'forms'] } satisfies RouteHandle

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  if (!UUID.test(id)) throw data(null, { status: 404 })
  const announcement = await api(context)(getAnnouncement, { params: { id } })
  if (announcement.status !== 'draft') throw redirect(announcementPath(id))
  return { announcement, ...(await composeChoices(context)) }
}

/** Edits a draft. */
export default function EditAnnouncementPage({
  loaderData: { announcement, ...choices },
  actionData,
}: Route.ComponentProps) {
  const t = useT('announcements')
  return (
    <AdminPage title={t('edit_announcement')}>
      <BackLink to={announcementPath(announcement.id)}>{t('back_to_announcement')}</BackLink>
      <AnnouncementForm
        action={`${announcementPath(announcement.id)}/edit`}
        values={valuesOf(announcement)}
        madeFrom={announcement.updated_at}
        actionData={actionData}
        {...choices}
      />
    </AdminPage>
  )
}
