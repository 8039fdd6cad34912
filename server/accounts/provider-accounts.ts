import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import type { Tables } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { releaseAddress } from './addresses.ts'
import { lockOwner, recordSignInChange, type SignInChangeDeps } from './sign-in-changes.ts'

/** A user authenticated by another service. */
export interface ProviderProfile {
  provider: 'google' | 'mcgi-hub'
  /** The provider's permanent id of the user. */
  subject: string
  email: string | undefined
  isEmailVerified: boolean
  /** Placeholder addresses for when there is no address, or it is taken. */
  madeUpEmails: string[]
  first_name: string
  last_name: string
  mcgi_id?: string | undefined
  person_types?: string[]
  /** Domain of the placeholder that replaces an unconfirmed address once its owner signs up. */
  madeUpDomain: string
}

type Transact = Transaction<Tables>

/**
 * Finds or creates the account of an authenticated user: a traveler, with user record and profile in the same
 * transaction. Two concurrent first sign-ins create one account. Returns the id of auth_users.
 */
export function findOrCreateAccount(
  database: Database,
  vouched: ProviderProfile,
  deps: SignInChangeDeps,
): Promise<{ userId: string; isNew: boolean }> {
  return database.requests.kysely.transaction().execute(async (db) => {
    await lockIdentity(db, vouched)
    const known = await findArrived(db, vouched, deps)
    if (known) {
      await followRecords(db, known, vouched)
      return { userId: known, isNew: false }
    }
    const { email } = vouched
    if (email && vouched.isEmailVerified) await releaseAddress(db, email, vouched.madeUpDomain)
    const same = email && vouched.provider === 'google' ? await findByEmail(db, email) : undefined
    if (same) {
      // Accounts are only merged when both sides have confirmed the address (F-19).
      if (!vouched.isEmailVerified || !same.email_verified) throw taken()
      await linkAccount(db, same.id, vouched, deps)
      return { userId: same.id, isNew: false }
    }
    return { userId: await makeUser(db, vouched), isNew: true }
  })
}

/** Links a sign-in method to the account of a signed-in user. */
export function linkTo(
  database: Database,
  userId: string,
  vouched: ProviderProfile,
  deps: SignInChangeDeps,
): Promise<void> {
  return database.requests.kysely.transaction().execute(async (db) => {
    await lockIdentity(db, vouched)
    const known = await findArrived(db, vouched, deps)
    if (known === userId) return
    if (known) throw new AppError(409, 'identity_taken', 'This sign-in method is linked to another account.')
    await linkAccount(db, userId, vouched, deps)
    await followRecords(db, userId, { ...vouched, first_name: '', last_name: '' })
  })
}

/** Links a provider to an existing account and notifies its owner. */
async function linkAccount(
  db: Transact,
  userId: string,
  vouched: ProviderProfile,
  deps: SignInChangeDeps,
): Promise<void> {
  const owner = await lockOwner(db, userId)
  const id = await addAccount(db, userId, vouched)
  const kind = vouched.provider === 'google' ? 'google_linked' : 'hub_linked'
  const audit = { action: 'user.sign_in_method' as const, after: { linked: vouched.provider } }
  await recordSignInChange(db, owner, { kind, former: { id }, audit }, deps)
}

const taken = () =>
  new AppError(
    409,
    'email_taken',
    'This email address already has an account. Sign in as you did before, then link Google in your profile.',
  )

const lockIdentity = (db: Transact, { provider, subject }: ProviderProfile) =>
  sql`select pg_advisory_xact_lock(hashtext(${`arriving ${provider} ${subject}`}))`.execute(db)

