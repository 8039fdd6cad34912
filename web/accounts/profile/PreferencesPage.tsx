import { Link } from 'react-router'
import { changeOwnProfile, getOwnProfile } from '#shared/accounts/own.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api } from '#web/lib/visitor.ts'
import { CheckField } from '#web/ui/CheckField.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { LanguageLink } from '#web/ui/LanguageLink.tsx'
import { ThemeChoice } from '#web/ui/ThemeChoice.tsx'
import type { Route } from './+types/PreferencesPage'
import styles from './Profile.module.css'
import { ChangedMeanwhile, ProfileSection } from './ProfileSection.tsx'

const HERE = '/dashboard/profile/preferences'

export async function loader({ context, request }: Route.LoaderArgs) {
  const { preferences, updated_at } = await api(context)(getOwnProfile)
  return { preferences, updated_at, done: new URL(request.url).searchParams.get('done') }
}

export const action = formAction(async (call, { text, flash }) => {
  const preferences = { single_key_shortcuts: text('single_key_shortcuts') === 'on' }
  await call(changeOwnProfile, { body: { updated_at: text('updated_at'), preferences } })
  return flash(HERE, 'saved')
})

export { revalidateAfterConflict as shouldRevalidate } from '#web/lib/form-result.ts'

export default function PreferencesPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('profile')
  const { preferences, updated_at, done } = loaderData
  const chosen = actionData ? 'single_key_shortcuts' in actionData.values : preferences.single_key_shortcuts
  const isConflict = actionData?.error?.code === 'changed_meanwhile'
  const onOffText = (isOn: boolean) => t(isOn ? 'on' : 'off')
  return (
    <>
      <ProfileSection id="keys" title={t('keys')} done={done === 'saved' && !actionData && t('saved')}>
        <Form action={HERE} error={isConflict ? undefined : actionData?.error} isUnsaved={actionData !== undefined}>
          {isConflict && (
            <ChangedMeanwhile
              compared={[
                { label: t('keys'), entered: onOffText(chosen), saved: onOffText(preferences.single_key_shortcuts) },
              ]}
            />
          )}
          <input type="hidden" name="updated_at" value={updated_at} />
          <CheckField name="single_key_shortcuts" label={t('keys_label')} defaultChecked={chosen} />
          <p className={styles.second}>{t('keys_hint')}</p>
          <div className={styles.buttons}>
            <Submit busyLabel={t('saving')}>{t('save')}</Submit>
          </div>
        </Form>
      </ProfileSection>
      <ProfileSection id="look" title={t('look')}>
        <ThemeChoice />
        <p>{t('look_text')}</p>
        <p>
          {t('language_text')} <LanguageLink />
        </p>
        <p>
          {t('language_messages')} <Link to="/dashboard/profile#about">{t('section_about')}</Link>
        </p>
      </ProfileSection>
    </>
  )
}
