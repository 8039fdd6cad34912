import { Link } from 'react-router'
import { emergencyPath, GENERAL_NUMBER } from '#shared/emergency/address.ts'
import { useNow } from '#web/lib/clock.ts'
import { formatClock, formatShortDay, isolated, zoneName } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './CountryStrip.module.css'
import type { CountryData } from './country.server.ts'

/** What to do now: call, go to church, be notified. */
export function CountryStrip({ data }: { data: CountryData }) {
  const t = useT('countries')
  return (
    <div className={styles.strip}>
      <Call data={data} />
      <div className={styles.church}>
        <Church data={data} />
      </div>
      <div className={styles.notify}>
        <ButtonLink to={`/dashboard/subscriptions/new?country=${data.code}`} icon="bell">
          {t('notify_me')}
        </ButtonLink>
        <p>{t('notify_text', { country: data.name })}</p>
      </div>
    </div>
  )
}

/** Without a confirmed number, the one that works on most networks. */
function Call({ data: { code, emergency } }: { data: CountryData }) {
  const t = useT('common')
  const own = useT('countries')
  const phone = emergency.first?.phone ?? GENERAL_NUMBER
  const label = emergency.first?.code === 'police' ? 'emergency_call_police' : 'emergency_call_emergency'
  return (
    <div className={styles.call}>
      <a href={telOf(phone)} className={styles.number}>
        <Icon name="phone" />
        <span className={styles.label}>{t(emergency.first ? label : 'emergency_call_general')}</span>
        <span className={styles.phone}>
          <bdi dir="ltr">{phone}</bdi>
        </span>
      </a>
      {/* The emergency page has no scripts: a new document. */}
      <a href={emergencyPath(code)} className={styles.others}>
        {own('call_others')}
      </a>
    </div>
  )
}

function Church({ data: { code, name, churches } }: { data: CountryData }) {
  const t = useT('countries')
  const { hasFailed, church, abroad, total } = churches
  const all = total > 0 && (
    <Link to={`/church-locator?country=${code}`} className={styles.all}>
      {t('churches_all', { country: name })}
    </Link>
  )
  if (!church)
    return (
      <>
        <p>
          <b>
            {total > 0
              ? t('churches_no_service')
              : t(hasFailed ? 'churches_failed' : 'churches_none', { country: name })}
          </b>
        </p>
        {abroad && (
          <p>
            {t('churches_abroad')}{' '}
            <Link to={`/church-locator/${abroad.id}`}>
              <bdi>{abroad.name}</bdi>
            </Link>
            {t('comma')}
            <bdi>{abroad.country}</bdi>
          </p>
        )}
        {all || (
          <Link to="/church-locator" className={styles.all}>
            {t('churches_find')}
          </Link>
        )}
      </>
    )
  return (
    <>
      <p>
        {t(church.next.isNow ? 'service_now' : 'service_next')}{' '}
        <Link to={`/church-locator/${church.id}`}>
          <bdi>{church.name}</bdi>
        </Link>
      </p>
      <ServiceTime next={church.next} />
      <div className={styles.links}>
        {church.directions && (
          <ButtonLink to={church.directions} icon="pin" isSmall>
            {t('directions')}
          </ButtonLink>
        )}
        {all}
      </div>
    </>
  )
}

/** The time there, and below it the user's own if it differs: only the device knows its zone. */
function ServiceTime({ next: { starts_at, there, zone } }: { next: Service['next'] }) {
  const t = useT('countries')
  const language = useLanguage()
  const now = useNow()
  const own = now === null ? null : Intl.DateTimeFormat().resolvedOptions().timeZone
  const momentIn = (zone: string) =>
    `${formatShortDay(language, starts_at, zone)}${t('comma')}${formatClock(language, starts_at, zone)}`
  return (
    <>
      <p>
        <b>{there}</b>
      </p>
      <p className={styles.own}>
        {own &&
          momentIn(own) !== momentIn(zone) &&
          t('service_own', { moment: momentIn(own), place: isolated(zoneName(own)) })}
      </p>
    </>
  )
}

type Service = NonNullable<CountryData['churches']['church']>
