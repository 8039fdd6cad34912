import { Link, useLocation } from 'react-router'
import type { AdminFrame } from '#shared/overview/endpoints.ts'
import type { Role } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './AdminMenu.module.css'
import { type AdminMenuItem, isCurrentItem, menuFor } from './admin-menu.ts'

/** The pages this role may open, in groups, with the number of pending items at the end of each line. */
export function AdminMenu({ role, frame }: { role: Role; frame: AdminFrame | undefined }) {
  const t = useT('admin')
  return (
    <nav aria-label={t('menu_label')} className={styles.menu}>
      {menuFor(role).map(({ label, items }) => (
        <div key={label ?? ''} className={styles.group}>
          {label && <h2>{t(label)}</h2>}
          <ul>
            {items.map((item) => (
              <Line key={item.to} item={item} count={item.count && frame?.[item.count]} />
            ))}
          </ul>
        </div>
      ))}
      <ul className={styles.public}>
        <li>
          {/* Without noopener the new page could access this one. */}
          <a href="/" target="_blank" rel="noopener" title={t('public_pages')}>
            <Icon name="external" className={styles.icon} />
            <span className={styles.label}>{t('public_pages')}</span>
            <span className="visually-hidden">{t('new_tab')}</span>
          </a>
        </li>
      </ul>
    </nav>
  )
}

function Line({ item, count }: { item: AdminMenuItem; count: number | undefined }) {
  const t = useT('admin')
  const { pathname } = useLocation()
  // An undelivered message needs attention now; an account can wait.
  const isBad = item.count === 'failed_messages'
  return (
    <li>
      <Link to={item.to} aria-current={isCurrentItem(item, pathname) ? 'page' : undefined} title={t(item.label)}>
        <Icon name={item.icon} className={styles.icon} />
        <span className={styles.label}>{t(item.label)}</span>
        {item.count && count ? (
          <span className={classes(styles.count, isBad && styles.bad)}>
            <span aria-hidden="true">{count}</span>
            <span className="visually-hidden">{t(`count_${item.count}`, { count })}</span>
          </span>
        ) : null}
      </Link>
    </li>
  )
}
