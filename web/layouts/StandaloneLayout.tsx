import { type ReactNode, useRef } from 'react'
import { Link, Outlet } from 'react-router'
import { ErrorScreen } from '#web/content/ErrorScreen.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { LanguageSwitch } from '#web/ui/LanguageSwitch.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/StandaloneLayout'
import { Brand } from './Brand.tsx'
import { Footer } from './Footer.tsx'
import styles from './Frame.module.css'
import { SkipLink } from './PublicFrame.tsx'
import { useArrival } from './useArrival.ts'

/** Standalone pages: brand, breadcrumbs and a link home, without menu and ticker (C-58). */
export default function StandaloneLayout() {
  return (
    <StandaloneFrame>
      <Outlet />
    </StandaloneFrame>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <StandaloneFrame>
      <ErrorScreen level="page" error={error} isFramed />
    </StandaloneFrame>
  )
}

/** `isAuthPage`: sign-in pages have no breadcrumbs (C-58), and room for two columns. */
export function StandaloneFrame({ children, isAuthPage }: { children: ReactNode; isAuthPage?: boolean }) {
  const t = useT('common')
  const main = useRef<HTMLElement>(null)
  useArrival(main)
  return (
    <div className={styles.frame}>
      <SkipLink />
      <header className={styles.small}>
        <div className={styles.smallBar}>
          <Brand />
          <div className={styles.links}>
            <Link to="/">{t('nav_home')}</Link>
            <LanguageSwitch />
          </div>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {isAuthPage ? (
          <Page>{children}</Page>
        ) : (
          <Page width="text">
            <Breadcrumbs />
            {children}
          </Page>
        )}
      </main>
      <Footer />
    </div>
  )
}
