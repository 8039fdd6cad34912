import { Form, Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { SessionUser } from '#web/lib/visitor.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { ThemeChoice } from '#web/ui/ThemeChoice.tsx'
import styles from './AdminAccount.module.css'

/** Account menu: theme, profile and sign-out. Opens and closes without scripts. */
export function AdminAccount({ user }: { user: SessionUser }) {
  const t = useT('admin')
  return (
    <>
      <button
        type="button"
        className={styles.button}
        popoverTarget="admin-account"
        aria-label={t('account_of', { name: user.name })}
      >
        <Icon name="person" />
      </button>
      <div id="admin-account" popover="auto" className={styles.panel}>
        <p className={styles.name}>
          <bdi>{user.name}</bdi>
          <span>{t(`role_${user.role}`)}</span>
        </p>
        <ThemeChoice />
        <Link to="/dashboard/profile">{t('profile')}</Link>
        <Form method="post" action="/logout" reloadDocument>
          <button type="submit">{t('sign_out')}</button>
        </Form>
      </div>
    </>
  )
}
