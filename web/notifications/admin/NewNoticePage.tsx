import { Link } from 'react-router'
import { useT } from '../../lib/i18n.tsx'
import type { RouteHandle } from '../../root.tsx'
import { AdminPage } from '../../ui/AdminPage.tsx'
import type { Route } from './+types/NewNoticePage'
import { compose, composeChoices } from './compose.server.ts'
import { NoticeForm } from './NoticeForm.tsx'
import styles from './Notices.module.css'
import { NOTICES } from './paths.ts'
import { NOTHING } from './values.ts'

export const handle = { ns: ['notices', 'forms'] } satisfies RouteHandle

export const loader = ({ context }: Route.LoaderArgs) => composeChoices(context)
export const action = ({ context, request }: Route.ActionArgs) => compose(context, request)

export default function NewNoticePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('notices')
  return (
    <AdminPage title={t('new_notice')}>
      <p className={styles.back}>
        <Link to={NOTICES}>{t('back')}</Link>
      </p>
      <NoticeForm action={`${NOTICES}/new`} values={NOTHING} posted={actionData} {...loaderData} />
    </AdminPage>
  )
}
