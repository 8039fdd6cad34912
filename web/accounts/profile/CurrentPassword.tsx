import { useT } from '#web/lib/i18n.tsx'
import { PasswordField } from '../PasswordField.tsx'

/** Current password, required before actions that an unattended screen must not allow. */
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
