import { useT } from '#web/lib/i18n.tsx'
import type { LocalePageData } from './locale.server.ts'
import { useMoment } from './NextService.tsx'
import styles from './PrintCard.module.css'

const ON_CARD = 3

/** Everything that is printed of the page: one card, with the address in local script large enough for a driver. */
export function PrintCard({ locale }: { locale: LocalePageData }) {
  const t = useT('church')
  const moment = useMoment()
  const { servants, phone, moments, localAddress, address } = locale
  const call = phone ?? servants.find(({ contact }) => contact)?.contact
  return (
    <div className={styles.card} aria-hidden="true">
      <p className={styles.name}>
        <bdi>{locale.name}</bdi>
        {locale.localName && (
          <>
            <br />
            <bdi>{locale.localName}</bdi>
          </>
        )}
      </p>
      <p className={styles.large}>
        <bdi>{localAddress ?? address}</bdi>
      </p>
      {localAddress && (
        <p className={styles.latin}>
          <bdi>{address}</bdi>
        </p>
      )}
      <p>{locale.place}</p>
      {call && (
        <p className={styles.phone}>
          <bdi dir="ltr">{call}</bdi>
        </p>
      )}
      {moments.length > 0 && (
        <div className={styles.services}>
          <b>{t('card_services')}</b>
          <ul>
            {moments.slice(0, ON_CARD).map((each) => (
              <li key={each.starts_at + each.service}>
                {moment(each.zone, each.starts_at)} · {each.service}
              </li>
            ))}
          </ul>
        </div>
      )}
      {locale.closed && <p>{locale.closed}</p>}
    </div>
  )
}
