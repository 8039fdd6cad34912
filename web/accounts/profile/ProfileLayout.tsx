import { NavLink, Outlet } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { Page } from '#web/ui/Page.tsx'
import styles from './Profile.module.css'

export const handle = { ns: ['profile', 'signInChanges', 'accounts', 'forms'] } satisfies RouteHandle

const TABS = [
  { to: '/dashboard/profile', label: 'part_about' },
  { to: '/dashboard/profile/sign-in', label: 'part_sign_in' },
  { to: '/dashboard/profile/sessions', label: 'part_sessions' },
  { to: '/dashboard/profile/preferences', label: 'part_preferences' },
  { to: '/notifications/preferences', label: 'part_notifications' },
  { to: '/dashboard/subscriptions', label: 'part_subscriptions' },
  { to: '/dashboard/profile/my-data', label: 'part_my_data' },
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
