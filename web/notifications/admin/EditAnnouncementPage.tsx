import { data, redirect } from 'react-router'
import { getAnnouncement, getReachEstimate } from '#shared/notifications/announcements.ts'
import { UnsentCopy } from '#web/compose/UnsentCopy.tsx'
import { useAnswer } from '#web/compose/useAnswer.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink, PageNotice } from '#web/ui/AdminPage.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { StaleNotice } from '#web/ui/StaleNotice.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/EditAnnouncementPage'
import { AnnouncementForm } from './AnnouncementForm.tsx'
import { composeChoices } from './announcement-form.server.ts'
import { hasAudience } from './audience.ts'
import { ConfirmSend } from './ConfirmSend.tsx'
import { ANNOUNCEMENTS, announcementPath, editPath, UUID } from './paths.ts'
import { valuesOf } from './values.ts'

export { revalidateUnlessCounting as shouldRevalidate } from '#web/compose/revalidation.ts'
export { compose as action } from './announcement-form.server.ts'

export const handle = { ns: ['announcements', 'compose', 'forms'] } satisfies RouteHandle

export async function loader({ context, request, params: { id } }: Route.LoaderArgs) {
  if (!UUID.test(id)) throw data(null, { status: 404 })
  const call = api(context)
  const announcement = await call(getAnnouncement, { params: { id } })
  if (announcement.status !== 'draft') throw redirect(announcementPath(id))
  const values = valuesOf(announcement)
  const estimate = hasAudience(values) ? await call(getReachEstimate, { params: { id } }) : null
  const { searchParams } = new URL(request.url)
  return {
    ...{ announcement, values },
    counted: estimate && { estimate, now: visitorOf(context).now.toISOString() },
    choices: await composeChoices(context),
    isConfirming: searchParams.get('action') === 'send',
    /** The number of recipients that the form showed. */
    before: Number(searchParams.get('before') ?? estimate?.chosen ?? 0),
  }
}

/** Edits a draft, and asks for confirmation before it is sent. */
export default function EditAnnouncementPage({ loaderData, actionData: answer }: Route.ComponentProps) {
  const actionData = useAnswer(answer)
  const t = useT('announcements')
  const tCompose = useT('compose')
  const { announcement, values, counted, choices, isConfirming, before } = loaderData
  const path = editPath(announcement.id)
  return (
    <AdminPage
      title={tCompose('edit_message')}
      end={
        <span>
          {tCompose('draft_saved')} <Time value={announcement.updated_at} look="relative" />
        </span>
      }
    >
      <BackLink to={ANNOUNCEMENTS}>{t('back')}</BackLink>
      <FlashMessage namespace="announcements" />
      {announcement.decline_reason && (
        <PageNotice>
          <Note title={t('declined_by', { name: announcement.declined_by_name ?? t('unknown_user') })}>
            <bdi>{announcement.decline_reason}</bdi>
          </Note>
        </PageNotice>
      )}
      {actionData?.error?.code === 'stale' && <StaleNotice to={path} />}
      {isConfirming && counted && (
        <ConfirmSend announcement={announcement} counted={counted} before={before} actionData={actionData} />
      )}
      <UnsentCopy isShown={actionData === undefined && !isConfirming} />
      <AnnouncementForm
        key={announcement.updated_at}
        action={path}
        values={values}
        counted={counted}
        madeFrom={announcement.updated_at}
        actionData={actionData}
        {...choices}
      />
    </AdminPage>
  )
}
