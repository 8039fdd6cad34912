import { Link } from 'react-router'
import type { Role } from '#shared/roles.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { Form, Submit } from '#web/ui/Form.tsx'
import styles from './Enrolment.module.css'
import { CodeField } from './GiveCode.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { withReturnTo } from './with-return-to.ts'

export interface AuthenticatorEnrolment {
  uri: string
  secret: string
  /** Empty after a wrong code; the secret can still be entered manually. */
  qr_svg: string
  recovery_codes: string[]
}

interface Props {
  returnTo: string | null
  role: Role
  tried: { intent: string; error?: FormError; enrolment?: AuthenticatorEnrolment | undefined } | undefined
}

/** Sets up two-factor authentication for a user whose role requires it. */
export function Enrolment({ returnTo, role, tried }: Props) {
  const t = useT('accounts')
  const enrolment = tried?.enrolment
  return (
    <>
      {!enrolment && (
        <>
          <p>
            {t('enrol_why')} <strong>{t(`role_${role}`)}</strong>
          </p>
          <p>{t('enrol_need')}</p>
        </>
      )}
      {enrolment ? (
        <FirstCode returnTo={returnTo} enrolment={enrolment} error={tried?.error} />
      ) : (
        <Begin returnTo={returnTo} error={tried?.error} />
      )}
    </>
  )
}

function Begin({ returnTo, error }: { returnTo: string | null; error: FormError | undefined }) {
  const t = useT('accounts')
  return (
    <>
      <Form error={error}>
        <input type="hidden" name="intent" value="enrol" />
        <Submit busyLabel={t('verifying')}>{t('enrol_begin')}</Submit>
      </Form>
      {error?.code === 'use_passkey' && <PasskeyButton returnTo={returnTo} />}
    </>
  )
}

function FirstCode({
  returnTo,
  enrolment: { secret, qr_svg, recovery_codes },
  error,
}: {
  returnTo: string | null
  enrolment: AuthenticatorEnrolment
  error: FormError | undefined
}) {
  const t = useT('accounts')
  return (
    <>
      <section aria-labelledby="enrol-app">
        <h2 id="enrol-app">{t('enrol_app_title')}</h2>
        <p>{t(qr_svg ? 'enrol_app_text' : 'enrol_app_again')}</p>
        {qr_svg && (
          <img
            className={styles.qr}
            src={`data:image/svg+xml,${encodeURIComponent(qr_svg)}`}
            alt={t('enrol_qr')}
            width={220}
            height={220}
          />
        )}
        <p>{t('enrol_secret')}</p>
        <p className={styles.secret}>
          <bdi dir="ltr">{secret.match(/.{1,4}/g)?.join(' ')}</bdi>
        </p>
      </section>
      <section aria-labelledby="enrol-codes">
        <h2 id="enrol-codes">{t('recovery_codes')}</h2>
        <RecoveryCodes codes={recovery_codes} />
      </section>
      <section aria-labelledby="enrol-first">
        <h2 id="enrol-first">{t('enrol_code_title')}</h2>
        <Form error={error}>
          <input type="hidden" name="intent" value="code" />
          <input type="hidden" name="returnTo" value={returnTo ?? ''} />
          <input type="hidden" name="secret" value={secret} />
          <input type="hidden" name="recovery_codes" value={recovery_codes.join('\n')} />
          <CodeField error={error} />
          <Submit busyLabel={t('verifying')}>{t('enrol_finish')}</Submit>
        </Form>
        {!qr_svg && (
          <Link to={withReturnTo('/two-step', returnTo)} reloadDocument>
            {t('enrol_restart')}
          </Link>
        )}
      </section>
    </>
  )
}
