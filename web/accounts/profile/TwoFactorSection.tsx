import { useT } from '#web/lib/i18n.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { WaitsForPassword } from './ConfirmFirst.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'
import type { SignInState } from './sign-in-state.ts'

/** Two-factor authentication with an authenticator app, and recovery codes. */
export function TwoFactorSection(state: SignInState) {
  const { factors, enrolment, done } = state
  const t = useT('profile')
  const doneMessage =
    done === 'two-factor' ? t('two_factor_now_on') : done === 'two-factor-off' ? t('two_factor_now_off') : null
  return (
    <ProfileSection id="two-factor" title={t('two_factor')} hint={t('two_factor_hint')} done={doneMessage}>
      {enrolment ? (
        <FirstCode {...state} enrolment={enrolment} />
      ) : factors.totp ? (
        <IsOn {...state} />
      ) : (
        <SetUp {...state} />
      )}
    </ProfileSection>
  )
}

function SetUp({ factors, is_fresh, intent, error }: SignInState) {
  const t = useT('profile')
  const mine = intent === 'enrol' ? error : undefined
  const text = t(factors.is_required ? 'two_factor_required' : 'two_factor_off')
  if (!is_fresh)
    return (
      <>
        <p>{text}</p>
        <WaitsForPassword />
      </>
    )
  return (
    <Form action="/dashboard/profile/sign-in" error={mine}>
      <p>{text}</p>
      <input type="hidden" name="intent" value="enrol" />
      <div className={styles.buttons}>
        <Submit look="secondary">{t('two_factor_set_up')}</Submit>
      </div>
    </Form>
  )
}

function FirstCode({ enrolment, intent, error }: SignInState & { enrolment: NonNullable<SignInState['enrolment']> }) {
  const t = useT('profile')
  const mine = intent === 'verify-factor' ? error : undefined
  const problem = useProblems(mine)
  const { secret, uri, qr_svg, recovery_codes } = enrolment
  return (
    <Form action="/dashboard/profile/sign-in" error={mine}>
      <input type="hidden" name="intent" value="verify-factor" />
      <input type="hidden" name="key" value={secret} />
      <input type="hidden" name="uri" value={uri} />
      <input type="hidden" name="recovery" value={recovery_codes.join(' ')} />
      <ol className={styles.steps}>
        <li>
          <div>{t(qr_svg ? 'two_factor_scan' : 'two_factor_scanned')}</div>
          {qr_svg && (
            <div
              className={styles.qr}
              role="img"
              aria-label={t('two_factor_qr')}
              // Trusted: SVG rendered by our own server.
              dangerouslySetInnerHTML={{ __html: qr_svg }}
            />
          )}
          <div className={styles.second}>{t('two_factor_key')}</div>
          <code dir="ltr" className={styles.key}>
            {secret.replace(/(.{4})(?=.)/g, '$1 ')}
          </code>
        </li>
        <li>
          <div>{t('recovery_keep')}</div>
          <RecoveryCodes codes={recovery_codes} />
        </li>
        <li>
          <div className={styles.fields}>
            <TextField
              label={t('two_factor_code')}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              dir="ltr"
              required
              maxLength={12}
              error={problem('code')}
            />
          </div>
        </li>
      </ol>
      <div className={styles.buttons}>
        <Submit>{t('two_factor_turn_on')}</Submit>
      </div>
    </Form>
  )
}

function IsOn({ factors, is_fresh, intent, error, recovery_codes }: SignInState) {
  const t = useT('profile')
  const errorOf = (form: string) => (intent === form ? error : undefined)
  return (
    <>
      <p>{t('two_factor_on')}</p>
      {recovery_codes ? (
        <Note title={t('recovery_new')} isLive>
          <p>{t('recovery_new_text')}</p>
          <RecoveryCodes codes={recovery_codes} />
        </Note>
      ) : (
        <CodeForm
          intent="recovery-codes"
          label={t('recovery_make')}
          text={t('recovery_make_text')}
          error={errorOf('recovery-codes')}
          isFresh={is_fresh}
        />
      )}
      {factors.is_required ? (
        <p className={styles.second}>{t('two_factor_stays')}</p>
      ) : (
        <CodeForm
          intent="remove-factor"
          label={t('two_factor_remove')}
          text={t('two_factor_remove_text')}
          error={errorOf('remove-factor')}
          isFresh={is_fresh}
        />
      )}
    </>
  )
}

/** An action with consequences, collapsed until needed. */
function CodeForm(props: {
  intent: string
  label: string
  text: string
  error: SignInState['error']
  isFresh: boolean
}) {
  return (
    <details open={props.error !== undefined}>
      <summary>{props.label}</summary>
      <Form action="/dashboard/profile/sign-in" error={props.error}>
        <input type="hidden" name="intent" value={props.intent} />
        <p>{props.text}</p>
        {props.isFresh ? (
          <div className={styles.buttons}>
            <Submit look="secondary">{props.label}</Submit>
          </div>
        ) : (
          <WaitsForPassword />
        )}
      </Form>
    </details>
  )
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <ul className={styles.codes} dir="ltr">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  )
}
