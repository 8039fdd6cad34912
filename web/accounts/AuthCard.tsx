import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { TextField } from '#web/ui/Field.tsx'
import styles from './AuthCard.module.css'

/** Layout of the sign-in pages: the form, and beside it what can be done without an account. */
export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.signIn}>
      <h1>{title}</h1>
      <div className={styles.columns}>
        <div className={styles.form}>{children}</div>
        <NoAccountNeeded />
      </div>
    </div>
  )
}

/** Single-column layout for a step already under way. */
export function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.signIn}>
      <h1>{title}</h1>
      <div className={styles.form}>{children}</div>
    </div>
  )
}

/** Sign-in identifier: an email address, or a phone number as well. */
export function IdentifierField(field: ComponentProps<typeof TextField>) {
  return (
    <TextField
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      required
      maxLength={254}
      {...field}
    />
  )
}

function NoAccountNeeded() {
  const t = useT('accounts')
  return (
    <section className={styles.aside} aria-labelledby="no-account">
      <h2 id="no-account">{t('no_account_title')}</h2>
      <p>{t('no_account_text')}</p>
      <ul>
        <li>
          <Link to="/travel-advisories">{t('no_account_advisories')}</Link>
        </li>
        <li>
          <Link to="/countries">{t('no_account_countries')}</Link>
        </li>
        <li>
          <Link to="/church-locator">{t('no_account_churches')}</Link>
        </li>
        <li>
          <Link to="/travel-faq">{t('no_account_faq')}</Link>
        </li>
      </ul>
      <p className={styles.with}>{t('with_account')}</p>
    </section>
  )
}
