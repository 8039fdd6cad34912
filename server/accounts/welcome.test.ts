import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { somebody } from '#server/testing/people.ts'
import { announceNewcomer } from './welcome.ts'

const database = await testDatabase()
const app = await testApp(database)
const parts = { publicUrl: 'http://portal.test', brand: () => 'MFA Portal' }

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

test('whoever signs up is welcomed, and administrators are told', async () => {
  const person = await signUp()
  await expect.poll(() => notificationsOf(person.id)).toHaveLength(2)
  const registration_date = person.created_at.toISOString()
  const alert = {
    type: 'admin_alert',
    user_id: null,
    data: { new_user_id: person.id, email: person.email, registration_date, registration_method: 'email_signup' },
  }
  expect(await notificationsOf(person.id)).toMatchObject([
    { ...alert, recipient_role: 'admin', action_url: `/admin/users/${person.id}` },
    {
      type: 'welcome',
      user_id: person.id,
      action_url: '/dashboard/profile',
      data: { user_id: person.id, email: person.email, registration_date },
    },
  ])
})

test('of a new account hear those whose role counts there, without a word of who it is, and nobody else', async () => {
  const [japan, arabic, italy, world] = [
    await somebody(database, 'mfa_coordinator', { scope_countries: ['JP'] }),
    await somebody(database, 'local_servant', { scope_countries: ['JP', 'QA'], preferred_language: 'ar' }),
    await somebody(database, 'pdos_coordinator', { scope_countries: ['IT'] }),
    await somebody(database, 'pdos_coordinator'),
  ]
  await somebody(database, 'coordinator')
  await somebody(database, 'mfa_coordinator', { scope_countries: ['JP'], profile_status: 'suspended' })
  await somebody(database, 'mfa_coordinator', { scope_countries: ['JP'], role_ends_at: new Date('2020-01-01') })
  const told = async (id: string) =>
    (await notificationsOf(id)).filter(({ type, user_id }) => type === 'admin_alert' && user_id !== null)
  const sorted = (people: { id: string }[]) => people.map(({ id }) => id).sort()

  const inJapan = await signUp({ country_code: 'JP' })
  await expect.poll(() => told(inJapan.id)).toHaveLength(3)
  const alerts = await told(inJapan.id)
  expect(alerts.map(({ user_id }) => user_id).sort()).toEqual(sorted([japan, arabic, world]))
  expect(JSON.stringify(alerts)).not.toContain(inJapan.email)
  expect(JSON.stringify(alerts)).not.toContain('Reyes')
  expect(alerts).toMatchObject(alerts.map(() => ({ action_url: `/admin/users/${inJapan.id}` })))
  expect(alerts.find(({ user_id }) => user_id === arabic.id)?.message).toMatch(/\p{Script=Arabic}/u)

  const inItaly = await signUp({ country_code: 'IT' })
  await expect.poll(() => told(inItaly.id)).toHaveLength(2)
  expect((await told(inItaly.id)).map(({ user_id }) => user_id).sort()).toEqual(sorted([italy, world]))

  const nowhere = await signUp()
  await expect.poll(() => told(nowhere.id)).toHaveLength(1)
  expect(await told(nowhere.id)).toMatchObject([{ user_id: world.id }])
  await database.background.kysely
    .updateTable('user_profiles')
    .set({ profile_status: 'suspended' })
    .where('id', '=', world.id)
    .execute()
})

test('in Arabic for whoever reads Arabic', async () => {
  const person = await signUp({ preferred_language: 'ar' })
  await expect.poll(() => notificationsOf(person.id)).toHaveLength(2)
  const welcome = (await notificationsOf(person.id)).find(({ type }) => type === 'welcome')
  expect(welcome?.title).toMatch(/\p{Script=Arabic}/u)
})

test('nobody is welcomed twice', async () => {
  const person = await signUp()
  await expect.poll(() => notificationsOf(person.id)).toHaveLength(2)
  const ids = (await notificationsOf(person.id)).map(({ id }) => id)
  await announceNewcomer(database, person.auth_user_id!, parts)
  expect((await notificationsOf(person.id)).map(({ id }) => id)).toEqual(ids)
})

test('whoever came by a way that confirms the address gets a mail too, one with a made-up address none', async () => {
  const mails = (id: string) =>
    inBackground(database, 'test', (db) =>
      db.selectFrom('messages').selectAll().where('message_key', '=', `welcome ${id}`).execute(),
    )
  const person = await signUp()
  await announceNewcomer(database, person.auth_user_id!, parts)
  expect(await mails(person.id)).toEqual([])
  const known = (values: object) =>
    database.background.kysely.updateTable('user_profiles').set(values).where('id', '=', person.id).execute()
  await known({ auth_provider: 'mcgi-hub' })
  await announceNewcomer(database, person.auth_user_id!, parts)
  expect(await mails(person.id)).toEqual([])
  await known({ auth_provider: 'google', email_verified: true })
  await announceNewcomer(database, person.auth_user_id!, parts)
  expect(await mails(person.id)).toMatchObject([{ template: 'welcome', recipient: person.email }])
})

test('a portal that cannot tell anybody still lets people sign up', async () => {
  const kysely = database.background.kysely
  await kysely.schema.alterTable('notifications').renameTo('notifications_away').execute()
  try {
    expect((await signUp()).role).toBe('traveler')
  } finally {
    await kysely.schema.alterTable('notifications_away').renameTo('notifications').execute()
  }
})
