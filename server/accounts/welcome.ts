import type { Selectable } from 'kysely'
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
      .select(['created_at', 'registration_method'])
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

/** Coordinators verify in their own list, administrators among all users (C-12). */
const VERIFIERS = [
  { recipient_role: 'coordinator', action_url: '/admin/coordinator' },
  { recipient_role: 'admin', action_url: '/admin/users?tab=new' },
] as const

function alertVerifiers(db: Db, person: Newcomer & { registration_method: string }): Promise<unknown> {
  return db
    .insertInto('notifications')
    .values(
      VERIFIERS.map(({ recipient_role, action_url }) => ({
        user_id: null,
        recipient_role,
        type: 'admin_alert',
        title: 'New account',
        message: `A new account waits to be verified: ${person.email}`,
        data: JSON.stringify({
          new_user_id: person.id,
          email: person.email,
          registration_date: person.created_at.toISOString(),
          registration_method: person.registration_method,
        }),
        delivery_method: ['in-app'],
        status: 'sent' as const,
        sent_at: new Date(),
        action_url,
        event_key: `admin_alert ${recipient_role} ${person.id}`,
      })),
    )
    .onConflict((c) => c.column('event_key').doNothing())
    .execute()
}
