import { Form } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

const FORM = 'resend'

/** Resends the confirmation. Placed outside its form: nested in another form, it would handle the Enter key. */
export function ResendButton() {
  const t = useT('accounts')
  return (
    <Button type="submit" form={FORM}>
      {t('resend')}
    </Button>
  )
}

export function ResendForm({ email }: { email: string | undefined }) {
  return (
    <Form method="post" id={FORM} hidden>
      <input type="hidden" name="intent" value="resend" />
      <input type="hidden" name="identifier" value={email ?? ''} />
    </Form>
  )
}
