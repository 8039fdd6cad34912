import { Link } from 'react-router'
import { useT } from '../../lib/i18n.tsx'
import styles from './AdvisoryTabs.module.css'
import { MANAGE } from './paths.ts'

const TABS = { list: MANAGE, sources: `${MANAGE}/sources`, names: `${MANAGE}/names` } as const

/** The three pages of the administration of advisories. */
export function AdvisoryTabs({ current }: { current: keyof typeof TABS }) {
  const t = useT('manage')
  return (
    <nav aria-label={t('tabs')} className={styles.tabs}>
      {(Object.keys(TABS) as (keyof typeof TABS)[]).map((tab) => (
        <Link key={tab} to={TABS[tab]} aria-current={tab === current ? 'page' : undefined}>
          {t(`tab_${tab}`)}
        </Link>
      ))}
    </nav>
  )
}
