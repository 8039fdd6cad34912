import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Address } from './Address.tsx'
import { Step } from './AuthCard.tsx'
import { ServerMessage } from './ServerMessage.tsx'

/** Shown after sign-up: the next step is in the email. */
export function CheckYourEmail({
  sentTo,
  message,
  error,
}: {
  sentTo: string
  message: string | undefined
  error: FormError | undefined
}) {
  const t = useT('accounts')
  const hasOpenOutbox = useSite()?.has_open_outbox
  return (
    <Step title={t('look_into_mail')}>
      {message && <ServerMessage text={message} />}
      <p>
        {t('sent_to')} <Address>{sentTo}</Address>
      </p>
      <p>{t('look_into_mail_text')}</p>
      {hasOpenOutbox && (
        <p>
          {t('sample_mail')} <Link to="/outbox">{t('outbox')}</Link>
        </p>
      )}
      <Form isGuarded={false} error={error}>
        <input type="hidden" name="intent" value="resend" />
        <input type="hidden" name="identifier" value={sentTo} />
        <Submit look="secondary" busyLabel={t('sending')}>
          {t('resend')}
        </Submit>
      </Form>
      <p>
        <Link to="/signup" reloadDocument>
          {t('wrong_address')}
        </Link>
      </p>
    </Step>
  )
}
