import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
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
    db.selectFrom('notifications').selectAll().where('event_key', 'like', `% ${id}`).orderBy('event_key').execute(),
  )

test('whoever signs up is welcomed, and those who verify accounts are told, each with their own way there', async () => {
  const person = await signUp()
  await expect.poll(() => notificationsOf(person.id)).toHaveLength(3)
  const registration_date = person.created_at.toISOString()
  const alert = {
    type: 'admin_alert',
    user_id: null,
    data: { new_user_id: person.id, email: person.email, registration_date, registration_method: 'email_signup' },
  }
  expect(await notificationsOf(person.id)).toMatchObject([
    { ...alert, recipient_role: 'admin', action_url: '/admin/users?tab=new' },
    { ...alert, recipient_role: 'coordinator', action_url: '/admin/coordinator' },
    {
      type: 'welcome',
      user_id: person.id,
      action_url: '/dashboard/profile',
      data: { user_id: person.id, email: person.email, registration_date },
    },
  ])
})

test('in Arabic for whoever reads Arabic', async () => {
  const person = await signUp({ preferred_language: 'ar' })
  await expect.poll(() => notificationsOf(person.id)).toHaveLength(3)
  const welcome = (await notificationsOf(person.id)).find(({ type }) => type === 'welcome')
  expect(welcome?.title).toMatch(/\p{Script=Arabic}/u)
})

test('nobody is welcomed twice', async () => {
  const person = await signUp()
  await expect.poll(() => notificationsOf(person.id)).toHaveLength(3)
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
