import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { DeliveryError } from '#server/delivery/delivery-result.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import { createAnswerLinks } from '#server/roll-calls/answer-link.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { testDatabase } from '#server/testing/database.ts'
import { startTestDelivery, testDispatcher } from '#server/testing/dispatcher.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { recordingTransports } from '#server/testing/recording-transports.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { Channel, MessageChannel } from '#shared/delivery/kinds.ts'
import { createUnsubscribeLinks } from '../subscriptions/unsubscribe-link.ts'
import { type Announcement, announce } from './create.ts'
import { fanOutDue } from './fan-out.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const SECRET = 'a secret of the portal'
const recorder = recordingTransports()
const deps = { database, channels: recorder.channels, publicUrl: 'https://portal.example', secret: SECRET }
const send = () => testDispatcher(deps).sendDue()

const texts = {
  en: { title: 'Leave Peru', message: 'Urgent. Flights end tonight.', severity: 'Emergency', countries: 'Peru' },
  ar: { title: 'غادروا بيرو', message: 'عاجل. تتوقف الرحلات الليلة.', severity: 'طوارئ', countries: 'بيرو' },
}

beforeEach(async () => {
  recorder.taken.length = 0
  recorder.answer = ({ id }) => ({ status: 'sent', provider: 'test', providerMessageId: `r ${id}` })
  await inside(async (db) => {
    for (const table of ['announcements', 'messages', 'suppressions', 'advisory_subscriptions', 'settings'] as const)
      await db.deleteFrom(table).execute()
    await db.deleteFrom('travel_advisories').execute()
  })
})

