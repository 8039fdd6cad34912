import { data, redirect } from 'react-router'
import { getAnnouncement } from '#shared/notifications/notices.ts'
import { useT } from '../../lib/i18n.tsx'
import { api } from '../../lib/visitor.ts'
import type { RouteHandle } from '../../root.tsx'
import { AdminPage, BackLink } from '../../ui/AdminPage.tsx'
import type { Route } from './+types/EditNoticePage'
import { compose, composeChoices } from './compose.server.ts'
import { NoticeForm } from './NoticeForm.tsx'
import { noticePath, UUID } from './paths.ts'
import { valuesOf } from './values.ts'

export const handle = { ns: ['notices', 'forms'] } satisfies RouteHandle

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  if (!UUID.test(id)) throw data(null, { status: 404 })
  const notice = await api(context)(getAnnouncement, { params: { id } })
  if (notice.status !== 'draft') throw redirect(noticePath(id))
  return { notice, ...(await composeChoices(context)) }
}

export const action = ({ context, request, params }: Route.ActionArgs) => compose(context, request, params.id)

/** A draft is changed. */
export default function EditNoticePage({ loaderData: { notice, ...choices }, actionData }: Route.ComponentProps) {
  const t = useT('notices')
  return (
    <AdminPage title={t('edit_notice')}>
      <BackLink to={noticePath(notice.id)}>{t('back_to_notice')}</BackLink>
      <NoticeForm
        action={`${noticePath(notice.id)}/edit`}
        values={valuesOf(notice)}
        madeFrom={notice.updated_at}
        posted={actionData}
        {...choices}
      />
    </AdminPage>
  )
}
