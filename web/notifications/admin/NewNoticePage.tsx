import { useT } from '../../lib/i18n.tsx'
import type { RouteHandle } from '../../root.tsx'
import { AdminPage, BackLink } from '../../ui/AdminPage.tsx'
import { Note } from '../../ui/Note.tsx'
import type { Route } from './+types/NewNoticePage'
import { compose, composeChoices } from './compose.server.ts'
import { NoticeForm } from './NoticeForm.tsx'
import { NOTICES } from './paths.ts'
import { NOTHING } from './values.ts'

export const handle = { ns: ['notices', 'forms'] } satisfies RouteHandle

export const loader = ({ context }: Route.LoaderArgs) => composeChoices(context)
export const action = ({ context, request }: Route.ActionArgs) => compose(context, request)

export default function NewNoticePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('notices')
  return (
    <AdminPage title={t('new_notice')}>
      <BackLink to={NOTICES}>{t('back')}</BackLink>
      {loaderData.countries.length + loaderData.chapters.length === 0 ? (
        <Note title={t('nowhere')}>{t('nowhere_text')}</Note>
      ) : (
        <NoticeForm action={`${NOTICES}/new`} values={NOTHING} posted={actionData} {...loaderData} />
      )}
    </AdminPage>
  )
}
