import { Link } from 'react-router'
import type { AdvisoryCardData } from '#shared/advisories/cards.ts'
import type { Severity } from '#shared/advisories/severity.ts'
import { SeverityTag } from '#web/advisories/SeverityTag.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import styles from './Overview.module.css'

interface Props {
  title: string
  advisories: readonly AdvisoryCardData[]
  /** Total; the list shows the first ones. */
  total: number
  /** Number of advisories in force by level, each a link to them. */
  levels?: readonly { severity: Severity; count: number }[]
  /** Offers to start a roll call in the country. */
  mayAsk?: boolean
}

/** The most important advisories now, by country; and their number by level. */
export function UrgentPanel({ title, advisories, total, levels = [], mayAsk }: Props) {
  const t = useT('admin')
  const language = useLanguage()
  const rest = total - advisories.length
  return (
    <AdminPanel id="urgent" title={title} end={<Link to="/travel-advisories">{t('urgent_all')}</Link>}>
      {advisories.length === 0 && <p className={styles.nothing}>{t('urgent_none')}</p>}
      <ul className={styles.rows}>
        {advisories.map((advisory) => (
          <li key={advisory.id}>
            <SeverityTag severity={advisory.severity_level} isPulsing={false} />
            <span className={styles.what}>
              <Link to={`/travel-advisories/${advisory.id}`}>
                <bdi lang={advisory.title_language}>{advisory.title}</bdi>
              </Link>
              {mayAsk && (
                <Link className={styles.action} to={`/admin/roll-calls/new?advisory=${advisory.id}`}>
                  {t('ask_safe')}
                  <span className="visually-hidden">: {advisory.title}</span>
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className={styles.nothing}>{t('urgent_more', { count: rest })}</p>}
      {levels.length > 0 && (
        <ul className={styles.levels} aria-label={t('levels_label')}>
          {levels.map(({ severity, count }) => (
            <li key={severity}>
              <Link to={`/travel-advisories?severity_level=${severity}`}>
                {t(`severity_${severity}`)} <b>{formatNumber(language, count)}</b>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </AdminPanel>
  )
}
