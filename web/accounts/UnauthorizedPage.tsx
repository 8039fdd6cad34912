import { data } from 'react-router'
import { dashboardOf } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import type { Route } from './+types/UnauthorizedPage'
import { Step } from './AuthCard.tsx'
import { SignOutButton } from './SignOutButton.tsx'
import styles from './UnauthorizedPage.module.css'

export const handle = { ns: ['accounts'] } satisfies RouteHandle

export function loader({ context }: Route.LoaderArgs) {
  const { user } = visitorOf(context)
  return data({ role: user?.role ?? null }, { status: 403 })
}

/** Not a dead end: shows the user's role and where they may go (D-23). */
export default function UnauthorizedPage({ loaderData: { role } }: Route.ComponentProps) {
  const t = useT('accounts')
  return (
    <Step title={t('unauthorized_title')}>
      {role ? (
        <p>
          {t('unauthorized_text')} <strong>{t(`role_${role}`)}</strong>
        </p>
      ) : (
        <p>{t('unauthorized_nobody')}</p>
      )}
      <p>{t('unauthorized_ask')}</p>
      <div className={styles.methods}>
        {role ? (
          <ButtonLink look="primary" to={dashboardOf(role)}>
            {t('dashboard')}
          </ButtonLink>
        ) : (
          <ButtonLink look="primary" to="/login">
            {t('sign_in')}
          </ButtonLink>
        )}
        <ButtonLink to="/">{t('home')}</ButtonLink>
        <ButtonLink to="/support">{t('support')}</ButtonLink>
        {role && <SignOutButton label={t('sign_in_as_other')} />}
      </div>
    </Step>
  )
}
