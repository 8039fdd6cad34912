import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './ChooseCountry.module.css'
import type { NamedNumber } from './numbers.server.ts'

/** Asks for the country, below the general number. */
export function AskCountry({ unknownCode }: { unknownCode: string | null }) {
  const t = useT('emergency')
  return (
    <div className={styles.ask}>
      {unknownCode !== null && (
        <p role="status" className={styles.unknown}>
          {t('unknown_code', { code: isolated(unknownCode.slice(0, 20)) })}
        </p>
      )}
      <SearchForm />
    </div>
  )
}

/** The most needed numbers, and a link to all of them. */
export function PopularNumbers({ rows, total }: { rows: NamedNumber[]; total: number }) {
  const t = useT('emergency')
  return (
    <section aria-labelledby="popular">
      <h2 id="popular">{t('popular')}</h2>
      <a href="/emergency/countries" className={styles.all}>
        {t('all_countries', { number: total })}
      </a>
      <CountryNumbers rows={rows} />
      <p className={styles.once}>
        <b>{t('choose_once')}</b> {t('choose_once_text')}
      </p>
    </section>
  )
}

/** Search for a country; works without scripts. */
export function SearchForm({ search = '' }: { search?: string }) {
  const t = useT('emergency')
  return (
    <form method="get" action="/emergency/countries" className={styles.search}>
      <h2 id="which">{t('which_country')}</h2>
      <label htmlFor="search" className="visually-hidden">
        {t('search_label')}
      </label>
      <input
        id="search"
        type="search"
        name="search"
        dir="auto"
        maxLength={100}
        placeholder={t('search_label')}
        defaultValue={search}
      />
      <Button look="primary" type="submit">
        {t('search_button')}
      </Button>
    </form>
  )
}

/** Each country links to its page, and its number calls. */
export function CountryNumbers({ rows }: { rows: readonly NamedNumber[] }) {
  const t = useT('emergency')
  return (
    <ul className={styles.numbers}>
      {rows.map(({ code, name, city, number }) => (
        <li key={`${code} ${city ?? ''}`}>
          <a href={`/emergency/${code}`}>{city ? t('city_in', { city: isolated(city), country: name }) : name}</a>
          {number ? (
            <a href={telOf(number.phone)} className={styles.number}>
              <Icon name="phone" />
              {number.code !== 'emergency' && <span className={styles.kind}>{t(`number_${number.code}`)}</span>}
              <bdi dir="ltr">{number.phone}</bdi>
            </a>
          ) : (
            <span className={styles.kind}>{t('no_number')}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
