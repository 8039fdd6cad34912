import { useT } from '../../lib/i18n.tsx'
import { Tag } from '../../ui/Chip.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './Admin.module.css'

interface Props {
  standing: 'expired' | 'due' | 'fresh'
  is_active: boolean
  valid_until: string
}

/** Until when a fact may be said without a warning, and whether it is said at all. */
export function FactStanding({ standing, is_active, valid_until }: Props) {
  const t = useT('assistantAdmin')
  return (
    <span className={styles.marks}>
      <span className={styles[standing]}>
        {t(`standing_${standing}`)} <Time value={valid_until} look="day" precision="day" />
      </span>
      {!is_active && <Tag>{t('inactive')}</Tag>}
    </span>
  )
}
