import { listKeys, listProviders, signInWithSso } from '#shared/accounts/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import type { Door } from '../http/door.ts'
import type { Log } from '../log.ts'
import type { AccountMail, Auth } from './auth.ts'
import type { OpenedParts } from './opened.ts'
import { ownSessions } from './own-sessions.ts'
import { passwordSignIn } from './password.ts'
import { sentCodes } from './sent.ts'
import { signInChanges } from './sign-in-change-endpoints.ts'
import type { SignInChangeDeps } from './sign-in-changes.ts'
import type { Mails } from './sign-ins/mails.ts'
import { signingUp } from './signing-up.ts'
import { tokens } from './tokens.ts'

export interface AccountParts extends OpenedParts, SignInChangeDeps {
  auth: Auth
  mail: AccountMail
  /** Signs cookies, and hashes codes. */
  secret: string
  mails: Mails
  log: Log
  /** Domain of addresses that are made up for members of whom the hub knows none. */
  madeUpDomain: string
  providers: { google: boolean; hub: boolean; phone: boolean }
}

/** Coming in with what the portal itself keeps: passwords, links and codes; and the sessions that come of it. */
export function accounts(door: Door, parts: AccountParts) {
  signingUp(door, parts)
  passwordSignIn(door, parts)
  sentCodes(door, parts)
  tokens(door, parts)
  ownSessions(door, parts)
  signInChanges(door, parts)

  door.serve(listProviders, () => parts.providers)
  door.serve(listKeys, () => ({ keys: [] }))
  door.serve(signInWithSso, () => {
    throw new AppError(400, 'unsupported', 'Sign-in through an organisation is not set up here.')
  })
}
