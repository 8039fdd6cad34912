import { listProviders } from '#shared/accounts/endpoints.ts'
import { getFreshness, getOwnProfile } from '#shared/accounts/own.ts'
import { FRESH_MINUTES } from '#shared/accounts/profile.ts'
import { listSignInChanges, UNDO_DAYS } from '#shared/accounts/sign-in-changes.ts'
import { listFactors, listIdentities } from '#shared/accounts/sign-in-methods.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { api } from '#web/lib/visitor.ts'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/SignInPage'
import { ChangesSection } from './ChangesSection.tsx'
import { ConfirmFirst } from './ConfirmFirst.tsx'
import { EmailSection } from './EmailSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { PhoneSection } from './PhoneSection.tsx'
import { ProfileSection } from './ProfileSection.tsx'
import { SignInMethodsSection } from './SignInMethodsSection.tsx'
import { TwoFactorSection } from './TwoFactorSection.tsx'

export { changeSignIn as action } from './sign-in.server.ts'

export async function loader({ context, request }: Route.LoaderArgs) {
  const call = api(context)
  const params = new URL(request.url).searchParams
  const { google, hub, phone } = await call(listProviders)
  return {
    profile: await call(getOwnProfile),
    identities: (await call(listIdentities)).identities,
    factors: await call(listFactors),
    ...(await call(getFreshness)),
    changes: (await call(listSignInChanges)).changes,
    providers: { google, hub, phone },
    done: params.get('done'),
    // Set by the redirect from Google.
    error: params.get('error'),
  }
}

export default function SignInPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('profile')
  const translateMessage = useTranslateMessage()
  const { error, ...state } = loaderData
  const answer = { ...state, ...actionData, done: actionData ? null : state.done }
  return (
    <>
      {answer.done === 'confirmed' && <Note kind="success" title={t('confirmed_now')} isLive />}
      {error && error !== 'confirm' && !actionData && (
        <Note kind="error" title={t('link_failed')} isLive>
          <p>{translateMessage(LINK_FAILURES[error]) ?? t('link_failed_text')}</p>
        </Note>
      )}
      {!answer.is_fresh && (
        <ProfileSection
          id="confirm"
          title={t(answer.confirm_by === 'password' ? 'confirm_title' : 'confirm_title_again')}
        >
          <ConfirmFirst
            action="/dashboard/profile/sign-in"
            text={t('confirm_text', { n: FRESH_MINUTES })}
            confirm_by={answer.confirm_by}
            error={answer.intent === 'confirm' ? answer.error : undefined}
          />
        </ProfileSection>
      )}
      <p>{t('changes_notify', { n: UNDO_DAYS })}</p>
      <ChangesSection {...answer} />
      <EmailSection {...answer} />
      <PasswordSection {...answer} />
      <TwoFactorSection {...answer} />
      <PasskeysSection {...answer} />
      <PhoneSection {...answer} />
      <SignInMethodsSection {...answer} />
    </>
  )
}

const LINK_FAILURES: Record<string, string> = {
  identity_taken: 'This sign-in method is linked to another account.',
  google_email: 'Google has not confirmed your email address. Please sign in another way.',
}
