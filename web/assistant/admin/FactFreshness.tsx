import { useT } from '#web/lib/i18n.tsx'
import { Tag } from '#web/ui/Chip.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Admin.module.css'

interface Props {
  freshness: 'expired' | 'due' | 'fresh'
  is_active: boolean
  checked_on: string
  valid_until: string
}

/** Until when a fact may be used without a warning, when it was last checked, and whether it is active. */
export function FactFreshness({ freshness, is_active, checked_on, valid_until }: Props) {
  const t = useT('assistantAdmin')
  return (
    <span className={styles.freshness}>
      <span className={styles[freshness]}>
        {t(`freshness_${freshness}`)} <Time value={valid_until} look="day" precision="day" />
      </span>
      <span className={styles.small}>
        {t('looked_up')} <Time value={checked_on} look="day" precision="day" />
      </span>
      {!is_active && <Tag>{t('inactive')}</Tag>}
    </span>
  )
}
