import { Link } from 'react-router'
import { sourceForAdvisory } from '#shared/advisories/freshness.ts'
import { isVouchedFor } from '#web/advisories/freshness-text.ts'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { ChangeSentence } from '#web/countries/WhatChanged.tsx'
import { formatDay } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './CountryAdvice.module.css'
import type { Advice } from './dashboard.server.ts'

/** The user's countries in a column; the sources of each side by side, in their own wording. */
export function CountryAdvice({ advice }: { advice: readonly Advice[] }) {
  const t = useT('dashboard')
  if (advice.length === 0)
    return (
      <Note
        heading="h3"
        title={t('advice_none')}
        action={<ButtonLink to="/dashboard/profile">{t('step_choose_countries_button')}</ButtonLink>}
      >
        {t('advice_none_text')}
      </Note>
    )
  return (
    <div className={styles.board}>
      {advice.map((country) => (
        <section key={country.code} className={styles.country} aria-labelledby={`country-${country.code}`}>
          <header className={styles.head}>
            <h3 id={`country-${country.code}`}>
              <Link to={`/countries/${country.code}`}>
                <bdi>{country.name}</bdi>
              </Link>
            </h3>
            {country.highest && <SeverityTag severity={country.highest.severity_level} isPulsing={false} />}
          </header>
          {country.change && (
            <p className={styles.change}>
              <b>{t('changed')}</b> <bdi>{country.change.source}</bdi>,{' '}
              <Time value={country.change.at} precision={country.change.precision} look="day" />:{' '}
              <ChangeSentence change={country.change} />
            </p>
          )}
          <Says country={country} />
          <Others country={country} />
        </section>
      ))}
    </div>
  )
}

function Says({ country }: { country: Advice }) {
  const t = useT('dashboard')
  return (
    <ul className={styles.says}>
      {country.says.map((advisory) => (
        <li key={advisory.source.id}>
          <p className={styles.source}>
            <bdi>{advisory.source.name}</bdi> ·{' '}
            <Time value={advisory.last_updated} precision={advisory.date_precision} look="day" />
          </p>
          <p>
            <Link to={`/travel-advisories/${advisory.id}`}>
              <bdi lang={advisory.language}>{t('quote', { text: advisory.wording })}</bdi>
            </Link>
          </p>
          {!isVouchedFor(sourceForAdvisory(advisory.source, advisory)) && (
            <Doubt source={sourceForAdvisory(advisory.source, advisory)} />
          )}
          {advisory.isRead && (
            <p className={styles.read}>
              <Icon name="check" /> {t('advice_read')}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

function Doubt({ source: { state, captured_on } }: { source: Advice['says'][number]['source'] }) {
  const t = useT('dashboard')
  const language = useLanguage()
  return (
    <UnknownTag>
      {state === 'captured' ? t('captured_short', { day: formatDay(language, captured_on ?? 0) }) : t('not_confirmed')}
    </UnknownTag>
  )
}

/** No advisory is never an all-clear. */
function Others({ country: { says, unknown, silent, hasReadSources } }: { country: Advice }) {
  const t = useT('dashboard')
  return (
    <>
      {says.length === 0 && (
        <p className={styles.note}>
          {t(!hasReadSources ? 'advice_not_read' : silent > 0 ? 'advice_silent' : 'advice_not_confirmed')}
        </p>
      )}
      {unknown > 0 && <p className={styles.note}>{t('advice_unknown', { count: unknown })}</p>}
    </>
  )
}
