import type { Settings } from '#server/env.ts'
import type { Router } from '#server/http/router.ts'
import type { Log } from '#server/log.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import type { AccountMail, Auth } from './auth.ts'
import { registerContactChanges } from './contact-changes.ts'
import { createGoogle } from './google.ts'
import { registerGoogleSignIn } from './google-endpoints.ts'
import { createHub } from './hub.ts'
import { registerHubSignIn } from './hub-endpoints.ts'
import { registerIdentities } from './identities.ts'
import { registerPasskeys } from './passkeys.ts'
import { registerSecondStep } from './second-step-endpoints.ts'
import type { Mails } from './sign-ins/mails.ts'
import type { StartSessionDeps } from './start-session.ts'

export interface SignInMethodsDeps extends StartSessionDeps {
  auth: Auth
  mail: AccountMail
  mails: Mails
  publicUrl: string
  madeUpDomain: string
  hasPhone: boolean
  google: Settings['google'] | undefined
  hub: Settings['hub'] | undefined
  secret: string
  brand: () => string
  settings: SettingsModel
  log: Log
}

/** Domain of placeholder addresses when no hub is configured: nobody can own one (RFC 2606). */
export const NO_DOMAIN = 'hub.invalid'

/** The other sign-in methods, each with its endpoints. */
export function registerSignInMethods(router: Router, deps: SignInMethodsDeps) {
  const { publicUrl, madeUpDomain, log } = deps
  const google = deps.google && createGoogle({ settings: deps.google, publicUrl, madeUpDomain, log })
  registerGoogleSignIn(router, { ...deps, google })
  registerSecondStep(router, deps)
  registerPasskeys(router, deps)
  registerIdentities(router, deps)
  registerContactChanges(router, deps)
  registerHubSignIn(router, { ...deps, hub: deps.hub && createHub(deps.hub) })
}
