import { Form, Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { SessionUser } from '#web/lib/visitor.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './AdminAccount.module.css'
import { ThemeChoice } from './ThemeChoice.tsx'

/** Who is signed in, with colours, profile and the way out. Opens and closes by itself, without scripts too. */
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
