import { redirectDocument } from 'react-router'
import { confirmPassword, eraseAccount, getFreshness, getOwnProfile } from '#shared/accounts/own.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { resultOf } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api } from '#web/lib/visitor.ts'
import type { Route } from './+types/MyDataPage'
import { EraseForm } from './EraseForm.tsx'
import { FileSection } from './FileSection.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'

const HERE = '/dashboard/profile/my-data'

export async function loader({ context, request }: Route.LoaderArgs) {
  const call = api(context)
  const params = new URL(request.url).searchParams
  const { email } = await call(getOwnProfile)
  return { email, ...(await call(getFreshness)), done: params.get('done'), error: params.get('error') }
}

export const action = formAction(
  {
    confirm: async (call, { text, flash }) => {
      await call(confirmPassword, { body: { current_password: text('current_password') } })
      return flash(`${HERE}#file`, 'confirmed')
    },
    erase: async (call, { text }) => {
      const body = { email: text('email').trim(), current_password: text('current_password') || undefined }
      await call(eraseAccount, { body })
      throw redirectDocument('/account-erased')
    },
  },
  { returned: ['email'] },
)

export default function MyDataPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('profile')
  return (
    <>
      <FileSection {...loaderData} tried={resultOf(actionData, 'confirm')} />
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
      <EraseForm {...loaderData} tried={resultOf(actionData, 'erase')} />
    </>
  )
}
