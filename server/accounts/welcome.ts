import { type Selectable, sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { UserProfilesTable } from '#server/db/tables-accounts.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import { INBOX_TEXTS } from './users/inbox-texts.ts'
import { canGetMail, type NotifyDeps, readsIn } from './users/notifications.ts'

type NewAccount = Pick<Selectable<UserProfilesTable>, 'id' | 'email' | 'preferred_language' | 'created_at'>

/**
 * Welcomes a new user and notifies those who verify accounts, once per user. Triggered by the server when the account
 * is created, never by a browser (F-13).
 */
export async function welcomeNewAccount(database: Database, authUserId: string, deps: NotifyDeps): Promise<void> {
  await inBackground(database, 'accounts', async (db) => {
    const user = await db
      .selectFrom('user_profiles')
      .select(['id', 'email', 'email_verified', 'auth_provider', 'display_name', 'preferred_language'])
      .select(['created_at', 'registration_method', 'country_code', 'countries', 'chapter_id'])
      .where('auth_user_id', '=', authUserId)
      .executeTakeFirst()
    if (!user) return
    const brand = deps.brand()
    await welcomeUser(db, user, brand)
    await alertVerifiers(db, user)
    // A sign-up with an address already gets a confirmation mail: one is enough.
    if (!user.email_verified || !canGetMail(user)) return
    await queueMessage(db, {
      key: `welcome ${user.id}`,
      channel: 'email',
      to: user.email,
      userId: user.id,
      template: 'welcome',
      language: readsIn(user),
      values: { brand, name: user.display_name, link: `${deps.publicUrl}/dashboard` },
    })
  })
}

export function welcomeUser(db: Db, user: NewAccount, brand: string): Promise<unknown> {
  const texts = INBOX_TEXTS[readsIn(user)]
  return db
    .insertInto('notifications')
    .values({
      user_id: user.id,
      recipient_role: null,
      type: 'welcome',
      title: texts.welcomeTitle(brand),
      message: texts.welcome,
      data: JSON.stringify({
        user_id: user.id,
        email: user.email,
        registration_date: user.created_at.toISOString(),
      }),
      delivery_method: ['in-app'],
      status: 'sent',
      sent_at: new Date(),
      action_url: '/dashboard/profile',
      event_key: `welcome ${user.id}`,
    })
    .onConflict((c) => c.column('event_key').doNothing())
    .execute()
}

type ReportedAccount = NewAccount &
  Pick<Selectable<UserProfilesTable>, 'registration_method' | 'country_code' | 'countries' | 'chapter_id'>

/**
 * Notifies administrators, and each coordinator whose scope covers the user: nobody hears of users elsewhere (C-12).
 */
async function alertVerifiers(db: Db, user: ReportedAccount): Promise<void> {
  const { id, email, created_at, registration_method, country_code, countries, chapter_id } = user
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
        title: INBOX_TEXTS.en.newAccountTitle,
        message: `A new account waits for verification: ${email}`,
        data: JSON.stringify({ ...data, email }),
        action_url: `/admin/users/${id}`,
        event_key: `admin_alert admin ${id}`,
      },
      // Anonymous: the item stays in the inbox when a role moves on to other countries.
      ...coordinators.map((coordinator) => ({
        ...alert,
        user_id: coordinator.id,
        recipient_role: null,
        title: INBOX_TEXTS[readsIn(coordinator)].newAccountTitle,
        message: INBOX_TEXTS[readsIn(coordinator)].newAccount,
        data: JSON.stringify(data),
        action_url: `/admin/users/${id}`,
        event_key: `admin_alert ${id} ${coordinator.id}`,
      })),
    ])
    .onConflict((c) => c.column('event_key').doNothing())
    .execute()
}
