import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import { advisoryAnnouncement } from '../advisory-changes/announce.ts'
import { announce } from '../announcements/create.ts'
import { fanOutDue } from '../announcements/fan-out.ts'

const database = await testDatabase()
const app = await testApp(database)
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

const OWN = '/travel-advisories/subscriptions/user'
async function ask(as: string | null, method: string, path: string, body?: unknown) {
  const response = await app.request(`http://portal.test/api${path}`, {
    method,
    headers: { ...(as ? { [AS]: as } : {}), origin: 'http://portal.test', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as any }
}
const subscribe = (as: string, body: object = {}) => ask(as, 'POST', '/travel-advisories/subscribe', body)

test('a user subscribes with their profile data and sees only their own subscriptions', async () => {
  const ana = await createTestUser(database, 'traveler', {
    country_code: 'PH',
    countries: ['SA', 'PH'],
    preferred_language: 'ar',
  })
  const ben = await createTestUser(database, 'traveler')
  const made = await subscribe(ana.as)
  expect(made).toMatchObject({
    status: 201,
    body: {
      subscription: {
        countries: ['PH', 'SA'],
        severity_levels: ['emergency', 'critical', 'warning'],
        advisory_types: [],
        channels: ['in-app', 'email'],
        language: 'ar',
        urgent_only: false,
        active: true,
        last_notified_at: null,
      },
    },
  })
  expect((await ask(ana.as, 'GET', OWN)).body).toMatchObject({
    subscriptions: [{ id: made.body.subscription.id }],
    most: 20,
    obstacles: { sms: 'no_phone', whatsapp: 'no_phone', push: 'no_browser' },
    defaults: { countries: ['PH', 'SA'], language: 'ar' },
  })
  expect((await ask(ben.as, 'GET', OWN)).body.subscriptions).toEqual([])
})

test('nobody subscribes without signing in', async () => {
  expect((await ask(null, 'POST', '/travel-advisories/subscribe', {})).status).toBe(401)
  expect((await ask(null, 'GET', OWN)).status).toBe(401)
})

test('other users’ subscriptions can be neither changed nor removed', async () => {
  const [ana, ben, admin] = [
    await createTestUser(database, 'traveler'),
    await createTestUser(database, 'traveler'),
    await createTestUser(database, 'admin'),
  ]
  const { id } = (await subscribe(ana.as, { countries: ['PE'] })).body.subscription
  const path = `/travel-advisories/subscriptions/${id}`
  for (const other of [ben, admin]) {
    expect((await ask(other.as, 'PATCH', path, { active: false })).status).toBe(404)
    expect((await ask(other.as, 'DELETE', path)).status).toBe(404)
    expect((await ask(other.as, 'DELETE', `${path}?user_id=${ana.id}`)).status).toBe(403)
  }
  expect(
    (await ask(ana.as, 'PATCH', path, { active: false, channels: ['browser', 'email', 'email'] })).body,
  ).toMatchObject({
    subscription: { active: false, countries: ['PE'], channels: ['browser', 'email'] },
  })
  expect((await ask(ana.as, 'DELETE', `${path}?user_id=${ana.id}`)).body).toMatchObject({ deleted: true })
  expect((await ask(ana.as, 'DELETE', path)).status).toBe(404)
})

test('the same countries are one subscription, in any spelling', async () => {
  const { as } = await createTestUser(database, 'traveler')
  expect((await subscribe(as, { countries: ['pe', 'BO', 'PE'] })).body.subscription.countries).toEqual(['BO', 'PE'])
  expect(await subscribe(as, { countries: ['PE', 'BO'] })).toMatchObject({
    status: 409,
    body: { code: 'same_countries', fields: { countries: expect.any(String) } },
  })
  const { id } = (await subscribe(as, { countries: ['PE'] })).body.subscription
  expect((await ask(as, 'PATCH', `/travel-advisories/subscriptions/${id}`, { countries: ['BO', 'PE'] })).status).toBe(
    409,
  )
})

test('rejects text messages without a number, unknown countries and empty levels', async () => {
  const { as } = await createTestUser(database, 'traveler')
  expect((await subscribe(as, { countries: ['PE'], channels: ['sms'] })).body.fields.channels).toMatch(/phone number/)
  expect((await subscribe(as, { countries: ['QQ'] })).body.fields.countries).toMatch(/country/)
  expect((await subscribe(as, { countries: ['PE'], severity_levels: [] })).status).toBe(422)
  expect((await subscribe(as, { countries: ['PE'], channels: [] })).status).toBe(422)
  const phone = await createTestUser(database, 'traveler', { phone_number: '+639170000000' })
  expect((await subscribe(phone.as, { countries: ['PE'], channels: ['sms'] })).status).toBe(201)
})

test('the twenty-first is rejected with a hint', async () => {
  const { as } = await createTestUser(database, 'traveler')
  const codes = 'PE BO JP FJ PH SA QA AE KW OM BH TR EG JO LB IQ YE SY CY GR'.split(' ')
  for (const code of codes) expect((await subscribe(as, { countries: [code] })).status, code).toBe(201)
  expect(await subscribe(as, { countries: ['IT'] })).toMatchObject({
    status: 409,
    body: { error: 'You can have at most 20 subscriptions. Remove one first.' },
  })
})

test('a notified subscription shows the date, even for inbox only, and a paused one does not', async () => {
  const [ana, ben, carla] = [
    await createTestUser(database, 'traveler'),
    await createTestUser(database, 'traveler'),
    await createTestUser(database, 'traveler'),
  ]
  await subscribe(ana.as, { countries: ['TL'], channels: ['email'] })
  await subscribe(carla.as, { countries: ['TL'], channels: ['in-app'] })
  const paused = (await subscribe(ben.as, { countries: ['TL'] })).body.subscription
  await ask(ben.as, 'PATCH', `/travel-advisories/subscriptions/${paused.id}`, { active: false })
  await inside(async (db) => {
    const after = await insertAdvisory(db, { country_codes: ['TL'], severity_level: 'critical' })
    const { id } = after
    const countries = app.models.countries.countries()
    await announce(
      db,
      advisoryAnnouncement({ id, before: null, after, reason: 'new', key: `advisory ${id} v1` }, countries),
    )
  })
  await fanOutDue(database)
  const own = async (as: string) => (await ask(as, 'GET', OWN)).body.subscriptions[0].last_notified_at
  expect(await own(ana.as)).toEqual(expect.any(String))
  expect(await own(carla.as)).toEqual(expect.any(String))
  expect(await own(ben.as)).toBe(null)
})
