import { useT } from '#web/lib/i18n.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { MANAGE } from './paths.ts'

const TABS = { list: MANAGE, sources: `${MANAGE}/sources`, names: `${MANAGE}/names` } as const

/** Tabs of the advisory administration. */
export function AdvisoryTabs({ current }: { current: keyof typeof TABS }) {
  const t = useT('manage')
  const tabs = (Object.keys(TABS) as (keyof typeof TABS)[]).map((key) => ({
    key,
    label: t(`tab_${key}`),
    to: TABS[key],
    isCurrent: key === current,
  }))
  return <Tabs label={t('tabs')} tabs={tabs} />
}
