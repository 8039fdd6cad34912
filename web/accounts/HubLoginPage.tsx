import { useEffect, useRef } from 'react'
import { Link, redirect } from 'react-router'
import { signInWithHub } from '#shared/accounts/sign-in-methods.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/HubLoginPage'
import { AuthCard } from './AuthCard.tsx'
import { loadAuthPage, returnToIn } from './auth-page.server.ts'
import { PasswordField } from './PasswordField.tsx'
import { withReturnTo } from './with-return-to.ts'

export const handle = { ns: ['accounts', 'forms'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const found = await loadAuthPage(context, request)
  if (!found.providers.hub) throw redirect(withReturnTo('/login', found.returnTo))
  return found
}

/** The hub requires user name and password again with the code, so both steps are one form that gains a field. */
export const action = formAction<{ needsCode: boolean }>(
  async (call, { text }) => {
    const known = { userName: text('userName'), password: text('password'), returnTo: returnToIn(text) }
    const { needs_two_factor, next } = await call(signInWithHub, {
      body:
        text('needs_code') === 'yes'
          ? { action: 'login2fa', ...known, twoFactorCode: text('twoFactorCode') }
          : { action: 'login', ...known },
    })
    return needs_two_factor || !next ? { needsCode: true } : next
  },
  { returned: ['userName', 'needs_code'] },
)

export default function HubLoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('accounts')
  const { returnTo } = loaderData
  const { error, values } = actionData ?? {}
  const needsCode = actionData?.needsCode ?? values?.needs_code === 'yes'
  const problem = useProblems(error)
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (needsCode) code.current?.focus()
  }, [needsCode])
  return (
    <AuthCard title={t('hub_title')}>
      <p>{t('hub_text')}</p>
      {needsCode && !error && (
        <Note title={t('hub_code_title')} isLive>
          <p>{t('hub_code_text')}</p>
        </Note>
      )}
      <Form isGuarded={false} error={error}>
        <input type="hidden" name="returnTo" value={returnTo ?? ''} />
        {needsCode && <input type="hidden" name="needs_code" value="yes" />}
        <TextField
          label={t('hub_user_name')}
          name="userName"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          required
          maxLength={200}
          defaultValue={values?.userName}
          error={problem('userName')}
        />
        <PasswordField
          label={t('password')}
          name="password"
          autoComplete="current-password"
          error={problem('password')}
        />
        {needsCode && (
          <TextField
            ref={code}
            label={t('hub_code')}
            hint={t('hub_code_hint')}
            name="twoFactorCode"
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            required
            maxLength={20}
            error={problem('twoFactorCode')}
          />
        )}
        <Submit busyLabel={t('signing_in')}>{t('sign_in')}</Submit>
      </Form>
      <p>
        <Link to={withReturnTo('/login', returnTo)}>{t('other_method')}</Link>
      </p>
    </AuthCard>
  )
}
