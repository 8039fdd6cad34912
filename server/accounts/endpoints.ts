import type { Router } from '#server/http/router.ts'
import { listKeys, listProviders, signInWithSso } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './deps.ts'
import { registerOneTimeCodes } from './one-time-codes.ts'
import { ownSessions } from './own-sessions.ts'
import { passwordSignIn } from './password-sign-in.ts'
import { registerProgramSignIn } from './program-sign-in.ts'
import { signInChanges } from './sign-in-change-endpoints.ts'
import { registerSignUp } from './sign-up.ts'
import { tokens } from './tokens.ts'

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
