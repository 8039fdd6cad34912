import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './RecipientList.module.css'

/** The phone number, as a large touch target. */
export function Phone({ recipient: { name, phone } }: { recipient: { name: string; phone: string | null } }) {
  const t = useT('rollCalls')
  if (!phone) return <span className={styles.muted}>{t('no_phone')}</span>
  return (
    <a className={styles.phone} href={telOf(phone)} aria-label={`${t('call', { name: isolated(name) })}: ${phone}`}>
      <Icon name="phone" /> <bdi dir="ltr">{phone}</bdi>
    </a>
  )
}
