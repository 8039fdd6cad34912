import { PasswordField } from '#web/accounts/PasswordField.tsx'
import { useT } from '#web/lib/i18n.tsx'

/** The password again, before something that an open screen alone must not allow. */
export function CurrentPassword({ error }: { error: string | undefined }) {
  const t = useT('profile')
  return (
    <PasswordField
      label={t('current_password')}
      name="current_password"
      autoComplete="current-password"
      error={error}
    />
  )
}
