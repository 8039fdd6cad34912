import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { unsentChannels } from '#server/delivery/channels.ts'
import { asking, scopedSession } from '#server/roll-calls/testing.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { monitorDelivery } from './check.ts'
import { alertMissingProvider } from './missing-provider-alert.ts'

const database = await testDatabase()
const NONE = { smtpUrl: undefined, secondSmtpUrl: undefined, resend: undefined, sms: [], whatsapp: undefined }
const MAIL = { ...NONE, smtpUrl: 'smtp://mail.example' }
const SMS = { name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }
const start = (settings: typeof NONE | typeof MAIL) => alertMissingProvider(database, unsentChannels(settings))
const alerts = () =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('notifications').selectAll().where('type', '=', 'admin_alert').orderBy('created_at').execute(),
  )

beforeEach(async () => {
  await inBackground(database, 'test', async (db) => {
    await db.deleteFrom('notifications').execute()
    await db.deleteFrom('delivery_monitor_alarms').execute()
  })
})

test('the unsent channels follow from the configured providers', () => {
  expect(unsentChannels(NONE)).toEqual(['email', 'sms', 'whatsapp'])
  expect(unsentChannels(MAIL)).toEqual(['sms', 'whatsapp'])
  expect(unsentChannels({ ...NONE, resend: { url: 'https://mail.example', key: 'x' }, sms: [SMS] })).toEqual([
    'whatsapp',
  ])
})

test('administrators are alerted once that mail has no provider', async () => {
  await start(NONE)
  await start(NONE)
  expect(await alerts()).toMatchObject([
    { recipient_role: 'admin', priority: 'urgent', title: 'The portal does not send email', user_id: null },
  ])
})

test('starting with mail alerts nobody; losing it again raises a new alert', async () => {
  await start(MAIL)
  expect(await alerts()).toEqual([])
  await start(NONE)
  await start(MAIL)
  await start(NONE)
  expect(await alerts()).toHaveLength(2)
})

test('the alert is an alarm with a beginning and an end, which the delivery monitor leaves alone', async () => {
  const alarms = () =>
    inBackground(database, 'test', (db) =>
      db.selectFrom('delivery_monitor_alarms').select(['cause', 'cleared_at']).orderBy('raised_at').execute(),
    )
  await start(NONE)
  await monitorDelivery({ database, publicUrl: 'http://portal.test' })
  expect(await alarms()).toEqual([{ cause: 'no_mail_provider', cleared_at: null }])
  const app = await testApp(database, { readSession: scopedSession })
  expect((await asking(app)(null, 'GET', '/public/status')).body.alarms).toEqual([])
  await start(MAIL)
  await start(NONE)
  expect(await alarms()).toEqual([
    { cause: 'no_mail_provider', cleared_at: expect.any(Date) },
    { cause: 'no_mail_provider', cleared_at: null },
  ])
})

test('only administrators see on the settings page which channels send nothing', async () => {
  const app = await testApp(database, { readSession: scopedSession, unsentChannels: unsentChannels(NONE) })
  const ask = asking(app)
  for (const role of ['traveler', 'member', 'local_servant', 'mfa_coordinator', 'coordinator'] as const) {
    const { as } = await createTestUser(database, role)
    expect((await ask(as, 'GET', '/admin-operations/settings')).status).toBe(403)
  }
  const { as } = await createTestUser(database, 'admin')
  expect((await ask(as, 'GET', '/admin-operations/settings')).body).toMatchObject({
    unsent_channels: ['email', 'sms', 'whatsapp'],
  })
})
