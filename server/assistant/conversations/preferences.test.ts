import { expect, test } from 'vitest'
import { withClaims } from '#server/db/claims.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'

const database = await testDatabase()
const app = await testApp(database)

const ask = createApiClient(app, 'ai/')

test('display settings have defaults, and a change preserves the others', async () => {
  const ana = await createTestUser(database, 'traveler')
  expect((await ask(ana.as, 'GET', 'preferences')).body).toMatchObject({
    preferred_language: null,
    settings: { enableSounds: false, enableRealTime: true, theme: 'system', fontSize: 'medium', autoScroll: true },
  })
  await ask(ana.as, 'PUT', 'preferences', { preferred_language: 'tl', settings: { fontSize: 'large' } })
  const { body } = await ask(ana.as, 'PUT', 'preferences', { settings: { enableSounds: true } })
  expect(body).toMatchObject({ preferred_language: 'tl', settings: { fontSize: 'large', enableSounds: true } })
  expect((await ask(ana.as, 'PUT', 'preferences', { settings: { fontSize: 'huge' } })).status).toBe(422)
})

test('addresses and preferences use the names of the specification and are visible to their owner only', async () => {
  const ana = await createTestUser(database, 'traveler', { phone_number: '+966501234567' })
  const ben = await createTestUser(database, 'traveler')
  const seenBy = ({ id }: { id: string }) =>
    withClaims(database, { as: 'user', userId: id, role: 'traveler' }, (db) =>
      db.selectFrom('communication_preferences').selectAll().execute(),
    )
  expect(await seenBy(ana)).toEqual([
    {
      user_id: ana.id,
      email: ana.email,
      phone_number: '+966501234567',
      email_notifications: expect.any(Boolean),
      sms_notifications: expect.any(Boolean),
    },
  ])
  expect((await seenBy(ben)).map(({ user_id }) => user_id)).toEqual([ben.id])
})
