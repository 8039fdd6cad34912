import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import { Contact } from './Contact.tsx'
import styles from './LocalePage.module.css'
import type { LocalePageData } from './locale.server.ts'
import { LOCATOR_PATH } from './search.ts'

/** Contacts who agreed to be named; and a way to write to those who did not. */
export function LocaleContacts({ locale }: { locale: LocalePageData }) {
  const t = useT('church')
  const c = useT('churches')
  const { servants, phone, email, website } = locale
  const hasContact = phone || email || servants.some(({ contact }) => contact)
  const write = `${LOCATOR_PATH}/${locale.id}/write`
  return (
    <Surface>
      <h2>{t('contacts_title')}</h2>
      <ul className={styles.people}>
        {servants.map(({ name, role, contact }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries may be equal, and their order never changes
          <li key={i}>
            {name ? (
              <>
                <bdi>{name}</bdi> <span className={styles.muted}>· {role}</span>
              </>
            ) : (
              role
            )}
            {contact && (
              <span className={styles.contact}>
                <Contact value={contact} />
              </span>
            )}
          </li>
        ))}
        {phone && (
          <li>
            {c('phone')} <Contact value={phone} />
          </li>
        )}
        {email && (
          <li>
            <Contact value={email} />
          </li>
        )}
        {website && (
          <li>
            <a href={website} rel="noopener nofollow">
              {c('website')}
            </a>
          </li>
        )}
      </ul>
      {!hasContact && <p>{t('no_contacts')}</p>}
      <div className={styles.actions}>
        <ButtonLink to={write} isSmall>
          {t('write')}
        </ButtonLink>
      </div>
      <p className={styles.small}>{t('write_text')}</p>
    </Surface>
  )
}

export function AboutLocale({ locale }: { locale: LocalePageData }) {
  const t = useT('church')
  const c = useT('churches')
  const { commonName, languages, chapter, country } = locale
  const facts = [
    commonName && [t('known_as'), commonName],
    languages && [c('languages'), languages],
    chapter && [t('chapter'), chapter],
  ].filter((fact) => Array.isArray(fact))
  return (
    <Surface>
      <h2>{t('about_title')}</h2>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.more}>
        <Link to={`${LOCATOR_PATH}/${locale.id}/correct`}>{t('correct')}</Link>
      </p>
      {country && (
        <p className={styles.more}>
          <Link to={`${LOCATOR_PATH}?country=${country.code}`}>{t('more_country', { country: country.name })}</Link>
        </p>
      )}
    </Surface>
  )
}
