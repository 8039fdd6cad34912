import type { Freshness as State } from '#shared/churches/care.ts'
import { formatDay } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Tag, UnknownTag } from '#web/ui/Chip.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Care.module.css'

interface Props {
  locale: {
    freshness: State
    confirmed_at: string | null
    closed_since: string | null
    closed_until: string | null
  }
}

/** Reliability of a church's data: when it was confirmed, and whether it is closed. */
export function Freshness({ locale: { freshness, confirmed_at, closed_since, closed_until } }: Props) {
  const t = useT('care')
  const language = useLanguage()
  return (
    <span className={styles.freshness}>
      {freshness !== 'fresh' && <UnknownTag>{t(freshness)}</UnknownTag>}
      {confirmed_at ? (
        <span className={styles.muted}>
          {t('confirmed_on')} <Time value={confirmed_at} look="day" />
        </span>
      ) : (
        <span className={styles.muted}>{t('never_confirmed')}</span>
      )}
      {closed_since && (
        <Tag>
          {closed_until
            ? t('closed_until', { day: formatDay(language, closed_until) })
            : t('closed_since', { day: formatDay(language, closed_since) })}
        </Tag>
      )}
    </span>
  )
}
