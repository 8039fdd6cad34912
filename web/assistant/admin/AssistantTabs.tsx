import { useT } from '#web/lib/i18n.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import styles from './Admin.module.css'
import { ASSISTANT, FACTS, KNOWLEDGE, KNOWLEDGE_SEARCH } from './paths.ts'

const TABS = [
  { key: 'questions', to: ASSISTANT },
  { key: 'facts', to: FACTS },
  { key: 'knowledge', to: KNOWLEDGE },
  { key: 'search', to: KNOWLEDGE_SEARCH },
] as const

/** Tabs of the assistant administration. */
export function AssistantTabs({ current }: { current: (typeof TABS)[number]['key'] }) {
  const t = useT('assistantAdmin')
  return (
    <div className={styles.tabs}>
      <Tabs
        label={t('parts')}
        tabs={TABS.map(({ key, to }) => ({ key, to, label: t(`tab_${key}`), isCurrent: key === current }))}
      />
    </div>
  )
}
