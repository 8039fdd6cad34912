import type { Countries } from '#server/countries/reference.ts'
import type { Database } from '#server/db/connection.ts'
import type { Settings } from '#server/env.ts'
import type { Store } from '#server/files/store.ts'
import type { Router } from '#server/http/router.ts'
import type { ReadSession } from '#server/http/session.ts'
import type { Log } from '#server/log.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { createAuth } from './auth.ts'
import { registerAccountEndpoints } from './endpoints.ts'
import { createAccountMail } from './mail.ts'
import { registerOwnAccount } from './own/endpoints.ts'
import { createReadSession } from './sessions.ts'
import { NO_DOMAIN, registerSignInMethods } from './sign-in-methods.ts'
import type { Pause } from './sign-ins/attempts.ts'
import { registerSignInReport } from './sign-ins/endpoints.ts'
import { createMails } from './sign-ins/mails.ts'
import { createSignIns } from './sign-ins/sign-ins.ts'
import { registerAccountActions } from './users/account-action-endpoints.ts'
import { registerUsers } from './users/endpoints.ts'
import { registerNewAccounts } from './users/new-accounts.ts'

export interface AccountsDeps {
  database: Database
  log: Log
  publicUrl: string
  /** Signs cookies; at least 32 characters. */
  secret: string
  settings: SettingsModel
  countries: () => Countries
  google: Settings['google'] | undefined
  hub: Settings['hub'] | undefined
  /** Codes can be sent to phones, or read where they are recorded. */
  hasPhoneCodes: boolean
  files?: Store
  /** Replaces the wait, for tests. */
  pause?: Pause
  /** Replaces the portal's own session reader in tests. */
  readSession?: ReadSession | undefined
}

/**
 * Registers everything about accounts: sign-in, sessions, the own account, users and roles. Returns the session reader.
 */
export function registerAccounts(router: Router, deps: AccountsDeps): ReadSession {
  const { database, log, publicUrl, settings, countries } = deps
  const isSecure = publicUrl.startsWith('https:')
  const brand = () => settings.get('brand')
  const notifyDeps = { publicUrl, brand }
  const mails = createMails({ database, secret: deps.secret })
  const mail = createAccountMail({ database, mails, ...notifyDeps })
  const signIns = createSignIns({ ...deps, isSecure })
  const auth = createAuth({ database, secret: deps.secret, publicUrl, mail, log })
  const readSession = deps.readSession ?? createReadSession({ database, settings, isSecure, log })
  const hasPhone = deps.hasPhoneCodes
  const providers = { google: deps.google !== undefined, hub: deps.hub !== undefined, phone: hasPhone }
  const madeUpDomain = deps.hub?.emailDomain ?? NO_DOMAIN
  const changes = { ...notifyDeps, hasPhone, mails }
  const shared = { auth, readSession, isSecure, mail, signIns, madeUpDomain, log, secret: deps.secret, ...changes }
  registerAccountEndpoints(router, { ...shared, providers })
  registerSignInMethods(router, { ...deps, ...shared })
  registerSignInReport(router, { auth, signIns })
  registerUsers(router, { ...notifyDeps, countries })
  registerNewAccounts(router, notifyDeps)
  registerAccountActions(router, notifyDeps)
  registerOwnAccount(router, { brand, countries, isSecure, ...(deps.files ? { files: deps.files } : {}) })
  return readSession
}
