import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { forgetInAssistant } from '#server/assistant/retention.ts'
import { audit } from '#server/audit/audit-log.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import { forgetSuppressions } from '#server/delivery/suppressions.ts'
import { keyOf, type Store } from '#server/files/store.ts'
import type { SignedIn } from '#server/http/session.ts'
import { forgetInRollCalls, forgetTextsOf } from '#server/roll-calls/retention.ts'
import { AppError } from '#shared/errors.ts'
import { languageOf } from '#shared/language.ts'

export interface ErasureDeps {
  brand: () => string
  /** Storage of file contents. */
  files?: Store
}

/**
 * Erases a user in one transaction: the profile stays as an anonymous row, because other rows reference it; all
 * identifying data is deleted. The last message goes to the former address, which is forgotten once it is sent. What is
 * kept and why: docs/decisions/0011-erasure.md.
 */
export async function eraseAccountOf(database: Database, user: SignedIn, deps: ErasureDeps, now: Date) {
  try {
    const files = await inBackground(database, 'erasure', async (db) => {
      const profile = await db
        .selectFrom('user_profiles')
        .select(['email', 'phone_number', 'preferred_language', 'person_id'])
        .where('id', '=', user.id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      await forgetMessages(db, user.id, profile)
      const files = await db
        .deleteFrom('stored_files')
        .where('owner_id', '=', user.id)
        // A photo of a church belongs to the church, regardless of who uploaded it.
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('locale_photos').select('file_id').whereRef('file_id', '=', 'stored_files.id'))),
        )
        .returning(['id', 'bucket'])
        .execute()
      await db.deleteFrom('advisory_acknowledgments').where('user_id', '=', user.id).execute()
      await deletePreferences(db, user.id, profile, now)
      await makeAnonymous(db, user.id, profile.person_id, now)
      await sql`select erase_sign_in(${user.id})`.execute(db)
      await audit(db, user, { action: 'account.erase', subject_type: 'user', subject_id: user.id })
      await queueMessage(db, {
        key: `account-erased ${user.id}`,
        channel: 'email',
        to: profile.email,
        template: 'account-erased',
        language: languageOf(profile.preferred_language) ?? 'en',
        values: { brand: deps.brand() },
        isSecret: true,
      })
      return files
    })
    // Bytes last: those that cannot be deleted now are removed by the orphan clean-up.
    for (const file of files) await deps.files?.delete(keyOf(file)).catch(() => {})
  } catch (error) {
    if ((error as Error).message !== 'last_admin') throw error
    throw new AppError(
      409,
      'last_admin',
      'You are the last administrator. Make someone else an administrator before you delete this account.',
    )
  }
}

interface Addresses {
  email: string
  phone_number: string | null
}
const addressesOf = ({ email, phone_number }: Addresses) => [email, ...(phone_number ? [phone_number] : [])]

/** Preferences, subscriptions, reminders, and answers to roll calls. */
async function deletePreferences(db: Db, userId: string, profile: Addresses, now: Date) {
  for (const table of [
    'notification_preferences',
    'advisory_subscriptions',
    'push_subscriptions',
    'notification_reads',
    'scheduled_notifications',
  ] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
  await forgetInRollCalls(db, userId, now)
  await forgetInAssistant(db, userId)
  if (profile.phone_number) await forgetTextsOf(db, profile.phone_number)
  await forgetSuppressions(db, addressesOf(profile))
}

/** Messages to the user, and messages to others that name them. */
async function forgetMessages(db: Db, userId: string, profile: Addresses) {
  const addresses = addressesOf(profile)
  await db
    .deleteFrom('messages')
    .where((where) => where.or([where('user_id', '=', userId), where('recipient', 'in', addresses)]))
    .execute()
  await db
    .deleteFrom('notifications')
    .where((where) =>
      where.or([
        where('user_id', '=', userId),
        sql<boolean>`position(${userId} in concat_ws(' ', data::text, action_url, event_key)) > 0`,
      ]),
    )
    .execute()
}

async function makeAnonymous(db: Db, userId: string, personId: string | null, now: Date) {
  await db
    .updateTable('user_profiles')
    .set({
      email: `${randomUUID()}@erased.invalid`,
      email_verified: false,
      display_name: 'Deleted person',
      role: 'traveler',
      scope_countries: null,
      scope_chapters: null,
      scope_everywhere: false,
      scope_reason: null,
      chapter_id: null,
      role_ends_at: null,
      permissions: [],
      profile_status: 'deleted',
      status_reason: null,
      is_flagged: false,
      mcgi_hub_id: null,
      preferred_language: 'en',
      time_zone: null,
      phone_number: null,
      phone_verified: false,
      country_code: null,
      countries: [],
      emergency_contact: '{}',
      preferences: '{}',
      photo_file_id: null,
      admin_notes: '',
      terms_accepted_at: null,
      last_login_at: null,
      verified_at: null,
      verified_by: null,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute()
  if (personId)
    await db
      .updateTable('persons')
      .set({
        first_name: 'Deleted person',
        last_name: '',
        email: null,
        mcgi_id: null,
        person_types: [],
        status: 'erased',
        updated_at: now,
      })
      .where('id', '=', personId)
      .execute()
}
