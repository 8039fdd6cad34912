import { isolated } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextAreaField, TextField } from '#web/ui/Field.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Emergency.module.css'
import type { ReportResult } from './page.server.ts'

interface Props {
  country: string | null
  isSignedIn: boolean
  /** Number to call if the form cannot be sent. */
  number: string
  reported: ReportResult | undefined
}

/** For those who cannot speak: a plain form to a coordinator, with or without an account. */
export function NotSafe({ reported, ...rest }: Props) {
  const t = useT('emergency')
  return (
    <section id="not-safe" className={styles.notSafe} aria-labelledby="not-safe-title">
      <h2 id="not-safe-title">{t('not_safe_title')}</h2>
      {reported?.done ? (
        <Sent reference={reported.done.reference} number={reported.number} />
      ) : (
        <NotSafeForm {...rest} reported={reported} />
      )}
    </section>
  )
}

function NotSafeForm({ country, isSignedIn, number, reported }: Props) {
  const t = useT('emergency')
  const translate = useTranslateMessage()
  const error = reported?.error
  const form = (
    <form method="post" action="#not-safe" className={styles.form}>
      {country && <input type="hidden" name="country" value={country} />}
      {error && (
        <Note kind="error" isLive title={t('not_sent', { number: isolated(reported.number) })}>
          <p>{translate(error.error)}</p>
        </Note>
      )}
      {!isSignedIn && (
        <TextField
          label={t('safe_phone')}
          hint={t('safe_phone_hint')}
          error={translate(error?.fields.safe_phone)}
          name="safe_phone"
          type="tel"
          dir="ltr"
          autoComplete="off"
          maxLength={40}
          defaultValue={reported?.values.safe_phone}
        />
      )}
      <TextAreaField
        label={t('note')}
        error={translate(error?.fields.note)}
        name="note"
        rows={2}
        maxLength={2000}
        autoComplete="off"
        defaultValue={reported?.values.note}
      />
      <Button look="primary" type="submit">
        {t(isSignedIn ? 'not_safe' : 'send')}
      </Button>
    </form>
  )
  return (
    <>
      {/* Shown by the service worker if the form cannot be sent offline. */}
      <p className={styles.unsent}>{t('not_sent', { number: isolated(number) })}</p>
      {isSignedIn ? (
        form
      ) : (
        <details className={styles.fold} open={error != null}>
          <summary>{t('not_safe')}</summary>
          {form}
        </details>
      )}
      <p className={styles.small}>
        {t('not_safe_text')} {!isSignedIn && t('no_account')}
      </p>
    </>
  )
}

function Sent({ reference, number }: { reference: string; number: string }) {
  const t = useT('emergency')
  return (
    <Note kind="success" isLive title={t('sent', { reference: isolated(reference) })}>
      <p>{t('sent_text', { number: isolated(number) })}</p>
    </Note>
  )
}
