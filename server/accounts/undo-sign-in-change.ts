import { randomUUID } from 'node:crypto'
import { type Selectable, sql, type Transaction } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Tables } from '#server/db/tables.ts'
import type { SignInChangesTable } from '#server/db/tables-accounts.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import { fill } from '#server/delivery/templates/fill.ts'
import { TEXTS } from '#server/delivery/templates/render.ts'
import type { SignInChangeKind } from '#shared/accounts/sign-in-changes.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import { insertInboxItem, lockOwner, type Owner, type SignInChangeDeps } from './sign-in-changes.ts'
import { recoveryLink } from './users/recovery.ts'

type Transact = Transaction<Tables>
type Change = Selectable<SignInChangesTable>

/**
 * Restores an account to its state before a change. Every later change is undone with it, since the same person may
 * have made them; then all sessions end, no sent link or code counts, and the password is cleared.
 */
export function undoSignInChange(
  database: Database,
  { id, user_id }: { id: string; user_id: string },
  deps: SignInChangeDeps,
): Promise<{ sent_mail: boolean }> {
  return database.requests.kysely.transaction().execute(async (db) => {
    const before = await lockOwner(db, user_id)
    const changes = await changesFrom(db, id)
    if (changes.length === 0) throw usedLink()
    for (const { kind, former } of changes) await RESTORE[kind](db, user_id, former as never)
    await db
      .updateTable('sign_in_changes')
      .set({ undone_at: sql<Date>`clock_timestamp()` })
      .where(
        'id',
        'in',
        changes.map((change) => change.id),
      )
      .execute()
    await db.deleteFrom('auth_sessions').where('user_id', '=', user_id).execute()
    await forgetLinks(db, user_id)
    const owner = await lockOwner(db, user_id)
    await deps.mails.forget(db, [before.email, owner.email, before.phone_number, owner.phone_number])
    const hadPassword = await clearPassword(db, owner, changes)
    const sent_mail = hadPassword && owner.email_verified
    await notify(db, before, owner, deps)
    if (sent_mail) await mailNewPassword(db, owner, deps)
    await asPortal(db, () =>
      audit(db, owner.profile, {
        action: 'user.sign_in_undone',
        subject_type: 'user',
        subject_id: owner.profile.id,
        after: { changes: changes.map(({ kind }) => kind).toReversed() },
      }),
    )
    return { sent_mail }
  })
}

/** An undoable change and all after it, the latest first. */
async function changesFrom(db: Transact, id: string): Promise<Change[]> {
  const first = await db
    .selectFrom('sign_in_changes')
    .selectAll()
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!first) return []
  return db
    .selectFrom('sign_in_changes')
    .selectAll()
    .where('user_id', '=', first.user_id)
    .where('undone_at', 'is', null)
    .where('changed_at', '>=', sql<Date>`(select changed_at from sign_in_changes where id = ${id})`)
    .orderBy('changed_at', 'desc')
    .execute()
}

type Restore = (db: Transact, userId: string, former: never) => Promise<unknown>

const restoreAccount: Restore = (db, _userId, former) =>
  sql`insert into auth_accounts select * from jsonb_populate_record(null::auth_accounts, ${JSON.stringify(former)}::jsonb)
    on conflict do nothing`.execute(db)
const removeAccount: Restore = (db, userId, former: { id: string }) =>
  db.deleteFrom('auth_accounts').where('id', '=', former.id).where('user_id', '=', userId).execute()

const RESTORE: Record<SignInChangeKind, Restore> = {
  phone_added: restorePhone,
  phone_changed: restorePhone,
  phone_removed: restorePhone,
  email_changed: restoreEmail,
  passkey_added: (db, userId, former: { id: string }) =>
    db.deleteFrom('auth_passkeys').where('id', '=', former.id).where('user_id', '=', userId).execute(),
  passkey_removed: (db, _userId, former) =>
    sql`insert into auth_passkeys select * from jsonb_populate_record(null::auth_passkeys, ${JSON.stringify(former)}::jsonb)
      on conflict do nothing`.execute(db),
  google_linked: removeAccount,
  google_unlinked: restoreAccount,
  hub_linked: async (db, userId, former) => {
    await removeAccount(db, userId, former)
    await db.updateTable('user_profiles').set({ mcgi_hub_id: null }).where('auth_user_id', '=', userId).execute()
  },
  hub_unlinked: async (db, userId, former: { account_id: string }) => {
    await restoreAccount(db, userId, former as never)
    await sql`update user_profiles set mcgi_hub_id = ${former.account_id} where auth_user_id = ${userId}
      and not exists (select from user_profiles where mcgi_hub_id = ${former.account_id})`.execute(db)
  },
  second_factor_added: restoreFactor,
  second_factor_removed: restoreFactor,
  recovery_codes_renewed: restoreFactor,
  // No former password is stored: the owner chooses a new one.
  password_set: async () => {},
  password_changed: async () => {},
  password_removed: async () => {},
}

