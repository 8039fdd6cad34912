import { PlaceSearch } from '#web/countries/PlaceSearch.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import styles from './NotFound.module.css'

/** Not a dead end: most visitors who land here were looking for a country. */
export function NotFound() {
  const t = useT('content')
  return (
    <div className={styles.missing}>
      <h1>{t('not_found_title')}</h1>
      <p>{t('not_found_text')}</p>
      <PlaceSearch />
      <div className={styles.links}>
        <ButtonLink to="/">{t('not_found_home')}</ButtonLink>
        <ButtonLink to="/travel-advisories">{t('not_found_advisories')}</ButtonLink>
        <ButtonLink to="/support">{t('support_title')}</ButtonLink>
      </div>
    </div>
  )
}
