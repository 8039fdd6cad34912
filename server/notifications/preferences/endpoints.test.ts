import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDispatcher } from '#server/testing/dispatcher.ts'
import { recordingTransports } from '#server/testing/recording-transports.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'

const database = await testDatabase()
const app = await testApp(database)
const PATH = '/communication/preferences'

async function ask(as: TestUser, method: string, path: string, body?: object) {
  const response = await app.request(`/api${path}`, {
    method,
    headers: { [AS]: as.as, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as any }
}

test('the default is immediate delivery, urgent messages at any hour', async () => {
  const ana = await createTestUser(database, 'traveler', { preferred_language: 'ar', time_zone: 'Asia/Riyadh' })
  expect((await ask(ana, 'GET', PATH)).body).toEqual({
    success: true,
    user_id: ana.id,
    channels: {},
    sms_opt_out: false,
    quiet_from: null,
    quiet_until: null,
    digest: 'at_once',
    urgent_bypass: true,
    time_zone: 'Asia/Riyadh',
    country_zone: null,
    preferred_language: 'ar',
    email: { address: ana.email, is_confirmed: true, stopped: null, worked_at: null },
    phone: null,
    browsers: 0,
  })
})

test('changes only the fields provided, and audits the change', async () => {
  const ana = await createTestUser(database, 'traveler')
  await ask(ana, 'PUT', PATH, { user_id: ana.id, channels: { announcement: { email: false } }, digest: 'weekly' })
  const { body } = await ask(ana, 'PUT', `${PATH}?userId=${ana.id}`, { quiet_from: '22:00', quiet_until: '06:30' })
  expect(body).toMatchObject({
    channels: { announcement: { email: false } },
    digest: 'weekly',
    quiet_from: '22:00',
    quiet_until: '06:30',
  })
  expect((await ask(ana, 'PUT', PATH, { quiet_from: null, quiet_until: null })).body.quiet_from).toBeNull()
  const { rows } = await database.background.pool.query(
    `select after from audit_log where action = 'account.notification_preferences' and actor_id = $1 order by id`,
    [ana.id],
  )
  expect(rows.map(({ after }: { after: object }) => after)).toEqual([
    { channels: { announcement: { email: false } }, digest: 'weekly' },
    { quiet_from: '22:00', quiet_until: '06:30' },
    { quiet_from: null, quiet_until: null },
  ])
})

test('quiet hours need both ends and less than a whole day, and kinds and channels must be known', async () => {
  const ana = await createTestUser(database, 'traveler')
  for (const [wrong, field] of [
    [{ quiet_from: '22:00' }, 'quiet_until'],
    [{ quiet_until: '22:00', quiet_from: null }, 'quiet_from'],
    [{ quiet_from: '22:00', quiet_until: '22:00' }, 'quiet_until'],
    [{ quiet_from: '25:00', quiet_until: '06:00' }, 'quiet_from'],
    [{ channels: { newsletter: { email: false } } }, 'newsletter'],
    [{ channels: { announcement: { fax: false } } }, 'fax'],
    [{ digest: 'hourly' }, 'digest'],
  ] as const) {
    const { status, body } = await ask(ana, 'PUT', PATH, wrong)
    expect([wrong, status, Object.keys(body.fields ?? {})]).toEqual([wrong, 422, [expect.stringContaining(field)]])
  }
})

test('other users’ preferences are not found; an administrator reads them and changes none', async () => {
  const [ana, ben, admin] = [
    await createTestUser(database, 'traveler'),
    await createTestUser(database, 'mfa_coordinator'),
    await createTestUser(database, 'admin'),
  ]
  await ask(ana, 'PUT', PATH, { digest: 'daily' })
  for (const spelling of ['user_id', 'userId']) {
    expect((await ask(ben, 'GET', `${PATH}?${spelling}=${ana.id}`)).status).toBe(404)
    expect((await ask(admin, 'GET', `${PATH}?${spelling}=${ana.id}`)).body).toMatchObject({ digest: 'daily' })
    for (const other of [ben, admin]) {
      expect((await ask(other, 'PUT', PATH, { [spelling]: ana.id, digest: 'at_once' })).status).toBe(404)
      expect((await ask(other, 'PUT', `${PATH}?${spelling}=${ana.id}`, { digest: 'at_once' })).status).toBe(404)
    }
  }
  expect((await ask(ana, 'GET', `${PATH}?user_id=${ana.id}&userId=${ben.id}`)).status).toBe(404)
  expect((await app.request(`/api${PATH}`)).status).toBe(401)
})

const stop = (channel: 'email' | 'sms', address: string) =>
  inBackground(database, 'test', (db) =>
    db
      .insertInto('suppressions')
      .values({ channel, address, reason: 'bounced', detail: 'secret of a provider' })
      .execute(),
  )
const phoneOf = async (user: TestUser, phone_number: string) =>
  database.background.kysely
    .updateTable('auth_users')
    .set({ phone_number, phone_number_verified: true })
    .where('id', '=', user.authUserId)
    .execute()

test('a user sees when a number last worked and that mail bounced, and can have the suppression lifted', async () => {
  const ana = await createTestUser(database, 'traveler')
  await phoneOf(ana, '+639175550101')
  const worked = new Date('2026-03-01T10:00:00Z')
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('messages')
      .values({
        message_key: `test ${ana.id}`,
        channel: 'sms',
        recipient: '+639175550101',
        user_id: ana.id,
        template: 'welcome',
        body_text: 'Hello',
        body_html: null,
        error: null,
        provider_message_id: null,
        announcement_id: null,
        subscription_id: null,
        provider: null,
        status: 'delivered',
        delivered_at: worked,
      })
      .execute(),
  )
  await stop('email', ana.email)
  const { email, phone } = (await ask(ana, 'GET', PATH)).body
  expect(phone).toEqual({
    address: '+639175550101',
    is_confirmed: true,
    stopped: null,
    worked_at: worked.toISOString(),
  })
  expect(email.stopped).toEqual({ reason: 'bounced', since: expect.any(String) })
  expect((await ask(ana, 'POST', '/communication/addresses', { channel: 'email' })).body.email.stopped).toBeNull()
  // A new number: deliveries to the old one do not count.
  await phoneOf(ana, '+639175550102')
  expect((await ask(ana, 'GET', PATH)).body.phone).toMatchObject({ worked_at: null })
})

test('confirming an address or number again lifts its suppression, and nobody else’s', async () => {
  const [ana, ben] = [await createTestUser(database, 'traveler'), await createTestUser(database, 'traveler')]
  await phoneOf(ana, '+639175550103')
  for (const address of [ana.email, ben.email]) await stop('email', address)
  await stop('sms', '+639175550103')
  await phoneOf(ana, '+639175550103')
  await database.background.kysely
    .updateTable('auth_users')
    .set({ email_verified: true })
    .where('id', '=', ana.authUserId)
    .execute()
  const left = await inBackground(database, 'test', (db) => db.selectFrom('suppressions').select('address').execute())
  expect(left).toEqual([{ address: ben.email }])
})

test('repeated requests to lift a suppression are rate-limited', async () => {
  const ana = await createTestUser(database, 'traveler')
  const again = () => ask(ana, 'POST', '/communication/addresses', { channel: 'email' })
  for (let i = 0; i < 5; i++) expect((await again()).status).toBe(200)
  expect((await again()).status).toBe(429)
})

/** The local hour in a zone, this many hours from now. */
function clockIn(zone: string, hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000)
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at)
}
async function waiting(zone: string) {
  const number = `+639175559${100 + ++numbers}`
  const user = await createTestUser(database, 'traveler', { time_zone: zone, phone_number: number })
  await inBackground(database, 'test', async (db) => {
    await writeSetting(db, 'notifications.sms_from', '00:00')
    await writeSetting(db, 'notifications.sms_until', '00:00')
  })
  const quiet = { quiet_from: clockIn(zone, -2), quiet_until: clockIn(zone, 3) }
  expect((await ask(user, 'PUT', PATH, quiet)).status).toBe(200)
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('messages')
      .values({
        ...{ message_key: `quiet ${user.id}`, channel: 'sms', recipient: number, user_id: user.id },
        ...{ template: 'raw', kind: 'announcement', subject: '', body_text: 'Hello', language: 'en' },
      })
      .execute(),
  )
  const recorder = recordingTransports()
  const send = () => testDispatcher({ database, channels: recorder.channels }).sendDue()
  await send()
  expect(recorder.taken).toEqual([])
  const row = () =>
    inBackground(database, 'test', (db) =>
      db.selectFrom('messages').selectAll().where('user_id', '=', user.id).executeTakeFirstOrThrow(),
    )
  return { person: user, number, send, taken: recorder.taken, row }
}
let numbers = 0

