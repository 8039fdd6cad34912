import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { welcomeNewAccount } from './welcome.ts'

const database = await testDatabase()
const app = await testApp(database)
const deps = { publicUrl: 'http://portal.test', brand: () => 'MFA Portal' }

async function signUp(more: object = {}) {
  const email = `new-${randomUUID().slice(0, 8)}@example.org`
  const response = await app.request('/api/auth/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      first_name: 'Ana',
      last_name: 'Reyes',
      email,
      password: 'seven purple lanterns',
      accept_terms: true,
      ...more,
    }),
  })
  expect(response.status).toBe(202)
  return database.background.kysely
    .selectFrom('user_profiles')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
}
const notificationsOf = (id: string) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('notifications').selectAll().where('event_key', 'like', `% ${id}%`).orderBy('event_key').execute(),
  )

test('a new user is welcomed, and administrators are notified', async () => {
  const user = await signUp()
  await expect.poll(() => notificationsOf(user.id)).toHaveLength(2)
  const registration_date = user.created_at.toISOString()
  const alert = {
    type: 'admin_alert',
    user_id: null,
    data: { new_user_id: user.id, email: user.email, registration_date, registration_method: 'email_signup' },
  }
  expect(await notificationsOf(user.id)).toMatchObject([
    { ...alert, recipient_role: 'admin', action_url: `/admin/users/${user.id}` },
    {
      type: 'welcome',
      user_id: user.id,
      action_url: '/dashboard/profile',
      data: { user_id: user.id, email: user.email, registration_date },
    },
  ])
})

test('a new account is announced, anonymously, only to roles whose scope covers it', async () => {
  const [japan, arabic, italy, world] = [
    await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] }),
    await createTestUser(database, 'local_servant', { scope_countries: ['JP', 'QA'], preferred_language: 'ar' }),
    await createTestUser(database, 'pdos_coordinator', { scope_countries: ['IT'] }),
    await createTestUser(database, 'pdos_coordinator'),
  ]
  await createTestUser(database, 'coordinator')
  await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'], profile_status: 'suspended' })
  await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'], role_ends_at: new Date('2020-01-01') })
  const alertsAbout = async (id: string) =>
    (await notificationsOf(id)).filter(({ type, user_id }) => type === 'admin_alert' && user_id !== null)
  const sorted = (users: { id: string }[]) => users.map(({ id }) => id).sort()

  const inJapan = await signUp({ country_code: 'JP' })
  await expect.poll(() => alertsAbout(inJapan.id)).toHaveLength(3)
  const alerts = await alertsAbout(inJapan.id)
  expect(alerts.map(({ user_id }) => user_id).sort()).toEqual(sorted([japan, arabic, world]))
  expect(JSON.stringify(alerts)).not.toContain(inJapan.email)
  expect(JSON.stringify(alerts)).not.toContain('Reyes')
  expect(alerts).toMatchObject(alerts.map(() => ({ action_url: `/admin/users/${inJapan.id}` })))
  expect(alerts.find(({ user_id }) => user_id === arabic.id)?.message).toMatch(/\p{Script=Arabic}/u)

  const inItaly = await signUp({ country_code: 'IT' })
  await expect.poll(() => alertsAbout(inItaly.id)).toHaveLength(2)
  expect((await alertsAbout(inItaly.id)).map(({ user_id }) => user_id).sort()).toEqual(sorted([italy, world]))

  const nowhere = await signUp()
  await expect.poll(() => alertsAbout(nowhere.id)).toHaveLength(1)
  expect(await alertsAbout(nowhere.id)).toMatchObject([{ user_id: world.id }])
  await database.background.kysely
    .updateTable('user_profiles')
    .set({ profile_status: 'suspended' })
    .where('id', '=', world.id)
    .execute()
})

test('in Arabic for a user who reads Arabic', async () => {
  const user = await signUp({ preferred_language: 'ar' })
  await expect.poll(() => notificationsOf(user.id)).toHaveLength(2)
  const welcome = (await notificationsOf(user.id)).find(({ type }) => type === 'welcome')
  expect(welcome?.title).toMatch(/\p{Script=Arabic}/u)
})

test('nobody is welcomed twice', async () => {
  const user = await signUp()
  await expect.poll(() => notificationsOf(user.id)).toHaveLength(2)
  const ids = (await notificationsOf(user.id)).map(({ id }) => id)
  await welcomeNewAccount(database, user.auth_user_id!, deps)
  expect((await notificationsOf(user.id)).map(({ id }) => id)).toEqual(ids)
})

test('a sign-up by a method that confirms the address gets a mail too, one with a placeholder address none', async () => {
  const mails = (id: string) =>
    inBackground(database, 'test', (db) =>
      db.selectFrom('messages').selectAll().where('message_key', '=', `welcome ${id}`).execute(),
    )
  const user = await signUp()
  await welcomeNewAccount(database, user.auth_user_id!, deps)
  expect(await mails(user.id)).toEqual([])
  const known = (values: object) =>
    database.background.kysely.updateTable('user_profiles').set(values).where('id', '=', user.id).execute()
  await known({ auth_provider: 'mcgi-hub' })
  await welcomeNewAccount(database, user.auth_user_id!, deps)
  expect(await mails(user.id)).toEqual([])
  await known({ auth_provider: 'google', email_verified: true })
  await welcomeNewAccount(database, user.auth_user_id!, deps)
  expect(await mails(user.id)).toMatchObject([{ template: 'welcome', recipient: user.email }])
})

test('a portal that cannot notify anyone still accepts sign-ups', async () => {
  const kysely = database.background.kysely
  await kysely.schema.alterTable('notifications').renameTo('notifications_away').execute()
  try {
    expect((await signUp()).role).toBe('traveler')
  } finally {
    await kysely.schema.alterTable('notifications_away').renameTo('notifications').execute()
  }
})
