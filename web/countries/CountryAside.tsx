import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import styles from './CountryPage.module.css'
import type { ShownSource } from './country-page.ts'

interface Props {
  code: string
  name: string
  sources: readonly ShownSource[]
}

/** Beside the advisories: human help, the sources themselves, and further links. */
export function CountryAside({ code, name, sources }: Props) {
  const t = useT('countries')
  return (
    <aside className={styles.aside}>
      <Surface>
        <h2>{t('help_title')}</h2>
        <p>{t('help_text')}</p>
        <ButtonLink to="/support">{t('help_link')}</ButtonLink>
      </Surface>
      <Surface>
        <h2>{t('official_pages')}</h2>
        <ul>
          {sources.map((source) => (
            <li key={source.id}>
              <a href={source.homepage} rel="noreferrer">
                <bdi>{source.name}</bdi>
                <Icon name="external" />
              </a>
            </li>
          ))}
        </ul>
      </Surface>
      <Surface>
        <h2>{t('follow_title')}</h2>
        <p>{t('notify_text', { country: name })}</p>
        <ButtonLink to={`/dashboard/subscriptions/new?country=${code}`} icon="bell">
          {t('notify_me')}
        </ButtonLink>
        <p>{t('follow_text')}</p>
        <ul>
          <li>
            <a href={`/countries/${code}/feed.atom`} type="application/atom+xml">
              {t('follow_feed', { country: name })}
            </a>
          </li>
          <li>
            <Link to={`/travel-advisories?country=${code}`}>{t('more_list', { country: name })}</Link>
          </li>
          <li>
            <Link to="/countries">{t('more_countries')}</Link>
          </li>
        </ul>
      </Surface>
    </aside>
  )
}
