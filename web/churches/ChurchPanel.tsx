import { Link } from 'react-router'
import { MAX_COUNTRIES } from '#shared/countries/limits.ts'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { BriefList } from './BriefList.tsx'
import styles from './ChurchPanel.module.css'
import type { ChurchesInCountries, ChurchesInCountry } from './churches-in-countries.server.ts'

interface Props {
  churches: ChurchesInCountries
  heading: 'h2' | 'h3'
  /** Collapsed initially. */
  isCompact?: boolean
  /** URL of the list for all countries. */
  all: string
}

/** With more countries than this, finding churches needs a search of its own. */
const MANY_COUNTRIES = 2

/** Local contacts in the countries of an advisory (000 §2 l.43). */
export function ChurchPanel({ churches, heading: Heading, isCompact = false, all }: Props) {
  const t = useT('advisory')
  if (churches.countries.length === 0) return null
  if (!isCompact)
    return (
      <section>
        <Heading>{t('churches')}</Heading>
        <Content churches={churches} all={all} />
      </section>
    )
  return (
    <section>
      <details className={styles.fold}>
        <summary>
          <Heading>{t('churches')}</Heading>
        </summary>
        <Content churches={churches} all={all} />
      </details>
    </section>
  )
}

function Content({ churches: { countries, codes, isAll }, all }: Pick<Props, 'churches' | 'all'>) {
  const t = useT('advisory')
  const search = codes.length > MAX_COUNTRIES ? '' : `?countries=${codes.join()}`
  if (countries.every(({ hasFailed }) => hasFailed)) return <Note kind="unknown" title={t('churches_failed')} />
  return (
    <>
      {countries.map((country) => (
        <InCountry key={country.code} country={country} />
      ))}
      {!isAll && (
        <p>
          <Link to={all} className={styles.more}>
            {t('churches_all', { number: codes.length })}
          </Link>
        </p>
      )}
      {codes.length > MANY_COUNTRIES && (
        <ButtonLink to={`/find-churches${search}`} reloadDocument isSmall icon="search">
          {t('churches_more')}
        </ButtonLink>
      )}
    </>
  )
}

function InCountry({ country: { code, name, hasFailed, locales, total } }: { country: ChurchesInCountry }) {
  const t = useT('advisory')
  if (hasFailed) return <p className={styles.warning}>{t('churches_failed_in', { country: name })}</p>
  if (locales.length === 0) return <p>{t('churches_none', { country: name })}</p>
  return (
    <div>
      <p className={styles.country}>
        <bdi>{name}</bdi>
      </p>
      <BriefList locales={locales} />
      {total > locales.length && (
        <Link to={`/church-locator?country=${code}`} className={styles.more}>
          {t('churches_in', { country: name, number: total })}
        </Link>
      )}
    </div>
  )
}
