import { accessOfPage } from '#shared/page-access.ts'
import { mayPass } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { Tabs } from '#web/ui/Tabs.tsx'
import styles from './Announcements.module.css'
import { ANNOUNCEMENTS, REMINDERS, TEMPLATES } from './paths.ts'

const TABS = [
  { key: 'history', to: ANNOUNCEMENTS },
  { key: 'templates', to: TEMPLATES },
  { key: 'reminders', to: REMINDERS },
] as const

/** Tabs of the notification administration. */
export function AnnouncementTabs({ current }: { current: (typeof TABS)[number]['key'] }) {
  const t = useT('announcements')
  const user = useUser()
  const tabs = TABS.filter(({ to }) => mayPass(accessOfPage(to), user?.role ?? null))
  if (tabs.length < 2) return null
  return (
    <div className={styles.tabs}>
      <Tabs
        label={t('parts')}
        tabs={tabs.map(({ key, to }) => ({ key, to, label: t(`tab_${key}`), isCurrent: key === current }))}
      />
    </div>
  )
}
