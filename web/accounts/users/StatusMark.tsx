import type { ProfileStatus } from '#shared/accounts/profile.ts'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './Users.module.css'

/** Status as text with its own shape: waiting, verified, suspended; and the flag for review. */
export function StatusMark({ user }: { user: { profile_status: ProfileStatus; is_flagged: boolean } }) {
  const t = useT('users')
  return (
    <span className={classes(styles.status, styles[user.profile_status])}>
      <span>{t(`status_${user.profile_status}`)}</span>
      {user.is_flagged && <span className={styles.flagged}>{t('flagged')}</span>}
    </span>
  )
}
