import type { Log } from '#server/log.ts'
import type { AccountMail, Auth } from './auth.ts'
import type { SignInChangeDeps } from './sign-in-changes.ts'
import type { Mails } from './sign-ins/mails.ts'
import type { StartSessionDeps } from './start-session.ts'

/** Dependencies of signing in. */
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
