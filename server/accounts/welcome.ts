import { type Selectable, sql } from 'kysely'
import { inBackground } from '../db/claims.ts'
import type { Database, Db } from '../db/connection.ts'
import type { UserProfilesTable } from '../db/tables.ts'
import { queueMessage } from '../messages/outgoing.ts'
import { canGetMail, readsIn, type TellingParts } from './users/telling.ts'
import { WORDS } from './users/words.ts'

type Newcomer = Pick<Selectable<UserProfilesTable>, 'id' | 'email' | 'preferred_language' | 'created_at'>

/**
 * Welcomes somebody who is here for the first time, and tells those who verify accounts; once for each person. Emitted
 * by the server when the account is made, never by a browser (F-13).
 */
export async function announceNewcomer(database: Database, authUserId: string, parts: TellingParts): Promise<void> {
  await inBackground(database, 'accounts', async (db) => {
    const person = await db
      .selectFrom('user_profiles')
      .select(['id', 'email', 'email_verified', 'auth_provider', 'display_name', 'preferred_language'])
      .select(['created_at', 'registration_method', 'country_code', 'countries', 'chapter_id'])
      .where('auth_user_id', '=', authUserId)
      .executeTakeFirst()
    if (!person) return
    const brand = parts.brand()
    await welcomePerson(db, person, brand)
    await alertVerifiers(db, person)
    // Whoever signed up with an address is asked to confirm it first: one mail is enough.
    if (!person.email_verified || !canGetMail(person)) return
    await queueMessage(db, {
      key: `welcome ${person.id}`,
      channel: 'email',
      to: person.email,
      userId: person.id,
      template: 'welcome',
      language: readsIn(person),
      values: { brand, name: person.display_name, link: `${parts.publicUrl}/dashboard` },
    })
  })
}

export function welcomePerson(db: Db, person: Newcomer, brand: string): Promise<unknown> {
  const words = WORDS[readsIn(person)]
  return db
    .insertInto('notifications')
    .values({
      user_id: person.id,
      recipient_role: null,
      type: 'welcome',
      title: words.welcomeTitle(brand),
      message: words.welcome,
      data: JSON.stringify({
        user_id: person.id,
        email: person.email,
        registration_date: person.created_at.toISOString(),
      }),
      delivery_method: ['in-app'],
      status: 'sent',
      sent_at: new Date(),
      action_url: '/dashboard/profile',
      event_key: `welcome ${person.id}`,
    })
    .onConflict((c) => c.column('event_key').doNothing())
    .execute()
}

type Alerted = Newcomer &
  Pick<Selectable<UserProfilesTable>, 'registration_method' | 'country_code' | 'countries' | 'chapter_id'>

/** Tells administrators, and each coordinator whose role counts where the person is: nobody of people elsewhere (C-12). */
async function alertVerifiers(db: Db, person: Alerted): Promise<void> {
  const { id, email, created_at, registration_method, country_code, countries, chapter_id } = person
  const alert = { type: 'admin_alert', delivery_method: ['in-app'], status: 'sent' as const, sent_at: new Date() }
  const data = { new_user_id: id, registration_date: created_at.toISOString(), registration_method }
  const coordinators = await db
    .selectFrom('user_profiles as p')
    .select(['p.id', 'p.preferred_language'])
    .where('p.profile_status', '=', 'active')
    .where('p.auth_user_id', 'is not', null)
    .where(sql<boolean>`(p.role_ends_at is null or p.role_ends_at > now())`)
    .where(sql<boolean>`scope_covers(p, ${[...countries, country_code]}::text[], ${chapter_id}::uuid)`)
    .execute()
  await db
    .insertInto('notifications')
    .values([
      {
        ...alert,
        user_id: null,
        recipient_role: 'admin',
        title: WORDS.en.newAccountTitle,
        message: `A new account waits to be verified: ${email}`,
        data: JSON.stringify({ ...data, email }),
        action_url: `/admin/users/${id}`,
        event_key: `admin_alert admin ${id}`,
      },
      // Without who it is: the notice stays where it is when a role moves on to other countries.
      ...coordinators.map((coordinator) => ({
        ...alert,
        user_id: coordinator.id,
        recipient_role: null,
        title: WORDS[readsIn(coordinator)].newAccountTitle,
        message: WORDS[readsIn(coordinator)].newAccount,
        data: JSON.stringify(data),
        action_url: `/admin/users/${id}`,
        event_key: `admin_alert ${id} ${coordinator.id}`,
      })),
    ])
    .onConflict((c) => c.column('event_key').doNothing())
    .execute()
}
