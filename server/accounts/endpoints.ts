import type { Router } from '#server/http/router.ts'
import type { Log } from '#server/log.ts'
import { listKeys, listProviders, signInWithSso } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountMail, Auth } from './auth.ts'
import { registerOneTimeCodes } from './one-time-codes.ts'
import { ownSessions } from './own-sessions.ts'
import { passwordSignIn } from './password-sign-in.ts'
import { registerProgramSignIn } from './program-sign-in.ts'
import { signInChanges } from './sign-in-change-endpoints.ts'
import type { SignInChangeDeps } from './sign-in-changes.ts'
import type { Mails } from './sign-ins/mails.ts'
import { registerSignUp } from './sign-up.ts'
import type { StartSessionDeps } from './start-session.ts'
import { tokens } from './tokens.ts'

export interface AccountDeps extends StartSessionDeps, SignInChangeDeps {
  auth: Auth
  mail: AccountMail
  /** Signs cookies, and hashes codes. */
  secret: string
  mails: Mails
  log: Log
  /** Domain of placeholder addresses for members without an address at the hub. */
  madeUpDomain: string
  providers: { google: boolean; hub: boolean; phone: boolean }
}

/** Sign-in by the portal's own methods (passwords, links and codes), and the resulting sessions. */
export function accounts(router: Router, deps: AccountDeps) {
  registerSignUp(router, deps)
  passwordSignIn(router, deps)
  registerOneTimeCodes(router, deps)
  tokens(router, deps)
  registerProgramSignIn(router)
  ownSessions(router, deps)
  signInChanges(router, deps)

  router.serve(listProviders, () => deps.providers)
  router.serve(listKeys, () => ({ keys: [] }))
  router.serve(signInWithSso, () => {
    throw new AppError(400, 'unsupported', 'Sign-in through an organisation is not set up here.')
  })
}
