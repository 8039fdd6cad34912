import { NavLink, Outlet } from 'react-router'
import profile from '#web/accounts/profile/Profile.module.css'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { Page } from '#web/ui/Page.tsx'

export const handle = { ns: ['notifications', 'forms'] } satisfies RouteHandle

const TABS = [
  { to: '/notifications', label: 'section_list' },
  { to: '/notifications/preferences', label: 'section_preferences' },
  { to: '/dashboard/subscriptions', label: 'section_subscriptions' },
] as const

/** Tabs: inbox and notification preferences, each a page of its own. */
export default function NotificationsLayout() {
  const t = useT('notifications')
  return (
    <Page width="text">
      <h1>{t('title')}</h1>
      <nav aria-label={t('parts_label')} className={profile.parts}>
        {TABS.map(({ to, label }) => (
          <NavLink key={to} to={to} end>
            {t(label)}
          </NavLink>
        ))}
      </nav>
      <Outlet />
    </Page>
  )
}
