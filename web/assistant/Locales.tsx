import { Link } from 'react-router'
import type { MapLocale } from '#shared/assistant/answer.ts'
import { useT } from '#web/lib/i18n.tsx'
import { UnknownTag } from '#web/ui/Chip.tsx'
import { LocaleMapPanel } from './LocaleMapPanel.tsx'
import styles from './Locales.module.css'

/** The churches in an answer: a list first, then the same numbers on the map. */
export function Locales({ locales }: { locales: readonly MapLocale[] }) {
  const t = useT('assistant')
  if (locales.length === 0) return null
  return (
    <section className={styles.locales} aria-label={t('locales')}>
      {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
      <ol className={styles.list} role="list">
        {locales.map(({ id, name, address, is_area }, i) => (
          <li key={id} className={styles.locale}>
            <span className={is_area ? styles.area : styles.number} aria-hidden="true">
              {i + 1}
            </span>
            <div className={styles.words}>
              <Link to={`/church-locator/${id}`} className={styles.name}>
                <bdi>{name}</bdi>
              </Link>
              {address && (
                <p className={styles.address}>
                  <bdi>{address}</bdi>
                </p>
              )}
              {is_area && <UnknownTag>{t('locale_area')}</UnknownTag>}
            </div>
          </li>
        ))}
      </ol>
      <LocaleMapPanel locales={locales} />
    </section>
  )
}
