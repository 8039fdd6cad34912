import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import type { LocalePageData, ServiceLine } from './locale.server.ts'
import { useMoment } from './NextService.tsx'
import styles from './Services.module.css'
import { LOCATOR_PATH } from './search.ts'

/** The services of a week in local time, and the next ones of other rules. */
export function Services({ locale }: { locale: LocalePageData }) {
  const t = useT('church')
  const { week, moments } = locale
  return (
    <section aria-labelledby="services">
      <h2 id="services">{t('services_title')}</h2>
      {week.length > 0 ? <Week locale={locale} /> : <p>{t('no_services')}</p>}
      {moments.length > 1 && <Coming locale={locale} />}
      <div className={styles.actions}>
        {moments.length > 0 && (
          <ButtonLink to={`${LOCATOR_PATH}/${locale.id}/services.ics`} reloadDocument icon="calendar">
            {t('calendar')}
          </ButtonLink>
        )}
        {locale.online && (
          <ButtonLink to={locale.online} rel="noopener nofollow" icon="external">
            {t('join_online')}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

function Week({ locale: { week, zone } }: { locale: LocalePageData }) {
  const t = useT('church')
  return (
    <>
      <dl className={styles.week}>
        {week.map(({ day, services }) => (
          <div key={day}>
            <dt>{day ?? t('other_days')}</dt>
            {services.map((line) => (
              <dd key={line.id}>
                <Line line={line} />
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {zone && <p className={styles.zone}>{t('zone_note', { place: zone.place, zone: `\u2068${zone.name}\u2069` })}</p>}
    </>
  )
}

function Line({ line }: { line: ServiceLine }) {
  const t = useT('church')
  const facts = [
    line.isNextDay && t('ends_next_day'),
    line.rule,
    line.language,
    line.isOnline && !line.onlineUrl && t('service_online'),
  ].filter(Boolean)
  return (
    <>
      <b>{line.until ? t('from_until', { from: line.time, until: line.until }) : line.time}</b> {line.service}
      {facts.length > 0 && <span className={styles.facts}> · {facts.join(' · ')}</span>}
      {line.onlineUrl && (
        <>
          {' · '}
          <a href={line.onlineUrl} rel="noopener nofollow">
            {t('join_online')}
          </a>
        </>
      )}
      {line.note && (
        <span className={styles.note}>
          <bdi>{line.note}</bdi>
        </span>
      )}
    </>
  )
}

/** Upcoming dates, for rules that have no weekday. */
function Coming({ locale: { moments } }: { locale: LocalePageData }) {
  const t = useT('church')
  const moment = useMoment()
  return (
    <details className={styles.coming}>
      <summary>{t('coming_title')}</summary>
      <ul>
        {moments.map((each) => (
          <li key={each.starts_at + each.service}>
            <time dateTime={each.starts_at}>{moment(each.zone, each.starts_at)}</time> · {each.service}
            {each.in_progress && ` (${t('now_short')})`}
          </li>
        ))}
      </ul>
    </details>
  )
}
