import type { ReactNode } from 'react'
import type { EmergencyNumber } from '#shared/emergency/endpoints.ts'
import { formatDay } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './CallRow.module.css'

interface RowProps {
  phone: string
  label: ReactNode
  text?: ReactNode
  /** Only for the number to call first, once per page. */
  isBig?: boolean
  isOld?: boolean
}

/** The whole row is a `tel:` link. */
export function CallRow({ phone, label, text, isBig, isOld }: RowProps) {
  return (
    <a href={telOf(phone)} className={classes(styles.call, isBig && styles.big, isOld && styles.old)}>
      <Icon name="phone" className={styles.icon} />
      <span className={styles.about}>
        <span className={styles.label}>{label}</span>
        {text && <span className={styles.text}>{text}</span>}
      </span>
      <span className={styles.phone}>
        <bdi dir="ltr">{phone}</bdi>
      </span>
    </a>
  )
}

/** The number that works on most networks, for an unknown country or a country without a number. */
export function GeneralCall({ phone }: { phone: string }) {
  const t = useT('emergency')
  return <CallRow isBig phone={phone} label={t('general')} text={t('general_text')} />
}

/** A number of a country with its purpose and when it was confirmed. */
export function NumberRow({ number, isBig }: { number: EmergencyNumber; isBig?: boolean }) {
  const t = useT('emergency')
  const language = useLanguage()
  const date = formatDay(language, number.checked_on)
  return (
    <CallRow
      isBig={isBig ?? false}
      isOld={number.is_expired}
      phone={number.phone}
      label={number.name ? <bdi>{number.name}</bdi> : t(`number_${number.code}`)}
      text={
        <>
          {number.name && <span className={styles.part}>{t(`number_${number.code}`)}</span>}
          {number.hours && (
            <span className={styles.part}>
              <bdi>{number.hours}</bdi>
            </span>
          )}
          <span className={styles.part}>{t(number.is_expired ? 'checked' : 'confirmed', { date })}</span>
        </>
      }
    />
  )
}

/** Placeholder for a number that is not confirmed. */
export function MissingRow({ text, page }: { text: string; page: string }) {
  const t = useT('emergency')
  return (
    <p className={styles.missing}>
      <Icon name="unknown" />
      <span>
        {text}{' '}
        <a href={page} rel="noreferrer">
          {t('official_page')}
        </a>
      </span>
    </p>
  )
}

/** Expired numbers: collapsed, and labelled as such. */
export function OlderNumbers({ numbers }: { numbers: readonly EmergencyNumber[] }) {
  const t = useT('emergency')
  if (numbers.length === 0) return null
  return (
    <details className={styles.older}>
      <summary>
        <Icon name="unknown" />
        <span>{t('older', { count: numbers.length })}</span>
        <Icon name="chevron" className={styles.chevron} />
      </summary>
      {numbers.map((number) => (
        <NumberRow key={number.record} number={number} />
      ))}
    </details>
  )
}