test.each(['Asia/Riyadh', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu'])(
  'a message deferred by quiet hours in %s is sent as soon as they are switched off',
  async (zone) => {
    const { person: user, number, send, taken, row } = await waiting(zone)
    expect((await row()).not_before.valueOf()).toBeGreaterThan(Date.now() + 2 * 3_600_000)
    // Changes by another user, or of another preference, release nothing.
    const other = await createTestUser(database, 'traveler', { time_zone: zone })
    await ask(other, 'PUT', PATH, { quiet_from: '01:00', quiet_until: '02:00' })
    await ask(other, 'PUT', PATH, { quiet_from: null, quiet_until: null })
    await ask(user, 'PUT', PATH, { digest: 'daily' })
    await send()
    expect(taken).toEqual([])
    await ask(user, 'PUT', PATH, { quiet_from: null, quiet_until: null })
    await send()
    expect(taken.map(({ to }) => to)).toEqual([number])
  },
)

test('an earlier end of quiet hours releases messages, and hours still in effect defer them to their new end', async () => {
  const zone = 'Asia/Manila'
  const { person: user, send, taken, row } = await waiting(zone)
  await ask(user, 'PUT', PATH, { quiet_from: clockIn(zone, -2), quiet_until: clockIn(zone, 1) })
  await send()
  expect(taken).toEqual([])
  const { not_before } = await row()
  expect(not_before.valueOf()).toBeLessThan(Date.now() + 3_600_000 + 60_000)
  expect(not_before.valueOf()).toBeGreaterThan(Date.now())
  await ask(user, 'PUT', PATH, { quiet_from: clockIn(zone, 2), quiet_until: clockIn(zone, 4) })
  await send()
  expect(taken).toHaveLength(1)
})

test('moving to a zone where it is day releases messages deferred to the morning', async () => {
  const { person: user, send, taken } = await waiting('Asia/Tokyo')
  const own = await ask(user, 'GET', '/account/profile')
  const { updated_at } = own.body.profile ?? own.body
  // Seven hours behind, the local time is outside the quiet hours.
  expect((await ask(user, 'PUT', '/account/profile', { time_zone: 'Europe/Berlin', updated_at })).status).toBe(200)
  await send()
  expect(taken).toHaveLength(1)
})
