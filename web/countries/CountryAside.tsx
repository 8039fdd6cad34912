import { Link } from 'react-router'
import { emergencyPath } from '#shared/emergency/address.ts'
import { HOME } from '#shared/emergency/missions.ts'
import { useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import styles from './CountryPage.module.css'
import type { CountryData } from './country.server.ts'

/** Beside the advisories: numbers to call, what to settle before leaving, the sources themselves. */
export function CountryAside({ data }: { data: CountryData }) {
  return (
    <aside className={styles.aside}>
      <Numbers data={data} />
      <BeforeYouGo hasEmbassies={data.facts.capital !== '' && data.code !== HOME} />
      <OfficialPages data={data} />
    </aside>
  )
}

const MISSIONS = 3

function Numbers({ data: { code, name, emergency } }: { data: CountryData }) {
  const t = useT('countries')
  const common = useT('common')
  return (
    <Surface>
      <h2>{t('numbers_title', { country: name })}</h2>
      {emergency.missions.slice(0, MISSIONS).map(({ record, kind, name, phone }) => (
        <div key={record} className={styles.mission}>
          {name ? <bdi>{name}</bdi> : t(kind === 'labour_attache' ? 'numbers_labour' : 'numbers_mission')}
          <a href={telOf(phone)} className={styles.phone}>
            <bdi dir="ltr">{phone}</bdi>
          </a>
        </div>
      ))}
      {emergency.missions.length === 0 && (
        <p>
          {t('numbers_none')}{' '}
          <a href={emergency.page} rel="noreferrer">
            {t('says_official')}
          </a>
        </p>
      )}
      {/* The emergency page has no scripts: a new document. */}
      <a href={emergencyPath(code)}>{common('emergency_what_to_do')}</a>
    </Surface>
  )
}

/** A country without a capital has no embassies; most readers are citizens of their home country. */
function BeforeYouGo({ hasEmbassies }: { hasEmbassies: boolean }) {
  const t = useT('countries')
  return (
    <Surface>
      <h2>{t('before_title')}</h2>
      <dl className={styles.steps}>
        {hasEmbassies && (
          <div>
            <dt>{t('before_visa')}</dt>
            <dd>{t('before_visa_text')}</dd>
          </div>
        )}
        <div>
          <dt>{t('before_questions')}</dt>
          <dd>
            <Link to="/travel-faq">{t('service_faq')}</Link>
          </dd>
        </div>
        <div>
          <dt>{t('before_help')}</dt>
          <dd>
            <Link to="/support">{t('help_link')}</Link>
          </dd>
        </div>
      </dl>
    </Surface>
  )
}

function OfficialPages({ data: { rows } }: { data: CountryData }) {
  const t = useT('countries')
  return (
    <Surface>
      <h2>{t('official_pages')}</h2>
      <ul>
        {rows.map(({ id, name, homepage }) => (
          <li key={id}>
            <a href={homepage} rel="noreferrer">
              <bdi>{name}</bdi>
              <Icon name="external" />
            </a>
          </li>
        ))}
        <li>
          <Link to="/countries">{t('more_countries')}</Link>
        </li>
      </ul>
    </Surface>
  )
}
