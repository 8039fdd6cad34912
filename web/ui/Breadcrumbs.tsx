import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { lastOf } from '#shared/assert.ts'
import { crumbsOf } from '#web/lib/crumbs.ts'
import { useT } from '#web/lib/i18n.tsx'
import styles from './Breadcrumbs.module.css'

interface Props {
  /**
   * The page's own name where the route has a parameter: a country, an advisory. The route's last entry stays a link.
   */
  last?: ReactNode
}

/** Breadcrumbs. The last entry is the page itself and plain text, all others are links. */
export function Breadcrumbs({ last }: Props) {
  const t = useT('common')
  const crumbs = crumbsOf(useLocation().pathname)
  const links = last === undefined ? crumbs.slice(0, -1) : crumbs
  return (
    <nav aria-label={t('crumbs_label')} className={styles.crumbs}>
      <ol>
        {links.map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>{t(label)}</Link>
          </li>
        ))}
        <li aria-current="page">{last ?? t(lastOf(crumbs).label)}</li>
      </ol>
    </nav>
  )
}