let made = 0
async function reader(channels: Channel[] = ['email'], profile: Parameters<typeof createTestUser>[2] = {}) {
  const user = await createTestUser(database, 'traveler', { phone_number: `+63917${1_000_000 + ++made}`, ...profile })
  const { id } = await inside((db) =>
    db
      .insertInto('advisory_subscriptions')
      .values({ user_id: user.id, channels, countries: ['PE'] })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { ...user, subscriptionId: id }
}
async function prefer(userId: string, preferences: object) {
  const row = { user_id: userId, channels: '{}', quiet_from: null, quiet_until: null, ...preferences }
  await inside((db) =>
    db
      .insertInto('notification_preferences')
      .values(row)
      .onConflict((c) => c.column('user_id').doUpdateSet(row))
      .execute(),
  )
}
async function announceAdvisory(more: Partial<Announcement> = {}) {
  const { id, version } = await inside((db) =>
    insertAdvisory(db, { country_codes: ['PE'], severity_level: 'emergency', is_urgent: true }),
  )
  const announcement: Announcement = {
    key: `advisory ${id} ${version}`,
    kind: 'advisory',
    priority: 'urgent',
    template: 'advisory',
    texts,
    actionUrl: `/travel-advisories/${id}`,
    advisory: { id, version, reason: 'new' },
    audience: null,
    channels: null,
    ...more,
  }
  await inside((db) => announce(db, announcement))
  await fanOutDue(database)
  return { id, announcement }
}
const rows = () => inside((db) => db.selectFrom('messages').selectAll().orderBy('message_key').execute())
const onlyRow = async () => {
  const [row, ...more] = await rows()
  expect(more).toEqual([])
  return row!
}

/** A time zone in which it is this hour now. */
function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

test('an advisory is rendered once per language, with each recipient’s own values', async () => {
  const ana = await reader()
  const ben = await reader(['email'], { first_name: 'Ben' })
  const { id } = await announceAdvisory()
  expect(await send()).toBe(2)
  const [first, second] = recorder.taken
  expect(first!.content).toBe(second!.content)
  expect(first!.content).toMatchObject({
    language: 'en',
    subject: 'Emergency: Leave Peru',
    text: expect.stringContaining('Dear {{name}},'),
    html: expect.stringContaining('href="{{unsubscribe}}"'),
    short: { title: 'Leave Peru', link: `https://portal.example/travel-advisories/${id}` },
    push: { title: 'Leave Peru', url: `https://portal.example/travel-advisories/${id}`, tag: id },
  })
  const forAna = recorder.taken.find(({ to }) => to === ana.email)!
  const token = forAna.unsubscribeUrl!.replace('https://portal.example/api/public/unsubscribe/', '')
  expect(createUnsubscribeLinks(SECRET).read(token)).toEqual({
    userId: ana.id,
    kind: 'advisory',
    subscriptionId: ana.subscriptionId,
  })
  expect(forAna.personal).toMatchObject({
    name: expect.stringMatching(/^Ana Test/),
    unsubscribe: `https://portal.example/unsubscribe/${token}`,
  })
  expect(forAna.isUrgent).toBe(true)
  expect((await rows()).map(({ status, recipient }) => [status, recipient]).sort()).toEqual(
    [ana, ben].map(({ email }) => ['sent', email]).sort(),
  )
})

test('it goes to the profile’s address at sending time, also on a retry', async () => {
  const ana = await reader()
  await announceAdvisory()
  const move = (email: string) =>
    inside((db) => db.updateTable('user_profiles').set({ email }).where('id', '=', ana.id).execute())
  await move('new@example.org')
  recorder.answer = () => new DeliveryError('451 later', { provider: 'test' })
  await send()
  await move('newer@example.org')
  await inside((db) =>
    db
      .updateTable('messages')
      .set({ not_before: new Date(0), leased_until: null })
      .execute(),
  )
  recorder.answer = ({ id }) => ({ status: 'sent', provider: 'test', providerMessageId: id })
  await send()
  expect(recorder.taken.map(({ to }) => to)).toEqual(['new@example.org', 'newer@example.org'])
  expect(await onlyRow()).toMatchObject({ status: 'sent', recipient: 'newer@example.org', attempts: 2 })
})

const advisory = (change: object) => (db: Db) => db.updateTable('travel_advisories').set(change).execute()
test.each<[string, string, (db: Db, ana: { id: string; subscriptionId: string }) => Promise<unknown>]>([
  ['an advisory that has ended', 'no longer in force', advisory({ expiry_date: new Date(1) })],
  ['an advisory that was taken off', 'no longer in force', advisory({ is_active: false })],
  ['what turned out to be an exercise', 'no longer in force', advisory({ status: 'exercise' })],
  ['one for another country now', 'no longer covers', advisory({ country_codes: ['JP'] })],
  ['one that is less severe now', 'no longer covers', advisory({ severity_level: 'info', is_urgent: false })],
  [
    'an ended subscription',
    'subscription has ended',
    (db) => db.updateTable('advisory_subscriptions').set({ active: false }).execute(),
  ],
  ['a subscription that is gone', 'subscription has ended', (db) => db.deleteFrom('advisory_subscriptions').execute()],
  ['what was cancelled', 'cancelled', (db) => db.updateTable('announcements').set({ status: 'cancelled' }).execute()],
  [
    'a person who left',
    'no longer active',
    (db, { id }) => db.updateTable('user_profiles').set({ profile_status: 'deleted' }).where('id', '=', id).execute(),
  ],
  [
    'what its reader switched off',
    'turned off',
    (_, { id }) => prefer(id, { channels: JSON.stringify({ advisory: { email: false } }) }),
  ],
  [
    'what has a later version',
    'newer version',
    (db) =>
      sql`insert into announcements (announcement_key, kind, template, texts, advisory_id, advisory_version, reason)
        select 'later', kind, template, texts, advisory_id, advisory_version + 1, 'escalated' from announcements`.execute(
        db,
      ),
  ],
])('%s is dropped when it is due, with the reason', async (_, reason, change) => {
  const ana = await reader()
  await announceAdvisory()
  await (change.length > 1 ? change(database.background.kysely, ana) : inside((db) => change(db, ana)))
  await send()
  expect(recorder.taken).toEqual([])
  const messages = await rows()
  expect(messages).toHaveLength(1)
  expect(messages[0]).toMatchObject({ status: 'dropped', error: expect.stringContaining(reason), attempts: 0 })
})

test('a withdrawal is announced while it holds, and not once the advisory is restored', async () => {
  await reader()
  const { id } = await announceAdvisory()
  await send()
  const withdraw = async (key: string) => {
    await inside((db) =>
      announce(db, {
        key,
        kind: 'advisory',
        priority: 'high',
        template: 'advisory',
        texts,
        actionUrl: null,
        advisory: { id, version: 1, reason: 'withdrawn' },
        audience: null,
        channels: null,
      }),
    )
    await fanOutDue(database)
  }
  await withdraw('withdrawn but back')
  await send()
  expect(recorder.taken).toHaveLength(1)
  await inside((db) => db.updateTable('travel_advisories').set({ is_active: false }).execute())
  await withdraw('withdrawn')
  await send()
  expect(recorder.taken).toHaveLength(2)
})

test('a user deleted between queueing and sending gets nothing, and nothing fails', async () => {
  const ana = await reader()
  await reader()
  await announceAdvisory()
  await sql`delete from user_profiles where id = ${ana.id}`.execute(database.background.kysely)
  expect(await send()).toBe(1)
  expect(recorder.taken).toHaveLength(1)
})

test.each<[string, MessageChannel, object, object | null, string, string]>([
  ['no mail address', 'email', { email: '' }, null, 'failed', 'No email address available for user'],
  ['no number', 'sms', { phone_number: null }, null, 'failed', 'No phone number available for user'],
  ['a number that is none', 'sms', { phone_number: '0917' }, null, 'failed', 'Invalid phone number format'],
  ['no text messages', 'sms', {}, { sms_opt_out: true }, 'dropped', 'User has opted out of SMS notifications'],
])(
  'a recipient who has %s is not sent to by %s, for the documented reason',
  async (_, channel, change, preferences, status, error) => {
    const ana = await reader([channel])
    await announceAdvisory()
    if (Object.keys(change).length > 0)
      await database.background.kysely.updateTable('user_profiles').set(change).where('id', '=', ana.id).execute()
    if (preferences) await prefer(ana.id, preferences)
    await send()
    expect(await onlyRow()).toMatchObject({ status, error })
    expect(recorder.taken).toEqual([])
  },
)

test('a suppressed address gets nothing except requested sign-in messages', async () => {
  const ana = await reader()
  await announceAdvisory()
  recorder.answer = () =>
    new DeliveryError('550 No such mailbox', { isFinal: true, suppression: 'bounced', provider: 'test' })
  await send()
  expect(await onlyRow()).toMatchObject({ status: 'failed', error: '550 No such mailbox' })
  expect(await inside((db) => db.selectFrom('suppressions').selectAll().execute())).toMatchObject([
    { channel: 'email', address: ana.email, reason: 'bounced' },
  ])
  await announceAdvisory()
  await send()
  expect((await rows()).map(({ error }) => error)).toContainEqual(expect.stringContaining('bounced'))
  expect(recorder.taken).toHaveLength(1)
  await inside((db) =>
    queueMessage(db, {
      key: 'code',
      channel: 'email',
      to: ana.email,
      template: 'sign-in-code',
      language: 'en',
      values: { brand: 'MFA Portal', code: '482913', minutes: 10 },
      isSecret: true,
    }),
  )
  await send()
  expect(recorder.taken).toHaveLength(2)
})

test('an announcement without required template values fails for everyone, naming what is missing', async () => {
  await reader()
  const { severity: _, ...en } = texts.en
  await announceAdvisory({ texts: { en, ar: texts.ar } })
  await send()
  expect(await onlyRow()).toMatchObject({
    status: 'failed',
    error: 'Template validation failed: Advisory severity is required',
  })
})

test('braces in an author’s text are literal', async () => {
  await reader()
  await announceAdvisory({ texts: { ...texts, en: { ...texts.en, title: 'Use {{link}} and {{name}}' } } })
  await send()
  const { subject, text, html } = recorder.taken[0]!.content
  expect(`${subject}${text}${html}`.match(/\{\{\w+\}\}/g)!.every((place) => /name|unsubscribe/.test(place))).toBe(true)
  expect(subject).not.toMatch(/\{\{(link|name)\}\}/)
})

test('at night a text message waits for the morning without an attempt; mail does not', async () => {
  await reader(['email', 'sms', 'push'], { time_zone: zoneAt(3) })
  await announceAdvisory({ priority: 'high' })
  const before = Date.now()
  await send()
  const waiting = (await rows()).find(({ channel }) => channel === 'sms')!
  expect(waiting).toMatchObject({ status: 'pending', attempts: 0 })
  const hours = (waiting.not_before.valueOf() - before) / 3_600_000
  expect(hours).toBeGreaterThan(4)
  expect(hours).toBeLessThanOrEqual(5.01)
  expect(recorder.taken.map(({ channel }) => channel)).toEqual(['email'])
})

test('urgent messages are sent at night unless the recipient or the ministry opts out', async () => {
  const ana = await reader(['sms'], { time_zone: zoneAt(3) })
  await announceAdvisory()
  await send()
  expect(recorder.taken).toHaveLength(1)
  await prefer(ana.id, { urgent_bypass: false })
  await announceAdvisory()
  await send()
  expect(recorder.taken).toHaveLength(1)
  await prefer(ana.id, { urgent_bypass: true })
  await inside((db) => writeSetting(db, 'notifications.urgent_sms_at_any_hour', false))
  await announceAdvisory()
  await send()
  expect(recorder.taken).toHaveLength(1)
})

test('quiet hours defer channels that make a sound, and only those', async () => {
  const ana = await reader(['email', 'push'], { time_zone: zoneAt(14) })
  await inside((db) =>
    db
      .insertInto('push_subscriptions')
      .values({ user_id: ana.id, endpoint: 'https://push.example/1', p256dh: 'x', auth: 'y', user_agent: null })
      .execute(),
  )
  await prefer(ana.id, { quiet_from: '13:00', quiet_until: '16:00' })
  await announceAdvisory({ priority: 'high' })
  await send()
  expect(recorder.taken.map(({ channel }) => channel)).toEqual(['email'])
  await prefer(ana.id, {})
  await inside((db) =>
    db
      .updateTable('messages')
      .set({ not_before: new Date(0), leased_until: null })
      .execute(),
  )
  await send()
  expect(recorder.takenBy('push').map(({ to }) => to)).toEqual([ana.id])
})

test('a number gets at most twenty identical and a hundred text messages per hour', async () => {
  const insert = (from: number, to: number, body: string) =>
    inside((db) =>
      sql`insert into messages (message_key, channel, recipient, template, body_text)
        select 'text ' || n, 'sms', '+639171234567', 'welcome', ${body} || case when ${body} = 'Same' then '' else n::text end
        from generate_series(${from}::int, ${to}::int) n`.execute(db),
    )
  await insert(1, 25, 'Same')
  await send()
  expect(recorder.taken).toHaveLength(20)
  await insert(26, 125, 'Other')
  await send()
  expect(recorder.taken).toHaveLength(100)
  const waiting = (await rows()).filter(({ status }) => status === 'pending')
  expect(waiting).toHaveLength(25)
  expect(waiting.every(({ attempts, error }) => attempts === 0 && error!.includes('hourly limit'))).toBe(true)
})

test('a text message’s first transient failure is retried at once, later ones after a pause', async () => {
  await reader(['sms'])
  await announceAdvisory()
  recorder.answer = () => new DeliveryError('503 Busy', { provider: 'twilio' })
  await send()
  expect(recorder.taken).toHaveLength(2)
  const row = await onlyRow()
  expect(row).toMatchObject({ status: 'pending', attempts: 2, error: '503 Busy', provider: 'twilio' })
  expect(row.not_before.valueOf()).toBeGreaterThan(Date.now() + 20_000)
  expect(await inside((db) => db.selectFrom('message_attempts').selectAll().execute())).toMatchObject([
    { result: 'failed', provider: 'twilio', detail: '503 Busy' },
    { result: 'failed' },
  ])
})

test('a provider’s retry time is respected', async () => {
  await reader()
  await announceAdvisory()
  recorder.answer = () => new DeliveryError('429', { provider: 'test', retryAfter: 600 })
  await send()
  const { not_before } = await onlyRow()
  expect(not_before.valueOf() - Date.now()).toBeGreaterThan(590_000)
  expect(await inside((db) => db.selectFrom('message_attempts').selectAll().execute())).toMatchObject([
    { result: 'deferred' },
  ])
})

test('a message leased by another process meanwhile is not overwritten', async () => {
  await reader()
  await announceAdvisory()
  recorder.answer = async ({ id }) => {
    await inside((db) => db.updateTable('messages').set({ attempts: 7 }).where('id', '=', id).execute())
    return { status: 'sent', provider: 'test', providerMessageId: 'of the slow one' }
  }
  await send()
  expect(await onlyRow()).toMatchObject({ status: 'pending', attempts: 7, provider_message_id: null })
})

test('a crashing transport leaves no message without a result', async () => {
  await reader()
  await announceAdvisory()
  recorder.answer = () => {
    throw new Error('out of memory')
  }
  await send()
  expect(await onlyRow()).toMatchObject({ status: 'pending', error: 'out of memory' })
})

test('urgent messages overtake a bulk send in progress', async () => {
  const slow = recordingTransports({ batch: 10, concurrency: 2 })
  slow.answer = async ({ id }) => {
    await new Promise((wait) => setTimeout(wait, 10))
    return { status: 'sent', provider: 'test', providerMessageId: id }
  }
  await inside((db) =>
    sql`insert into messages (message_key, channel, recipient, template, body_text, queue_priority)
      select 'mass ' || n, 'email', 'person' || n || '@example.org', 'welcome', 'Text', 2 from generate_series(1, 300) n`.execute(
      db,
    ),
  )
  const dispatcher = testDispatcher({ ...deps, channels: slow.channels })
  const done = dispatcher.sendDue()
  await vi.waitFor(() => expect(slow.taken.length).toBeGreaterThan(20), { timeout: 5_000, interval: 5 })
  await reader()
  await announceAdvisory()
  dispatcher.wake()
  const passed = slow.taken.length
  await vi.waitFor(() => expect(slow.taken.some(({ isUrgent }) => isUrgent)).toBe(true), {
    timeout: 5_000,
    interval: 2,
  })
  expect(slow.taken.findIndex(({ isUrgent }) => isUrgent)).toBeLessThan(passed + 30)
  await done
})

test('a running sender sends on commit, and stops without leasing more', async () => {
  // Disables the timer: only the commit notification wakes it.
  const clock = vi.spyOn(globalThis, 'setInterval').mockImplementation(() => setTimeout(() => {}))
  const sender = await startTestDelivery(deps)
  clock.mockRestore()
  await reader(['email', 'sms'])
  await inside((db) => insertAdvisory(db, { country_codes: ['PE'], severity_level: 'emergency', is_urgent: true }))
  const { id, version } = await inside((db) =>
    db.selectFrom('travel_advisories').select(['id', 'version']).executeTakeFirstOrThrow(),
  )
  await inside((db) =>
    announce(db, {
      key: 'at once',
      kind: 'advisory',
      priority: 'urgent',
      template: 'advisory',
      texts,
      actionUrl: null,
      advisory: { id, version, reason: 'new' },
      audience: null,
      channels: null,
    }),
  )
  await vi.waitFor(() => expect(recorder.taken).toHaveLength(2), { timeout: 10_000, interval: 5 })
  await sender.stop()
  await announceAdvisory()
  await new Promise((wait) => setTimeout(wait, 200))
  expect(recorder.taken).toHaveLength(2)
  expect((await rows()).filter(({ status }) => status === 'pending')).toHaveLength(2)
})

test('a recipient’s own answer link is filled into the question of a roll call', async () => {
  const ana = await createTestUser(database, 'traveler')
  const rollCall = await inside(async (db) => {
    const id = await announce(db, {
      key: 'roll-call',
      kind: 'roll_call',
      priority: 'urgent',
      template: 'roll-call',
      texts,
      actionUrl: null,
      audience: { users: [ana.id] },
      channels: ['email'],
    })
    return db
      .insertInto('roll_calls')
      .values({ title: 'Lima', advisory_id: null, chapter_id: null, announcement_id: id, started_by: null })
      .returning('id')
      .executeTakeFirstOrThrow()
  })
  await fanOutDue(database)
  await send()
  const [question] = recorder.taken
  const token = question!.personal!.answer!.replace('https://portal.example/answer/', '')
  expect(createAnswerLinks(SECRET).read(token, new Date())).toEqual({ rollCall: rollCall.id, user: ana.id })
  expect(question!.content).toMatchObject({
    short: { link: '{{answer}}' },
    text: expect.stringContaining('I am safe: {{answer}}?answer=safe'),
  })
})
