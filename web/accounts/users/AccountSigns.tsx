import { type AccountSign, DOUBTFUL_SIGNS, SAFE_SIGNS } from '#shared/accounts/users.ts'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './AccountSigns.module.css'

const isOneOf = (signs: readonly AccountSign[], sign: AccountSign) => signs.includes(sign)

/** A sign about an account: a square if safe, a diamond if doubtful. */
export function SignMark({ sign }: { sign: AccountSign }) {
  const t = useT('users')
  const look = isOneOf(SAFE_SIGNS, sign) ? styles.safe : isOneOf(DOUBTFUL_SIGNS, sign) ? styles.doubtful : undefined
  return <span className={classes(styles.sign, look)}>{t(`sign_${sign}`)}</span>
}

/** The most important signs of an account; the others are on the user's page. */
export function AccountSigns({ signs, limit = 2 }: { signs: readonly AccountSign[]; limit?: number }) {
  return (
    <span className={styles.signs}>
      {signs.slice(0, limit).map((sign) => (
        <SignMark key={sign} sign={sign} />
      ))}
    </span>
  )
}
