import type { Settings } from '../env.ts'
import type { Door } from '../http/door.ts'
import type { Log } from '../log.ts'
import type { SettingsModel } from '../settings/settings.ts'
import type { AccountMail, Auth } from './auth.ts'
import { contactChanges } from './contact.ts'
import { createGoogle } from './google.ts'
import { googleSignIn } from './google-endpoints.ts'
import { createHub } from './hub.ts'
import { hubSignIn } from './hub-endpoints.ts'
import { identities } from './identities.ts'
import type { OpenedParts } from './opened.ts'
import { passkeys } from './passkeys.ts'
import { secondSteps } from './second-step-endpoints.ts'
import type { Mails } from './sign-ins/mails.ts'

export interface WayParts extends OpenedParts {
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

/** Domain of addresses that are made up where no hub is configured: nobody can own one (RFC 2606). */
export const NO_DOMAIN = 'hub.invalid'

/** The further ways of signing in, each with what belongs to it. */
export function waysOfSigningIn(door: Door, parts: WayParts) {
  const { publicUrl, madeUpDomain, log } = parts
  const google = parts.google && createGoogle({ settings: parts.google, publicUrl, madeUpDomain, log })
  googleSignIn(door, { ...parts, google })
  secondSteps(door, parts)
  passkeys(door, parts)
  identities(door, parts)
  contactChanges(door, parts)
  hubSignIn(door, { ...parts, hub: parts.hub && createHub(parts.hub) })
}
