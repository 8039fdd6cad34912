import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { useLocation } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { ErrorBoundary } from '#web/ui/ErrorBoundary.tsx'
import { BackToTop } from './BackToTop.tsx'
import { Footer } from './Footer.tsx'
import styles from './Frame.module.css'
import { Header } from './Header.tsx'
import { isChat } from './navigation.ts'
import { OfflineNote } from './OfflineNote.tsx'
import { useArrival } from './useArrival.ts'

const SignedIn = lazy(async () => ({ default: (await import('#web/accounts/SignedIn.tsx')).SignedIn }))

interface Props {
  ticker: ReactNode
  /** The mobile menu offers Google sign-in. */
  hasGoogle?: boolean
  children: ReactNode
}

/** Frame of every public page, including one that failed. */
export function PublicFrame({ ticker, hasGoogle = false, children }: Props) {
  const { pathname } = useLocation()
  const isIn = useUser() !== null
  const main = useRef<HTMLElement>(null)
  useArrival(main)
  return (
    <div className={styles.frame}>
      <SkipLink />
      <Header hasGoogle={hasGoogle} />
      {isIn && (
        // Without it the page is complete, but the session is not renewed.
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <SignedIn />
          </Suspense>
        </ErrorBoundary>
      )}
      {!isChat(pathname) && ticker}
      <OfflineNote />
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      {!isChat(pathname) && (
        <>
          <Footer />
          <BackToTop />
        </>
      )}
    </div>
  )
}

export function SkipLink() {
  const t = useT('common')
  return (
    <a href="#main" className={styles.skip}>
      {t('skip_to_main')}
    </a>
  )
}
