import { useLocation } from 'react-router'
import { dashboardOf } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import { removeCopies } from '#web/lib/leftovers.ts'
import { useUser } from '#web/lib/root-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import styles from './Header.module.css'

/** Account menu or sign-in link. The anonymous page is the same for everyone, so that it can be cached. */
export function HeaderAccount() {
  const t = useT('common')
  const user = useUser()
  const login = useLoginAddress()
  if (!user)
    return (
      <ButtonLink isSmall to={login} suppressHydrationWarning>
        {t('nav_login')}
      </ButtonLink>
    )
  return (
    <>
      <ButtonLink isSmall to={dashboardOf(user.role)}>
        {t('nav_dashboard')}
      </ButtonLink>
      <Logout />
    </>
  )
}

/** The same at the end of the mobile menu, with the fastest sign-in method (SHELL-13). */
export function MenuAccount({ hasGoogle }: { hasGoogle: boolean }) {
  const t = useT('common')
  const user = useUser()
  const login = useLoginAddress()
  return (
    <div className={styles.account}>
      {user ? (
        <>
          <ButtonLink to={dashboardOf(user.role)}>{t('nav_dashboard')}</ButtonLink>
          <Logout look="secondary" />
        </>
      ) : (
        <>
          <ButtonLink to={login} suppressHydrationWarning>
            {t('nav_login')}
          </ButtonLink>
          {hasGoogle && (
            <ButtonLink
              to={login.replace('/login', '/auth/google')}
              reloadDocument
              rel="nofollow"
              suppressHydrationWarning
            >
              {t('continue_google')}
            </ButtonLink>
          )}
        </>
      )}
    </div>
  )
}

/** The server drops unknown query parameters; both URLs lead back to the same page. */
function useLoginAddress(): string {
  const { pathname, search } = useLocation()
  return `/login?${new URLSearchParams({ returnTo: pathname + search })}`
}

/** A plain form, so that it works without scripts; the user stays on the page, signed out. */
function Logout({ look = 'link' }: { look?: 'link' | 'secondary' }) {
  const t = useT('common')
  const { pathname, search } = useLocation()
  return (
    <form method="post" action="/logout" onSubmit={() => removeCopies()}>
      <input type="hidden" name="returnTo" value={pathname + search} />
      <Button type="submit" look={look} isSmall>
        {t('nav_logout')}
      </Button>
    </form>
  )
}
