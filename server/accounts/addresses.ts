import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { EMAIL } from '#shared/accounts/text.ts'

/**
 * Placeholder addresses for a member without one at the hub (HUB-LOGIN-05), then one that cannot be taken. Only a key
 * for the account: never confirmed, never written to, never a reason to merge accounts (F-18).
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

/** Normalises an address from another provider; undefined when it is not valid. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const email = value.trim().toLowerCase()
  return email.length <= 254 && EMAIL.test(email) ? email : undefined
}

/**
 * False for an unconfirmed address that only came from the hub: no link or code is sent there, since it could let a
 * stranger into the member's account.
 */
export async function mayBeWrittenTo(db: Db, email: string): Promise<boolean> {
  const unproven = await hubAccountsOf(db, email).executeTakeFirst()
  return unproven === undefined
}

/**
 * Frees an unconfirmed address that the hub supplied for a member, so that its owner can use it. The member still signs
 * in through the hub, under a placeholder address.
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
