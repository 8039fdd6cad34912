import { emergencyPath, GENERAL_NUMBER } from '#shared/emergency/address.ts'
import { useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './CallStrip.module.css'
import type { FirstCall } from './place.server.ts'

interface Props {
  /** Null: the country or its number is unknown. */
  call: FirstCall | null
  /** Set if the country is known even though its number is not. */
  country?: string | null
  isOnDark?: boolean
}

/**
 * The number to call first and a link to the emergency page, for other pages. Its links load a new document: the
 * emergency page has no scripts.
 */
export function CallStrip({ call, country = call?.country ?? null, isOnDark }: Props) {
  const t = useT('common')
  return (
    <div className={classes(styles.strip, isOnDark && styles.onDark)}>
      <a href={telOf(call?.phone ?? GENERAL_NUMBER)} className={styles.call}>
        <Icon name="phone" />
        <span className={styles.label}>{t(call ? `emergency_call_${call.code}` : 'emergency_call_general')}</span>
        <span className={styles.phone}>
          <bdi dir="ltr">{call?.phone ?? GENERAL_NUMBER}</bdi>
        </span>
      </a>
      {call?.origin && (
        <p className={styles.from}>
          {t(`emergency_from_${call.origin}`, { country: call.name })}{' '}
          <a href="/emergency/countries">{t('emergency_change')}</a>
        </p>
      )}
      <p className={styles.links}>
        {!country && <a href="/emergency/countries">{t('emergency_choose')}</a>}
        <a href={emergencyPath(country)}>{t('emergency_what_to_do')}</a>
      </p>
    </div>
  )
}
