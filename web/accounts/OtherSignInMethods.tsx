import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import type { AuthPageData } from './auth-page.server.ts'
import styles from './OtherSignInMethods.module.css'
import { PasskeyButton } from './PasskeyButton.tsx'
import { withReturnTo } from './with-return-to.ts'

/** The other sign-in methods configured on this server. */
export function OtherSignInMethods({ providers, returnTo }: Pick<AuthPageData, 'providers' | 'returnTo'>) {
  const t = useT('accounts')
  return (
    <>
      <p className={styles.or}>
        <span>{t('or')}</span>
      </p>
      <div className={styles.methods}>
        {providers.google && (
          // The response redirects to another site, so a full document load is needed.
          <ButtonLink to={withReturnTo('/auth/google', returnTo)} reloadDocument rel="nofollow">
            {t('continue_google')}
          </ButtonLink>
        )}
        {providers.hub && <ButtonLink to={withReturnTo('/login/hub', returnTo)}>{t('continue_hub')}</ButtonLink>}
        <ButtonLink to={withReturnTo('/login/code', returnTo)}>
          {t(providers.phone ? 'continue_code_phone' : 'continue_code')}
        </ButtonLink>
        <PasskeyButton returnTo={returnTo} />
      </div>
    </>
  )
}
