import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import { firstOf } from '#shared/assert.ts'

export const DEVICE_DAYS = 365
/** Days for which an address that signed in to an account counts as known. */
export const NETWORK_DAYS = 30
const MAX_DEVICES = 10

/** A caller as seen by the limits. */
export interface Caller {
  headers: Headers
  session: { address: string }
}

/** An account by the entered identifier, with what is known of the caller; `userId` is absent when nobody has it. */
export interface KnownCaller {
  userId?: string
  /** Identifies the device or network that has signed in to the account before. */
  known?: string
}

/**
 * Distinguishes known callers from strangers: by a device cookie that lasts a year, or by the network. Neither signs
 * anyone in; they only keep strangers' failures from counting.
 */
export class Callers {
  readonly #database: Database
  readonly #secret: string
  readonly #isSecure: boolean
  readonly #name: string

  constructor({
    database,
    secret,
    isSecure,
  }: {
    database: Database
    secret: string
    isSecure: boolean
  }) {
    this.#database = database
    this.#secret = secret
    this.#isSecure = isSecure
    this.#name = `${isSecure ? '__Host-' : ''}mfa.device`
  }

  findByEmail(caller: Caller, email: string) {
    return this.#find(caller, sql`u.email = ${email}`)
  }

  findByPhone(caller: Caller, phone: string) {
    return this.#find(caller, sql`u.phone_number = ${phone}`)
  }

  findById(caller: Caller, userId: string) {
    return this.#find(caller, sql`u.id = ${userId}`)
  }

  /** Number of accounts signed in from the address within a day; counted up to 200. */
  async accountsAt(address: string): Promise<number> {
    const { rows } = await sql<{ accounts: number }>`
        select count(*)::int as accounts from (select from auth_networks
          where network_hash = ${this.#networkHash(address)} and last_used_at > now() - interval '1 day' limit 200) n`.execute(
      this.#database.requests.kysely,
    )
    return firstOf(rows).accounts
  }

  /** Forgets every device and network of an account. */
  async forget(userId: string): Promise<void> {
    await this.#database.requests.kysely.deleteFrom('auth_devices').where('user_id', '=', userId).execute()
    await this.#database.requests.kysely.deleteFrom('auth_networks').where('user_id', '=', userId).execute()
  }

  /**
   * Remembers that the account was signed in to from here; call only after every step is complete. The cookie changes
   * each time; other accounts on the same device follow it. Clients with a token store none.
   */
  async remember(
    caller: Caller & { setCookies?: (lines: string[]) => void },
    userId: string,
    isBrowser: boolean,
  ): Promise<void> {
    const kysely = this.#database.requests.kysely
    if (caller.session.address)
      await sql`insert into auth_networks (user_id, network_hash) values (${userId}, ${this.#networkHash(caller.session.address)})
          on conflict (user_id, network_hash) do update set last_used_at = now()`.execute(kysely)
    if (!isBrowser || !caller.setCookies) return
    const token = randomBytes(32).toString('base64url')
    const old = this.#deviceOf(caller.headers)
    await kysely.transaction().execute(async (db) => {
      if (old)
        await db
          .updateTable('auth_devices')
          .set({ token_hash: hashOf(token) })
          .where('token_hash', '=', old)
          .execute()
      await sql`insert into auth_devices (user_id, token_hash) values (${userId}, ${hashOf(token)})
          on conflict (user_id, token_hash) do update set last_used_at = now()`.execute(db)
      await sql`delete from auth_devices where user_id = ${userId} and token_hash in (
          select token_hash from auth_devices where user_id = ${userId}
          order by last_used_at desc, token_hash offset ${MAX_DEVICES})`.execute(db)
    })
    caller.setCookies([
      `${this.#name}=${token}.${this.#signatureOf(token)}; Max-Age=${DEVICE_DAYS * 24 * 3600}; Path=/; HttpOnly; ${this.#isSecure ? 'Secure; ' : ''}SameSite=Lax`,
    ])
  }

  #signatureOf(value: string) {
    return createHmac('sha256', `device ${this.#secret}`).update(value).digest('base64url')
  }

  #networkHash(address: string) {
    return createHmac('sha256', `network ${this.#secret}`).update(address).digest('base64url')
  }

  /** Hash of the device cookie; undefined without one, or when its signature is not the portal's. */
  #deviceOf(headers: Headers): string | undefined {
    const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
    const value = pairs.find((pair) => pair.startsWith(`${this.#name}=`))?.slice(this.#name.length + 1)
    const [, token, signature] = /^([\w-]{43})\.([\w-]{43})$/.exec(value ?? '') ?? []
    if (!token || !signature) return undefined
    return timingSafeEqual(Buffer.from(signature), Buffer.from(this.#signatureOf(token))) ? hashOf(token) : undefined
  }

  async #find(caller: Caller, account: RawBuilder<boolean>): Promise<KnownCaller> {
    const device = this.#deviceOf(caller.headers)
    const network = this.#networkHash(caller.session.address)
    const { rows } = await sql<{ id: string; device: boolean; network: boolean }>`
      select u.id,
        exists (select from auth_devices d where d.user_id = u.id and d.token_hash = ${device ?? ''}) as device,
        exists (select from auth_networks n where n.user_id = u.id and n.network_hash = ${network}
          and n.last_used_at > now() - make_interval(days => ${NETWORK_DAYS})) as network
      from auth_users u where ${account}`.execute(this.#database.requests.kysely)
    const [row] = rows
    if (!row) return {}
    const known = row.device ? `device ${device}` : row.network ? `network ${network}` : undefined
    return { userId: row.id, ...(known ? { known } : {}) }
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