async function restorePhone(
  db: Transact,
  userId: string,
  former: { phone_number: string | null; phone_number_verified: boolean | null; phone_since: string | null },
) {
  const { phone_since, ...phone } = former
  const other = await db
    .selectFrom('auth_users')
    .select('id')
    .where('phone_number', '=', phone.phone_number)
    .where('id', '!=', userId)
    .executeTakeFirst()
  // Its new owner has confirmed it.
  const restored = other ? { phone_number: null, phone_number_verified: false } : phone
  await db.updateTable('auth_users').set(restored).where('id', '=', userId).execute()
  // A separate statement, after the trigger that dates the change.
  if (!other) await db.updateTable('auth_users').set({ phone_since }).where('id', '=', userId).execute()
}

async function restoreEmail(
  db: Transact,
  userId: string,
  former: { email: string; email_verified: boolean; email_since: string },
) {
  const { email_since, ...address } = former
  const other = await db
    .selectFrom('auth_users')
    .select(['id', 'email_verified'])
    .where('email', '=', address.email)
    .where('id', '!=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (other?.email_verified) throw new AppError(409, 'email_taken', 'Another account uses this email address.')
  // A sign-up with it in the meantime that was never confirmed must not lock its owner out.
  if (other)
    await db
      .updateTable('auth_users')
      .set({ email: `${randomUUID()}@released.invalid` })
      .where('id', '=', other.id)
      .execute()
  await db.updateTable('auth_users').set(address).where('id', '=', userId).execute()
  await db.updateTable('auth_users').set({ email_since }).where('id', '=', userId).execute()
}

async function restoreFactor(db: Transact, userId: string, former: { factor: object | null }) {
  await db.deleteFrom('auth_two_factors').where('user_id', '=', userId).execute()
  if (former.factor)
    await sql`insert into auth_two_factors select *
      from jsonb_populate_record(null::auth_two_factors, ${JSON.stringify(former.factor)}::jsonb)`.execute(db)
  await db
    .updateTable('auth_users')
    .set({ two_factor_enabled: former.factor !== null })
    .where('id', '=', userId)
    .execute()
}

/** Links to reset the password or change the address: the author of the change may have them in their mailbox. */
export const forgetLinks = (db: Transact, userId: string) =>
  sql`delete from auth_verifications where position(${userId} in value) > 0`.execute(db)

/** Kept if it is the only method left and nobody changed it. */
async function clearPassword(db: Transact, owner: Owner, changes: Change[]): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`select (
      select count(*) from auth_accounts where user_id = ${owner.id} and provider_id <> 'credential'
    ) + (select count(*) from auth_passkeys where user_id = ${owner.id}) as count`.execute(db)
  const hasOther = owner.email_verified || owner.phone_number_verified || Number(firstOf(rows).count) > 0
  const wasChanged = changes.some(({ kind }) => kind.startsWith('password_'))
  if (!hasOther && !wasChanged) return false
  const { numDeletedRows } = await db
    .deleteFrom('auth_accounts')
    .where('user_id', '=', owner.id)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return numDeletedRows > 0n || changes.some(({ kind }) => kind === 'password_removed')
}

/** Notifies the restored address and the one it replaced. */
async function notify(db: Transact, before: Owner, owner: Owner, { brand, publicUrl }: SignInChangeDeps) {
  const { profile, language } = owner
  const { inbox, templates } = TEXTS[language]
  const mails = [...new Set([before, owner].filter((state) => state.email_verified).map(({ email }) => email))]
  await asPortal(db, async () => {
    await insertInboxItem(db, profile.id, {
      type: 'sign-in-restored',
      title: inbox['sign-in-restored'],
      message: fill(firstOf(templates['sign-in-restored'].lines), { brand: brand() }),
      action_url: '/dashboard/profile/sign-in',
    })
    for (const to of mails)
      await queueMessage(db, {
        key: `sign-in-restored ${randomUUID()}`,
        channel: 'email',
        to,
        userId: profile.id,
        template: 'sign-in-restored',
        language,
        values: { brand: brand(), link: `${publicUrl}/support` },
      })
  })
}

async function mailNewPassword(db: Transact, owner: Owner, { brand, publicUrl }: SignInChangeDeps) {
  const link = await recoveryLink(db, owner.id, publicUrl)
  await asPortal(db, () =>
    queueMessage(db, {
      key: `reset-password ${randomUUID()}`,
      channel: 'email',
      to: owner.email,
      userId: owner.profile.id,
      template: 'reset-password',
      language: owner.language,
      values: { brand: brand(), link },
      isSecret: true,
    }),
  )
}

export const usedLink = () => new AppError(404, 'unknown_link', 'This link was already used or is older than 7 days.')
