import { argon2Sync, randomUUID } from 'node:crypto'
import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'
import { expect } from 'vitest'
import { createAccount, type NewAccount } from '#server/accounts/create-account.ts'
import { createReadSession } from '#server/accounts/sessions.ts'
import type { App } from '#server/app.ts'
import type { AppDeps } from '#server/app-deps.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Template } from '#server/delivery/templates/render.ts'
import { createLog } from '#server/log.ts'
import { testApp } from './app.ts'
import { everywhere } from './users.ts'

export const PASSWORD = 'seven purple lanterns'

const NONCE = Buffer.from('a nonce of tests')
const CHEAPEST = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }
const TAG = argon2Sync('argon2id', { message: Buffer.from(PASSWORD), nonce: NONCE, ...CHEAPEST })
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** `PASSWORD` as stored, at the lowest cost: tests sign in thousands of times. password-rules.test.ts has the real one. */
export const PASSWORD_HASH = `$argon2id$v=19$m=8,t=1,p=1$${base64(NONCE)}$${base64(TAG)}`

/**
 * An account that signs in with `PASSWORD`: a traveler with an unrestricted scope unless the test says otherwise. Returns
 * the profile's id.
 */
export async function createPasswordAccount(
  database: Database,
  account: Partial<NewAccount> & { email: string },
): Promise<string> {
  const { role = 'traveler' } = account
  const names = { first_name: 'Ana', last_name: 'Cruz' }
  const made = { ...names, ...everywhere(role), role, ...account }
  const id = await createAccount(database, made, async (db, { authUserId }) => {
    const owner = { id: randomUUID(), user_id: authUserId, provider_id: 'credential', account_id: authUserId }
    await db
      .insertInto('auth_accounts')
      .values({ ...owner, password: PASSWORD_HASH })
      .execute()
  })
  if (!id) throw new Error(`${account.email} has an account already`)
  return id
}

/** The real portal with its own sessions; `rules` are the settings that sessions depend on. */
export function accountApp(
  database: Database,
  deps: Partial<AppDeps> = {},
  rules = { needsSecondStep: true },
): Promise<App> {
  const settings = { get: () => rules.needsSecondStep } as never
  const isSecure = deps.publicUrl?.startsWith('https:') ?? false
  const readSession = createReadSession({ database, settings, isSecure, log: createLog('silent') })
  return testApp(database, { readSession, ...deps })
}

export interface Answer {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

interface BrowserOptions {
  /** Makes it an API client with this token. */
  bearer?: string
  /** Client address as reported by one trusted proxy. */
  address?: string
  /** Copied from another browser. */
  cookies?: Map<string, string>
}

/** A browser with cookies, or an API client with a token. */
export function createBrowser(app: Pick<App, 'request'>, options: string | BrowserOptions = {}) {
  const { bearer, address, ...more } = typeof options === 'string' ? { bearer: options } : options
  const cookies = new Map<string, string>('cookies' in more ? more.cookies : undefined)
  async function visit(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (bearer) headers.set('authorization', `Bearer ${bearer}`)
    if (address) headers.set('x-forwarded-for', address)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await app.request(path, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }
  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await visit(`/api${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    return { status: response.status, body: (await response.json()) as Answer['body'], headers: response.headers }
  }
  return {
    cookies,
    visit,
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    put: (path: string, body?: unknown) => call('PUT', path, body),
    delete: (path: string, body?: unknown) => call('DELETE', path, body),
    /** Current role of the signed-in user, or null. */
    async role(): Promise<string | null> {
      const { body } = await call('GET', '/auth/user')
      return (body.user as { role?: string } | undefined)?.role ?? null
    },
  }
}
export type Browser = ReturnType<typeof createBrowser>

export const messagesTo = (database: Database, recipient: string) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('messages').selectAll().where('recipient', '=', recipient).orderBy('created_at').execute(),
  )

/** The last message to a recipient by template; waits until it is queued. */
export async function lastMessage(database: Database, recipient: string, template: Template): Promise<string> {
  const found = async () => (await messagesTo(database, recipient)).filter((message) => message.template === template)
  await expect.poll(async () => (await found()).length, { timeout: 5_000 }).toBeGreaterThan(0)
  return (await found()).at(-1)!.body_text!
}

export const tokenIn = (text: string) => decodeURIComponent(/token=([^\s&"]+)/.exec(text)![1]!)

/** Profile, auth user and sign-in methods of an email address. */
export async function accountOf(database: Database, email: string) {
  const kysely = database.requests.kysely
  const profile = await kysely.selectFrom('user_profiles').selectAll().where('email', '=', email).executeTakeFirst()
  if (!profile) return undefined
  const person = await kysely.selectFrom('persons').selectAll().where('id', '=', profile.person_id!).executeTakeFirst()
  const signInMethods = await kysely
    .selectFrom('auth_accounts')
    .select(['provider_id', 'account_id', 'access_token', 'refresh_token', 'id_token'])
    .where('user_id', '=', profile.auth_user_id!)
    .execute()
  return { profile, person: person!, signInMethods }
}

/**
 * Makes an account and all its sign-in methods a month old: on the first day any of them confirms the user's identity.
 */
export async function ageAccount(database: Database, email: string): Promise<void> {
  const { rows } = await database.requests.pool.query(
    `update auth_users set created_at = now() - interval '30 days', email_since = now() - interval '30 days',
      phone_since = case when phone_number is not null then now() - interval '30 days' end where email = $1 returning id`,
    [email],
  )
  for (const table of ['auth_accounts', 'auth_passkeys', 'auth_two_factors'])
    await database.requests.pool.query(`update ${table} set since = now() - interval '30 days' where user_id = $1`, [
      rows[0].id,
    ])
}

/** The authenticator code for a secret: `steps` of thirty seconds from `at`. */
export async function authenticatorCode(secret: string, steps = 0, at = new Date()): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const key = await crypto.subtle.importKey('raw', Buffer.from(base32.decode(secret)), algorithm, false, ['sign'])
  // The type is text, but a key is accepted too.
  return createOTP(key as never).hotp(Math.floor(at.valueOf() / 30_000) + steps)
}
