import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Step } from './AuthCard.tsx'

interface Props {
  title: string
  text: string
  button: string
  token: string
  error: FormError | undefined
  /** Where to request a new link. */
  again: { to: string; label: string }
}

/** Landing page of a link in an email. Mail scanners open links too, so the button performs the action. */
export function TokenStep({ title, text, button, token, error, again }: Props) {
  const t = useT('accounts')
  return (
    <Step title={title}>
      {!error && <p>{text}</p>}
      <Form isGuarded={false} error={error}>
        <input type="hidden" name="token" value={token} />
        {!error && <Submit busyLabel={t('verifying')}>{button}</Submit>}
      </Form>
      {error && (
        <p>
          <Link to={again.to}>{again.label}</Link>
        </p>
      )}
    </Step>
  )
}
