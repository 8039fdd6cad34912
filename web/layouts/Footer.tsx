import { Link } from 'react-router'
import { type Key, useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { ThemeChoice } from '#web/ui/ThemeChoice.tsx'
import styles from './Footer.module.css'

const LINKS: readonly { to: string; label: Key<'common'>; isDocument?: boolean }[] = [
  // Has no scripts, and so needs a document load.
  { to: '/emergency', label: 'footer_emergency', isDocument: true },
  { to: '/privacy-policy', label: 'footer_privacy' },
  { to: '/terms', label: 'footer_terms' },
  { to: '/support', label: 'footer_support' },
  { to: '/travel-advisories/sources', label: 'footer_sources' },
  { to: '/status', label: 'footer_status' },
  { to: '/church-locator', label: 'nav_church_locator' },
]

export function Footer() {
  const t = useT('common')
  const hasSamples = useSite()?.has_sample_content
  return (
    <footer className={styles.footer}>
      <div className={styles.content}>
        <nav aria-label={t('footer_label')}>
          <ul>
            {LINKS.map(({ to, label, isDocument = false }) => (
              <li key={to}>
                <Link to={to} reloadDocument={isDocument}>
                  {t(label)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeChoice />
        {hasSamples && <p className={styles.samples}>{t('sample_note')}</p>}
      </div>
    </footer>
  )
}
