import { useT } from '../lib/i18n.tsx'
import type { Failure } from '../lib/visitor.ts'
import { TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import styles from './GiveCode.module.css'
import { PasskeyButton } from './PasskeyButton.tsx'

interface Tried {
  intent: string
  failure?: Failure
}

/** The second step: the code of the authenticator, or else a recovery code. */
export function GiveCode({ returnTo, tried }: { returnTo: string | null; tried: Tried | undefined }) {
  const t = useT('accounts')
  const isRecovering = tried?.intent === 'recover'
  return (
    <>
      <p>{t('two_step_text')}</p>
      <Form isGuarded={false} failure={isRecovering ? undefined : tried?.failure}>
        <input type="hidden" name="intent" value="code" />
        <input type="hidden" name="returnTo" value={returnTo ?? ''} />
        <CodeField failure={isRecovering ? undefined : tried?.failure} />
        <Submit busyLabel={t('verifying')}>{t('continue')}</Submit>
      </Form>
      <details className={styles.recover} open={isRecovering}>
        <summary>{t('use_recovery_code')}</summary>
        <Form isGuarded={false} failure={isRecovering ? tried.failure : undefined}>
          <input type="hidden" name="intent" value="recover" />
          <input type="hidden" name="returnTo" value={returnTo ?? ''} />
          <RecoveryField failure={isRecovering ? tried.failure : undefined} />
          <Submit look="secondary" busyLabel={t('verifying')}>
            {t('continue')}
          </Submit>
        </Form>
      </details>
      <PasskeyButton returnTo={returnTo} />
    </>
  )
}

/** A wrong code is wrong in its field too, so that focus goes there. */
export function CodeField({ failure }: { failure: Failure | undefined }) {
  const t = useT('accounts')
  const problem = useProblems(failure)
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
      error={failure?.code === 'invalid_code' ? t('check_code') : problem('code')}
    />
  )
}

function RecoveryField({ failure }: { failure: Failure | undefined }) {
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
      error={failure?.fields.recovery_code && t('check_code')}
    />
  )
}
