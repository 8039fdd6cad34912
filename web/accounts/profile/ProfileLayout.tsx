import { NavLink, Outlet } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { Page } from '#web/ui/Page.tsx'
import styles from './Profile.module.css'

export const handle = { ns: ['profile', 'signInChanges', 'accounts', 'forms'] } satisfies RouteHandle

const TABS = [
  { to: '/dashboard/profile', label: 'section_about' },
  { to: '/dashboard/profile/sign-in', label: 'section_sign_in' },
  { to: '/dashboard/profile/sessions', label: 'section_sessions' },
  { to: '/dashboard/profile/preferences', label: 'section_preferences' },
  { to: '/notifications/preferences', label: 'section_notifications' },
  { to: '/dashboard/subscriptions', label: 'section_subscriptions' },
  { to: '/dashboard/profile/my-data', label: 'section_my_data' },
] as const

/** Sections of the user's account, each a page of its own. */
export default function ProfileLayout() {
  const t = useT('profile')
  return (
    <Page width="text">
      <h1>{t('title')}</h1>
      <nav aria-label={t('parts_label')} className={styles.parts}>
        {TABS.map(({ to, label }) => (
          <NavLink key={to} to={to} end={to === '/dashboard/profile'}>
            {t(label)}
          </NavLink>
        ))}
      </nav>
      <Outlet />
    </Page>
  )
}
