import { accessOfPage } from '#shared/page-access.ts'
import { mayPass } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { Tabs } from '#web/ui/Tabs.tsx'

const TABS = [
  { key: 'accounts', to: '/admin/users' },
  { key: 'roles', to: '/admin/roles' },
  { key: 'sign_ins', to: '/admin/users/sign-ins' },
] as const

/** User pages that the visitor's role may open; a single one needs no tabs. */
export function UsersTabs({ current }: { current: (typeof TABS)[number]['key'] }) {
  const t = useT('users')
  const user = useUser()
  const tabs = TABS.filter(({ to }) => mayPass(accessOfPage(to), user?.role ?? null))
  if (tabs.length < 2) return null
  return (
    <Tabs
      label={t('users_pages')}
      tabs={tabs.map(({ key, to }) => ({ key, to, label: t(`page_${key}`), isCurrent: key === current }))}
    />
  )
}
