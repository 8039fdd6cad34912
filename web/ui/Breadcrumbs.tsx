import { Link, useLocation, useMatches } from 'react-router'
import { lastOf } from '#shared/assert.ts'
import { openPages } from '#shared/pages/open.ts'
import { crumbsOf } from '#web/lib/crumbs.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { PageData } from '#web/lib/titles.ts'
import styles from './Breadcrumbs.module.css'

/** Breadcrumbs. The last entry is the page itself and plain text, all others are links. */
export function Breadcrumbs() {
  const t = useT('common')
  const { pathname } = useLocation()
  const data = useMatches().at(-1)?.loaderData as PageData | undefined
  const crumbs = crumbsOf(pathname)
  // The page about a record: its title, after the entries of the pages above it.
  const own = openPages.pageAt(pathname)?.crumb ? undefined : data?.title
  const links = own === undefined ? crumbs.slice(0, -1) : crumbs
  return (
    <nav aria-label={t('crumbs_label')} className={styles.crumbs}>
      <ol>
        {links.map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>{t(label)}</Link>
          </li>
        ))}
        <li aria-current="page">
          {own === undefined ? t(lastOf(crumbs).label) : <bdi lang={data?.title_language}>{own}</bdi>}
        </li>
      </ol>
    </nav>
  )
}
