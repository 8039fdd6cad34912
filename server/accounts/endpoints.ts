import type { Router } from '#server/http/router.ts'
import { listKeys, listProviders, signInWithSso } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './deps.ts'
import { registerOneTimeCodes } from './one-time-codes.ts'
import { registerOwnSessions } from './own-sessions.ts'
import { registerPasswordSignIn } from './password-sign-in.ts'
import { registerProgramSignIn } from './program-sign-in.ts'
import { registerSignInChanges } from './sign-in-change-endpoints.ts'
import { registerSignUp } from './sign-up.ts'
import { registerTokens } from './tokens.ts'

/** Sign-in by the portal's own methods (passwords, links and codes), and the resulting sessions. */
export function registerAccountEndpoints(router: Router, deps: AccountDeps) {
  registerSignUp(router, deps)
  registerPasswordSignIn(router, deps)
  registerOneTimeCodes(router, deps)
  registerTokens(router, deps)
  registerProgramSignIn(router)
  registerOwnSessions(router, deps)
  registerSignInChanges(router, deps)

  router.serve(listProviders, () => deps.providers)
  router.serve(listKeys, () => ({ keys: [] }))
  router.serve(signInWithSso, () => {
    throw new AppError(400, 'unsupported', 'Sign-in through an organisation is not set up here.')
  })
}
