import { useT } from '../../lib/i18n.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import styles from './Notices.module.css'
import { NOTICES, REMINDERS, TEMPLATES } from './paths.ts'

const TABS = [
  { key: 'history', to: NOTICES },
  { key: 'templates', to: TEMPLATES },
  { key: 'reminders', to: REMINDERS },
] as const

/** The parts of looking after what people are told. */
export function NoticeTabs({ current }: { current: (typeof TABS)[number]['key'] }) {
  const t = useT('notices')
  return (
    <div className={styles.tabs}>
      <Tabs
        label={t('parts')}
        tabs={TABS.map(({ key, to }) => ({ key, to, label: t(`tab_${key}`), isCurrent: key === current }))}
      />
    </div>
  )
}
