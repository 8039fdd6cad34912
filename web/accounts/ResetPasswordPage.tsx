import { useEffect } from 'react'
import { Link } from 'react-router'
import { resetPassword } from '#shared/accounts/endpoints.ts'
import { PASSWORD_LENGTH } from '#shared/accounts/profile.ts'
import { AppError } from '#shared/errors.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import type { Route } from './+types/ResetPasswordPage'
import { Step } from './AuthCard.tsx'
import { PasswordField } from './PasswordField.tsx'
import { ServerMessage } from './ServerMessage.tsx'
import { emitSessionEvent } from './session-events.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  return { token: searchParams.get('token') ?? '', email: searchParams.get('email') ?? '' }
}

const different = () =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', {
    fields: { repeated: 'Passwords do not match' },
  })

export const action = formAction<{ message: string }>(
  async (call, { text }) => {
    const password = text('password')
    if (password !== text('repeated')) throw different()
    return { message: (await call(resetPassword, { body: { token: text('token'), password } })).message }
  },
  { returned: [] },
)

export default function ResetPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  const { error, message } = actionData ?? {}
  const problem = useProblems(error)
  useEffect(() => emitSessionEvent('PASSWORD_RECOVERY'), [])
  if (message)
    return (
      <Step title={t('reset_title')}>
        <ServerMessage text={message} />
        <ButtonLink look="primary" to="/login">
          {t('sign_in')}
        </ButtonLink>
      </Step>
    )
  return (
    <Step title={t('reset_title')}>
      <p>{t('reset_text')}</p>
      <Form error={error}>
        <input type="hidden" name="token" value={loaderData.token} />
        {/* Makes the browser save the new password under the right user name. */}
        <input type="email" name="email" autoComplete="username" value={loaderData.email} readOnly hidden />
        <PasswordField
          label={t('new_password')}
          hint={t('password_hint', { n: PASSWORD_LENGTH.min })}
          name="password"
          autoComplete="new-password"
          error={problem('password')}
        />
        <PasswordField
          label={t('repeat_password')}
          name="repeated"
          autoComplete="new-password"
          error={problem('repeated')}
        />
        <Submit busyLabel={t('saving')}>{t('reset_button')}</Submit>
      </Form>
      {error?.code === 'invalid_token' && (
        <p>
          <Link to="/forgot-password">{t('new_link')}</Link>
        </p>
      )}
    </Step>
  )
}
