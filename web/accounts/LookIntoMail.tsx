import { Link } from 'react-router'
import { useT } from '../lib/i18n.tsx'
import type { Failure } from '../lib/visitor.ts'
import { useSite } from '../root.tsx'
import { Form, Submit } from '../ui/Form.tsx'
import { Address } from './Address.tsx'
import { Step } from './Entrance.tsx'
import { Told } from './Told.tsx'

/** After signing up: what comes next happens in the mail. */
export function LookIntoMail({ sentTo, told, failure }: { sentTo: string; told?: string; failure?: Failure }) {
  const t = useT('accounts')
  const hasOpenOutbox = useSite()?.has_open_outbox
  return (
    <Step title={t('look_into_mail')}>
      {told && <Told text={told} />}
      <p>
        {t('sent_to')} <Address>{sentTo}</Address>
      </p>
      <p>{t('look_into_mail_text')}</p>
      {hasOpenOutbox && (
        <p>
          {t('sample_mail')} <Link to="/outbox">{t('outbox')}</Link>
        </p>
      )}
      <Form isGuarded={false} failure={failure}>
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
