import { redirect, redirectDocument } from 'react-router'
import { confirmPassword, eraseAccount, getFreshness, getOwnProfile } from '#shared/accounts/own.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, attempt } from '#web/lib/visitor.ts'
import type { Route } from './+types/MyDataPage'
import { EraseForm } from './EraseForm.tsx'
import { FileSection } from './FileSection.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'
import { failed, readForm } from './submitted-form.server.ts'

const HERE = '/dashboard/profile/my-data'

export async function loader({ context, request }: Route.LoaderArgs) {
  const call = api(context)
  const params = new URL(request.url).searchParams
  const { email } = await call(getOwnProfile)
  return { email, ...(await call(getFreshness)), done: params.get('done'), error: params.get('error') }
}

export async function action({ context, request }: Route.ActionArgs) {
  const { intent, text, secret, values } = await readForm(request)
  const current_password = secret('current_password')
  if (intent === 'confirm') {
    const { error } = await attempt(context, (call) =>
      call(confirmPassword, { body: { current_password: current_password ?? '' } }),
    )
    if (error) return failed(intent, error, { values })
    throw redirect(`${HERE}?done=confirmed#file`)
  }
  const { error } = await attempt(context, (call) =>
    call(eraseAccount, { body: { email: text('email'), current_password } }),
  )
  if (error) return failed('erase', error, { values })
  throw redirectDocument('/account-erased')
}

export default function MyDataPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('profile')
  const tried = (intent: string) => (actionData?.intent === intent ? actionData : undefined)
  return (
    <>
      <FileSection {...loaderData} tried={tried('confirm')} />
      <ProfileSection id="retention" title={t('retention')}>
        <p>{t('retention_text')}</p>
        <ul className={styles.consequences}>
          <li>{t('retention_profile')}</li>
          <li>{t('retention_sessions')}</li>
          <li>{t('retention_messages')}</li>
          <li>{t('retention_preferences')}</li>
          <li>{t('retention_audit')}</li>
        </ul>
      </ProfileSection>
      <EraseForm {...loaderData} tried={tried('erase')} />
    </>
  )
}