/** Found by an existing link; for the hub also by the hub id in the profile. Never by an address. */
async function findArrived(
  db: Transact,
  vouched: ProviderProfile,
  deps: SignInChangeDeps,
): Promise<string | undefined> {
  const account = await db
    .selectFrom('auth_accounts')
    .select('user_id')
    .where('provider_id', '=', vouched.provider)
    .where('account_id', '=', vouched.subject)
    .executeTakeFirst()
  if (account || vouched.provider !== 'mcgi-hub') return account?.user_id
  const profile = await db
    .selectFrom('user_profiles')
    .select('auth_user_id')
    .where('mcgi_hub_id', '=', vouched.subject)
    .executeTakeFirst()
  if (!profile?.auth_user_id) return undefined
  await linkAccount(db, profile.auth_user_id, vouched, deps)
  return profile.auth_user_id
}

async function findByEmail(db: Transact, email: string) {
  const user = await db
    .selectFrom('auth_users')
    .select(['id', 'email_verified'])
    .where('email', '=', email)
    .executeTakeFirst()
  const profile = user && (await profileOf(db, user.id))
  if (user && !profile) throw taken()
  return user && profile && { ...user, profile }
}

const profileOf = (db: Transact, userId: string) =>
  db.selectFrom('user_profiles').select(['id', 'role']).where('auth_user_id', '=', userId).executeTakeFirst()

async function addAccount(db: Transact, userId: string, { provider, subject }: ProviderProfile): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('auth_accounts')
    .values({ id, user_id: userId, provider_id: provider, account_id: subject })
    .execute()
  if (provider === 'mcgi-hub')
    await db.updateTable('user_profiles').set({ mcgi_hub_id: subject }).where('auth_user_id', '=', userId).execute()
  return id
}

/** The hub owns members' records: their names follow it where it has any, except a name chosen by the user. */
async function followRecords(db: Transact, userId: string, vouched: ProviderProfile): Promise<void> {
  if (vouched.provider !== 'mcgi-hub') return
  const { first_name, last_name, mcgi_id, person_types } = vouched
  const profile = await db
    .selectFrom('user_profiles as u')
    .innerJoin('persons as p', 'p.id', 'u.person_id')
    .select(['u.id', 'u.display_name', 'p.id as person_id', 'p.first_name', 'p.last_name', 'p.person_types'])
    .where('u.auth_user_id', '=', userId)
    .executeTakeFirst()
  if (!profile) return
  await db
    .updateTable('persons')
    .set({
      ...(first_name ? { first_name, last_name } : {}),
      ...(mcgi_id ? { mcgi_id } : {}),
      person_types: [...new Set([...profile.person_types, ...(person_types ?? [])])],
      updated_at: new Date(),
    })
    .where('id', '=', profile.person_id)
    .execute()
  if (first_name && profile.display_name === nameOf(profile))
    await db
      .updateTable('user_profiles')
      .set({ display_name: nameOf(vouched), updated_at: new Date() })
      .where('id', '=', profile.id)
      .execute()
}

async function makeUser(db: Transact, vouched: ProviderProfile): Promise<string> {
  const id = randomUUID()
  const { provider, first_name, last_name, mcgi_id, person_types } = vouched
  const registration = JSON.stringify({
    first_name,
    last_name,
    auth_provider: provider,
    registration_method: provider === 'google' ? 'google_oauth' : 'mcgi_hub',
    ...(provider === 'mcgi-hub' ? { mcgi_hub_id: vouched.subject, mcgi_id, person_types } : {}),
  })
  for (const email of [vouched.email, ...vouched.madeUpEmails]) {
    if (!email) continue
    const made = await db
      .insertInto('auth_users')
      .values({
        id,
        name: nameOf(vouched),
        email,
        email_verified: email === vouched.email && vouched.isEmailVerified,
        phone_number: null,
        two_factor_enabled: false,
        registration,
      })
      .onConflict((c) => c.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made) {
      await addAccount(db, id, vouched)
      return id
    }
  }
  throw taken()
}

const nameOf = ({ first_name, last_name }: { first_name: string; last_name: string }) =>
  `${first_name} ${last_name}`.trim()
