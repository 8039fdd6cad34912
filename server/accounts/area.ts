import type { Countries } from '../countries/reference.ts'
import type { Database } from '../db/connection.ts'
import type { Settings } from '../env.ts'
import type { Store } from '../files/store.ts'
import type { Door } from '../http/door.ts'
import type { ReadSession } from '../http/session.ts'
import type { Log } from '../log.ts'
import type { SettingsModel } from '../settings/settings.ts'
import { createAuth } from './auth.ts'
import { accounts } from './endpoints.ts'
import { createAccountMail } from './mail.ts'
import { ownAccount } from './own/endpoints.ts'
import { createReadSession } from './sessions.ts'
import type { Pause } from './sign-ins/attempts.ts'
import { signInReport } from './sign-ins/endpoints.ts'
import { createMails } from './sign-ins/mails.ts'
import { createSignIns } from './sign-ins/sign-ins.ts'
import { accountActions } from './users/account-action-endpoints.ts'
import { users } from './users/endpoints.ts'
import { newcomers } from './users/newcomers.ts'
import { NO_DOMAIN, waysOfSigningIn } from './ways.ts'

export interface AccountAreaParts {
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
  /** In place of waiting, for tests. */
  pause?: Pause
  /** In place of the portal's own, for tests that only say who asks. */
  readSession?: ReadSession | undefined
}

/** Everything about who somebody is: ways in, sessions, the own account, people and roles. Gives what reads a session. */
export function accountArea(door: Door, parts: AccountAreaParts): ReadSession {
  const { database, log, publicUrl, settings, countries } = parts
  const isSecure = publicUrl.startsWith('https:')
  const brand = () => settings.get('brand')
  const telling = { publicUrl, brand }
  const mails = createMails({ database, secret: parts.secret })
  const mail = createAccountMail({ database, mails, ...telling })
  const signIns = createSignIns({ ...parts, isSecure })
  const auth = createAuth({ database, secret: parts.secret, publicUrl, mail, log })
  const readSession = parts.readSession ?? createReadSession({ database, settings, isSecure, log })
  const hasPhone = parts.hasPhoneCodes
  const providers = { google: parts.google !== undefined, hub: parts.hub !== undefined, phone: hasPhone }
  const madeUpDomain = parts.hub?.emailDomain ?? NO_DOMAIN
  const changes = { ...telling, hasPhone, mails }
  const shared = { auth, readSession, isSecure, mail, signIns, madeUpDomain, log, secret: parts.secret, ...changes }
  accounts(door, { ...shared, providers })
  waysOfSigningIn(door, { ...parts, ...shared })
  signInReport(door, { auth, signIns })
  users(door, { ...telling, countries })
  newcomers(door, telling)
  accountActions(door, telling)
  ownAccount(door, { brand, countries, isSecure, ...(parts.files ? { files: parts.files } : {}) })
  return readSession
}
