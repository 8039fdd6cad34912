import { lazy, Suspense } from 'react'
import { Link, useLocation } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { ErrorBoundary } from '#web/ui/ErrorBoundary.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { LanguageLink } from '#web/ui/LanguageLink.tsx'
import { Brand } from './Brand.tsx'
import styles from './Header.module.css'
import { HeaderAccount, MenuAccount } from './HeaderAccount.tsx'
import { isCurrent, NAVIGATION } from './navigation.ts'

/** Loaded for signed-in users only. */
const InboxLink = lazy(async () => ({ default: (await import('#web/notifications/InboxLink.tsx')).InboxLink }))

/** Logo, menu, other language, sign-in. On narrow screens the menu collapses in `details`, which needs no script. */
export function Header({ hasGoogle = false }: { hasGoogle?: boolean }) {
  const t = useT('common')
  const { pathname, key } = useLocation()
  const isIn = useUser() !== null
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Brand />
        <nav className={styles.wide} aria-label={t('nav_label')}>
          <Items pathname={pathname} />
        </nav>
        {/* A wrapper: the link has the direction of the other language, its position that of the page. */}
        <div className={styles.language}>
          <LanguageLink />
        </div>
        {isIn && (
          <ErrorBoundary fallback={() => <PlainInboxLink />}>
            <Suspense>
              <InboxLink />
            </Suspense>
          </ErrorBoundary>
        )}
        <div className={styles.signIn}>
          <HeaderAccount />
        </div>
        {/* The new key closes the menu after a navigation. */}
        <details key={key} className={styles.narrow}>
          <summary aria-label={t('nav_menu')}>
            <Icon name="menu" className={styles.open} />
            <Icon name="close" className={styles.close} />
          </summary>
          <nav aria-label={t('nav_label')}>
            <Items pathname={pathname} />
            <ul>
              <li>
                <Link to="/emergency" reloadDocument>
                  {t('footer_emergency')}
                </Link>
              </li>
            </ul>
            <MenuAccount hasGoogle={hasGoogle} />
          </nav>
        </details>
      </div>
    </header>
  )
}

/** If the code of the live link could not be loaded. */
function PlainInboxLink() {
  const t = useT('common')
  return (
    <Link to="/notifications" aria-label={t('title_notifications')}>
      <Icon name="bell" />
    </Link>
  )
}

function Items({ pathname }: { pathname: string }) {
  const t = useT('common')
  return (
    <ul>
      {NAVIGATION.map((item) => (
        <li key={item.to}>
          <Link to={item.to} aria-current={isCurrent(item, pathname) ? 'page' : undefined}>
            {t(item.label)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
