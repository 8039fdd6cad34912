import { useLocation } from 'react-router'
import { directionOf, LANGUAGE_NAMES, LANGUAGE_TAGS, LANGUAGES, type Language } from '#shared/language.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from './Icon.tsx'
import styles from './LanguageSwitch.module.css'

/** As many other languages stand side by side; more are in a menu. */
const SIDE_BY_SIDE = 2

interface Props {
  languages?: readonly Language[]
  className?: string | undefined
}

/** The same page in the other languages, always visible, each in its own script. Loads a new document. */
export function LanguageSwitch({ languages = LANGUAGES, className }: Props) {
  const t = useT('common')
  const { pathname, search } = useLocation()
  const current = useLanguage()
  const links = languages
    .filter((language) => language !== current)
    .map((language) => {
      const query = new URLSearchParams(search)
      query.set('lng', language)
      return (
        <li key={language}>
          {/* The server drops unknown query parameters; both URLs lead to the same page. */}
          <a
            href={`${pathname}?${query}`}
            hrefLang={LANGUAGE_TAGS[language]}
            lang={LANGUAGE_TAGS[language]}
            dir={directionOf(language)}
            suppressHydrationWarning
          >
            {LANGUAGE_NAMES[language]}
          </a>
        </li>
      )
    })
  return (
    <nav className={classes(styles.switch, className)} aria-label={t('language')}>
      {links.length > SIDE_BY_SIDE ? (
        <details className={styles.menu}>
          <summary>
            <Icon name="speech" />
            {LANGUAGE_NAMES[current]}
          </summary>
          <ul>{links}</ul>
        </details>
      ) : (
        <ul>{links}</ul>
      )}
    </nav>
  )
}
