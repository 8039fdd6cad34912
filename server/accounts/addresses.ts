import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { EMAIL } from '#shared/accounts/text.ts'

/**
 * An address for a member of whom the hub knows none (HUB-LOGIN-05), then one that nobody else can have. It is a name
 * to keep the account under: never confirmed, never written to, never a reason to take two accounts for one (F-18).
 */
export function madeUpAddresses(userName: string, subject: string, domain: string): [string, string] {
  const name =
    userName
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '.')
      .replace(/^\.+|\.+$/g, '')
      .slice(0, 40) || 'member'
  const mark = createHash('sha256').update(subject).digest('hex').slice(0, 12)
  return [`${name}@${domain}`, `${name}.${mark}@${domain}`]
}

/** What another service gives as an address, in the portal's form; undefined when it is none. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const email = value.trim().toLowerCase()
  return email.length <= 254 && EMAIL.test(email) ? email : undefined
}

/**
 * False for an address that only the hub spoke of and that nobody confirmed: no link and no code goes there, since they
 * would let a stranger into the account of the member.
 */
export async function mayBeWrittenTo(db: Db, email: string): Promise<boolean> {
  const unproven = await hubAccountsOf(db, email).executeTakeFirst()
  return unproven === undefined
}

/**
 * Takes an address that nobody confirmed from the member for whom the hub gave it, before its owner comes. The member
 * still signs in through the hub, under an address that is made up.
 */
export async function releaseAddress(db: Db, email: string, domain: string): Promise<void> {
  const account = await hubAccountsOf(db, email).executeTakeFirst()
  if (!account) return
  const [, other] = madeUpAddresses('member', account.account_id, domain)
  await db
    .updateTable('auth_users')
    .set({ email: other, updated_at: sql<Date>`now()` })
    .where('id', '=', account.id)
    .where('email_verified', '=', false)
    .execute()
}

const hubAccountsOf = (db: Db, email: string) =>
  db
    .selectFrom('auth_users as u')
    .innerJoin('auth_accounts as a', 'a.user_id', 'u.id')
    .select(['u.id', 'a.account_id'])
    .where('u.email', '=', email.trim().toLowerCase())
    .where('u.email_verified', '=', false)
    .where('a.provider_id', '=', 'mcgi-hub')
