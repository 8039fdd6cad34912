import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './GiveCode.module.css'
import { PasskeyButton } from './PasskeyButton.tsx'

interface Attempt {
  intent: string
  error?: FormError
}

/** The second step: the authenticator code, or a recovery code. */
export function GiveCode({ returnTo, tried }: { returnTo: string | null; tried: Attempt | undefined }) {
  const t = useT('accounts')
  const isRecovering = tried?.intent === 'recover'
  return (
    <>
      <p>{t('two_step_text')}</p>
      <Form isGuarded={false} error={isRecovering ? undefined : tried?.error}>
        <input type="hidden" name="intent" value="code" />
        <input type="hidden" name="returnTo" value={returnTo ?? ''} />
        <CodeField error={isRecovering ? undefined : tried?.error} />
        <Submit busyLabel={t('verifying')}>{t('continue')}</Submit>
      </Form>
      <details className={styles.recover} open={isRecovering}>
        <summary>{t('use_recovery_code')}</summary>
        <Form isGuarded={false} error={isRecovering ? tried.error : undefined}>
          <input type="hidden" name="intent" value="recover" />
          <input type="hidden" name="returnTo" value={returnTo ?? ''} />
          <RecoveryField error={isRecovering ? tried.error : undefined} />
          <Submit look="secondary" busyLabel={t('verifying')}>
            {t('continue')}
          </Submit>
        </Form>
      </details>
      <PasskeyButton returnTo={returnTo} />
    </>
  )
}

/** A wrong code is also a field error, so that focus moves there. */
export function CodeField({ error }: { error: FormError | undefined }) {
  const t = useT('accounts')
  const problem = useProblems(error)
  return (
    <TextField
      label={t('two_step_code')}
      hint={t('two_step_code_hint')}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      dir="ltr"
      required
      maxLength={12}
      error={error?.code === 'invalid_code' ? t('check_code') : problem('code')}
    />
  )
}

function RecoveryField({ error }: { error: FormError | undefined }) {
  const t = useT('accounts')
  return (
    <TextField
      label={t('recovery_code')}
      hint={t('recovery_code_hint')}
      name="recovery_code"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      required
      maxLength={40}
      error={error?.fields.recovery_code && t('check_code')}
    />
  )
}
