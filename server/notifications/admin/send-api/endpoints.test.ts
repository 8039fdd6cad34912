import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createLog } from '#server/log.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import { ROLES } from '#shared/roles.ts'
import { fanOutDue } from '../../announcements/fan-out.ts'
import { sendDueReminders } from '../../reminders/due-reminders.ts'

const database = await testDatabase()
const app = await testApp(database, {
  providers: {
    mailFrom: 'MFA Portal <portal@church.example>',
    mailSenders: ['PDOS Desk <pdos@church.example>'],
    sms: [{ name: 'sms', url: 'https://sms.example', account: 'AC1', token: 'x', from: '+15005550006' }],
    whatsapp: undefined,
  },
})
const admin = await createTestUser(database, 'admin')
/** The profile name, which recipients know. */
const WRITTEN_BY = await inBackground(database, 'test', async (db) => {
  const { display_name } = await db
    .selectFrom('user_profiles')
    .select('display_name')
    .where('id', '=', admin.id)
    .executeTakeFirstOrThrow()
  return `Written by ${display_name}, Administrator.`
})
const ana = await createTestUser(database, 'traveler', {
  phone_number: '+639171234567',
  country_code: 'PH',
  display_name: 'Ana Cruz',
})
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

type Answer = Record<string, unknown> & { fields?: Record<string, string> }
async function call(method: string, path: string, body?: object, as = admin.as) {
  const response = await app.request(`/api${path}`, {
    method,
    headers: { [AS]: as, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, answer: (await response.json()) as Answer }
}
const post = (path: string, body: object, as = admin.as) => call('POST', path, body, as)
const messageOf = (id: unknown) =>
  inside((db) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', id as string)
      .executeTakeFirstOrThrow(),
  )

const mail = { to: 'office@example.org', subject: 'Hello', text: 'A letter' }
const sms = { to: '+63 917 123 4567', message: 'Come at nine' }

test('no call is an open relay: other roles are rejected, and coordinators beyond their scope', async () => {
  const calls: [string, string, object?][] = [
    ['POST', '/communication/send-email', mail],
    ['POST', '/functions/send-sms', sms],
    ['POST', '/communication/send-whatsapp', sms],
    ['POST', '/admin-operations/send-push', { userId: ana.id, title: 'x', body: 'y' }],
    ['POST', '/send-templated-email', { recipients: [ana.email], templateId: 'welcome' }],
    ['POST', '/send-templated-sms', { recipients: ['+639171234567'], templateId: 'announcement' }],
  ]
  const admins: [string, string, object?][] = [
    ['GET', '/admin-operations/notifications'],
    ['POST', '/admin-operations/notifications', { user_id: ana.id, type: 'x', title: 'x', message: 'y' }],
    ['PUT', `/admin-operations/notifications/${randomUUID()}`, { status: 'sent' }],
    ['GET', '/admin-operations/notification-system-stats'],
    ['GET', '/admin-operations/email-templates'],
    ['GET', '/admin-operations/sms-templates'],
    ['POST', '/notification-tracking/create', { advisory_id: randomUUID(), user_id: ana.id, notification_type: 'sms' }],
    ['POST', '/notification-tracking/update-status', {}],
    ['GET', '/notification-tracking/pending'],
    ['GET', '/functions/notification-tracking/failed'],
    ['GET', '/notification-tracking/stats'],
    ['POST', '/notification-tracking/cleanup', {}],
  ]
  for (const role of ['traveler', 'member', 'coordinator'] as const) {
    const wrong = await createTestUser(database, role)
    for (const [method, path, body] of [...calls, ...admins])
      expect((await call(method, path, body, wrong.as)).status, `${role} ${path}`).toBe(403)
  }
  for (const role of ROLES.filter((role) => role !== 'admin')) {
    const wrong = await createTestUser(database, role)
    for (const [method, path, body] of admins)
      expect((await call(method, path, body, wrong.as)).status, `${role} ${path}`).toBe(403)
  }
  const coordinator = await createTestUser(database, 'pdos_coordinator')
  const beyond = await post('/communication/send-email', mail, coordinator.as)
  expect(beyond).toMatchObject({ status: 403, answer: { code: 'not_your_people' } })
  expect((await post('/communication/send-sms', { ...sms, to: '+4915112345678' }, coordinator.as)).status).toBe(403)
})

test('a mail, a text message and a push are queued under the id in the response', async () => {
  const sent = await post('/functions/send-email', {
    ...mail,
    reply_to: 'desk@example.org',
    headers: { 'X-Priority': '1' },
  })
  expect(sent).toMatchObject({ status: 202, answer: { success: true, error: null } })
  expect(await messageOf(sent.answer.message_id)).toMatchObject({
    channel: 'email',
    recipient: 'office@example.org',
    reply_to: 'desk@example.org',
    subject: 'Hello',
    body_text: `A letter\n\n-- \n${WRITTEN_BY}`,
    status: 'pending',
    user_id: null,
  })
  const html = await post('/communication/send-email', {
    to: [ana.email],
    subject: 'Hi',
    html: '<p>One</p><p>Two &amp; three</p>',
  })
  expect(await messageOf(html.answer.message_id)).toMatchObject({
    user_id: ana.id,
    body_text: `One\nTwo & three\n\n-- \n${WRITTEN_BY}`,
    body_html: `<div><p>One</p><p>Two &amp; three</p></div><hr /><p>${WRITTEN_BY}</p>`,
  })
  const text = await post('/admin-operations/send-sms', { to: sms.to, body: 'Come at nine', priority: 'urgent' })
  expect(await messageOf(text.answer.message_id)).toMatchObject({
    channel: 'sms',
    recipient: '+639171234567',
    user_id: ana.id,
    queue_priority: 0,
  })
  const push = await post('/communication/send-push', {
    user_id: ana.id,
    title: 'Now',
    body: 'Read',
    data: { type: 'advisory' },
  })
  expect(await messageOf(push.answer.message_id)).toMatchObject({
    channel: 'push',
    user_id: ana.id,
    subject: 'Now',
    body_text: 'Read',
  })
  const audited = await inside((db) =>
    db.selectFrom('audit_log').selectAll().where('action', '=', 'message.send').orderBy('id').execute(),
  )
  expect(audited.map(({ actor_id, after }) => [actor_id, (after as { channel: string }).channel])).toEqual(
    ['email', 'email', 'sms', 'push'].map((channel) => [admin.id, channel]),
  )
  expect(JSON.stringify(audited)).not.toContain('Come at nine')
})

test('errors have the documented wording', async () => {
  const long = await post('/communication/send-sms', { ...sms, message: 'x'.repeat(1601) })
  expect(long).toMatchObject({
    status: 422,
    answer: { fields: { message: 'SMS message too long (max 1600 characters)' } },
  })
  expect((await post('/communication/send-sms', { ...sms, message: 'x'.repeat(1600) })).status).toBe(202)
  expect((await post('/communication/send-sms', { ...sms, to: '09171234567' })).answer.fields).toMatchObject({
    to: 'Invalid phone number format',
  })
  expect((await post('/communication/send-sms', { to: sms.to })).answer.fields).toEqual({
    message: 'This field is required',
  })
  const many = Array.from({ length: 51 }, (_, n) => `somebody${n}@example.org`)
  expect((await post('/communication/send-email', { ...mail, to: many })).status).toBe(422)
  const ben = await createTestUser(database, 'traveler')
  expect(await post('/communication/send-sms', { user_id: ben.id, message: 'x' })).toMatchObject({
    status: 409,
    answer: { error: 'No phone number available for user' },
  })
  await inside((db) =>
    db
      .insertInto('notification_preferences')
      .values({ user_id: ana.id, channels: '{}', quiet_from: null, quiet_until: null, sms_opt_out: true })
      .execute(),
  )
  expect(await post('/communication/send-sms', sms)).toMatchObject({
    status: 409,
    answer: { error: 'User has opted out of SMS notifications' },
  })
  await inside((db) => db.deleteFrom('notification_preferences').where('user_id', '=', ana.id).execute())
})

test('one recipient who opted out does not keep the message from the others', async () => {
  const ben = await createTestUser(database, 'traveler', { phone_number: '+639171110001' })
  const carl = await createTestUser(database, 'traveler', { phone_number: '+639171110002' })
  const optedOut = '+639171110003'
  await inside(async (db) => {
    await db
      .insertInto('notification_preferences')
      .values({ user_id: ben.id, channels: '{}', quiet_from: null, quiet_until: null, sms_opt_out: true })
      .execute()
    await db
      .insertInto('suppressions')
      .values({ channel: 'sms', address: optedOut, reason: 'opted_out', detail: null })
      .execute()
  })
  const numbers = ['+639171110001', '+639171110002', optedOut, '+639171110004']
  const errors = [0, 2].map((n) => `Failed to send to ${numbers[n]}: User has opted out of SMS notifications`)
  const sent = await post('/communication/send-sms', { to: numbers, message: 'Come at nine' })
  expect(sent).toMatchObject({ status: 202, answer: { error: null, errors } })
  const ids = sent.answer.message_ids as string[]
  expect(sent.answer.message_id).toBe(ids[0])
  const recipients = await Promise.all(ids.map(async (id) => (await messageOf(id)).recipient))
  expect(recipients).toEqual([numbers[1], numbers[3]])
  const templated = {
    recipients: numbers,
    templateId: 'announcement',
    variables: { title: 'Closed', message: 'Today' },
  }
  expect((await post('/send-templated-sms', templated)).answer).toMatchObject({ errors })
  // With nobody left it is an error, as it is for one; a mail is not a text message.
  const nobody = await post('/communication/send-sms', { to: [numbers[0], optedOut], message: 'x' })
  expect(nobody).toMatchObject({ status: 409, answer: { error: 'User has opted out of SMS notifications' } })
  const mails = await post('/communication/send-email', { ...mail, to: [ben.email, carl.email] })
  expect(mails.answer).toMatchObject({ errors: [], message_ids: [expect.any(String), expect.any(String)] })
})

test('extra fields of a call are sent with the message', async () => {
  const extrasOf = async (path: string, body: object) =>
    (await messageOf((await post(path, body)).answer.message_id)).extras
  const letter = await post('/communication/send-email', {
    ...mail,
    from: 'PDOS@church.example',
    headers: { 'Reply-To': 'Desk@example.org', 'X-Portal-Case': '42' },
  })
  expect(await messageOf(letter.answer.message_id)).toMatchObject({
    reply_to: 'desk@example.org',
    extras: { from: 'PDOS Desk <pdos@church.example>', headers: { 'X-Portal-Case': '42' } },
  })
  expect(await extrasOf('/communication/send-sms', { ...sms, from: '+15005550006' })).toEqual({ from: '+15005550006' })
  const media_url = 'https://files.example/map.png'
  expect(await extrasOf('/communication/send-whatsapp', { ...sms, media_url })).toEqual({ media_url })
  const push = { user_id: ana.id, title: 'Now', body: 'Read', data: { type: 'advisory', severity: 'critical' } }
  expect(
    await extrasOf('/communication/send-push', { ...push, actionUrl: 'http://portal.test/dashboard?a=1' }),
  ).toEqual({
    data: push.data,
    url: '/dashboard?a=1',
  })
  expect(await extrasOf('/communication/send-email', mail)).toBeNull()
})

test('unsupported requests are rejected by field; nothing is silently dropped', async () => {
  const push = { user_id: ana.id, title: 'Now', body: 'Read' }
  for (const [path, body, field] of [
    ['/communication/send-email', { ...mail, from: 'president@bank.example' }, 'from'],
    ['/communication/send-email', { ...mail, from: 'The President <portal@church.example>' }, 'from'],
    ['/communication/send-email', { ...mail, headers: { Bcc: 'all@example.org' } }, 'headers.Bcc'],
    ['/communication/send-email', { ...mail, headers: { 'X-SMTPAPI': '{"to":["a@b.co"]}' } }, 'headers.X-SMTPAPI'],
    ['/communication/send-email', { ...mail, headers: { 'X-Portal-A': 'b\r\nBcc: c@d.co' } }, 'headers.X-Portal-A'],
    ['/communication/send-email', { ...mail, headers: { 'Reply-To': 'nobody' } }, 'headers'],
    ['/communication/send-email', { ...mail, reply_to: 'a@b.co', headers: { 'reply-to': 'c@d.co' } }, 'headers'],
    ['/communication/send-email', { ...mail, content: 'Another letter' }, 'content'],
    ['/communication/send-email', { ...mail, user_id: ana.id }, 'user_id'],
    ['/communication/send-sms', { ...sms, from: '+15005550009' }, 'from'],
    ['/communication/send-sms', { ...sms, body: 'Come at ten' }, 'body'],
    ['/communication/send-sms', { ...sms, media_url: 'http://files.example/map.png' }, 'media_url'],
    ['/communication/send-sms', { ...sms, media_url: 'https://a:b@files.example/map.png' }, 'media_url'],
    ['/communication/send-sms', { ...sms, media_url: 'https://127.0.0.1/map.png' }, 'media_url'],
    ['/communication/send-whatsapp', { ...sms, media_url: 'https://files.example/map.exe' }, 'media_url'],
    ['/communication/send-whatsapp', { ...sms, from: '1063' }, 'from'],
    ['/communication/send-push', { ...push, data: { text: 'x'.repeat(1_000) } }, 'data'],
    ['/communication/send-push', { ...push, action_url: 'https://evil.example/' }, 'action_url'],
    ['/communication/send-push', { ...push, action_url: 'http://portal.test.evil.example/' }, 'action_url'],
    ['/communication/send-push', { ...push, action_url: '//evil.example' }, 'action_url'],
    [
      '/admin-operations/notifications',
      { user_id: ana.id, type: 'x', title: 'x', message: 'x', action_url: '//evil.example' },
      'action_url',
    ],
    [
      '/admin-operations/notifications',
      { user_id: ana.id, type: 'x', title: 'x', message: 'x', status: 'failed' },
      'status',
    ],
    [
      '/admin-operations/notifications',
      { user_id: ana.id, type: 'x', title: 'x', message: 'x', created_at: '2020-01-01T00:00:00Z' },
      'created_at',
    ],
  ] as const) {
    const { status, answer } = await post(path, body)
    expect([status, Object.keys(answer.fields ?? {})], JSON.stringify(body)).toEqual([422, [field]])
  }
})

test('enforces the hourly call limit', async () => {
  const busy = await createTestUser(database, 'admin')
  for (let n = 0; n < 120; n++) await post('/communication/send-email', { to: [] }, busy.as)
  const statuses = new Set<number>()
  for (let n = 0; n < 121; n++) statuses.add((await post('/communication/send-email', mail, busy.as)).status)
  expect([...statuses]).toEqual([202, 429])
})

test('a template is filled with the values provided; missing and unknown ones are named', async () => {
  const request = {
    recipients: [ana.email],
    templateId: 'announcement',
    variables: { title: 'Closed', message: 'Until Monday', link: '/support' },
  }
  const { status, answer } = await post('/functions/send-templated-email', request)
  expect(status).toBe(202)
  expect(await messageOf(answer.message_id)).toMatchObject({
    template: 'announcement',
    subject: 'Closed',
    body_text: expect.stringContaining('http://portal.test/support'),
  })
  expect(
    (await post('/send-templated-email', { ...request, variables: { title: 'Closed', nonsense: 'x' } })).answer,
  ).toMatchObject({
    error: 'Template validation failed',
    fields: { message: 'This field is required', nonsense: 'Unknown variable.' },
  })
  for (const templateId of ['reset-password', 'no-such', '__proto__'])
    expect((await post('/send-templated-email', { ...request, templateId })).status, templateId).toBe(404)
  const text = await post('/send-templated-sms', {
    ...request,
    recipients: ['+639171234567'],
    variables: { title: 'Closed', message: 'x'.repeat(300), link: '/support' },
  })
  const { body_text } = await messageOf(text.answer.message_id)
  expect(body_text!.length).toBeLessThanOrEqual(160)
  expect(body_text).toMatch(/\.\.\.\nhttp:\/\/portal\.test\/support$/)
  const { templates } = (await call('GET', '/admin-operations/sms-templates')).answer as { templates: { id: string }[] }
  expect(templates.map(({ id }) => id)).toContain('announcement')
  expect(templates.map(({ id }) => id)).not.toContain('sign-in-code')
})

test('a notification is sent at once or at its time, to a user or a group, in either spelling', async () => {
  const response = await post('/admin-operations/notifications', {
    userId: ana.id,
    type: 'custom',
    title: 'Bring your passport',
    message: 'The original.',
    actionUrl: '/dashboard',
    data: { a: 1 },
  })
  expect(response).toMatchObject({ status: 201, answer: { success: true, status: 'sent', error: null } })
  expect(await fanOutDue(database)).toMatchObject([{ recipients: 1, messages: 1, inboxItems: 0 }])
  const { answer: list } = await call('GET', '/admin-operations/notifications?type=custom')
  expect(list).toMatchObject({
    total: 1,
    unreadCount: 1,
    notifications: [
      {
        id: response.answer.notificationId,
        user_id: ana.id,
        delivery_method: ['in-app', 'email'],
        priority: 'medium',
        action_url: '/dashboard',
      },
    ],
  })

  const soon = new Date(Date.now() + 3_600_000)
  const planned = await post('/admin-operations/notifications', {
    recipient_role: 'traveler',
    type: 'custom',
    title: 'Later',
    message: 'Then.',
    delivery_method: ['in-app'],
    scheduled_for: soon.toISOString(),
  })
  expect(planned.answer).toMatchObject({ status: 'scheduled' })
  expect((await call('GET', '/admin-operations/notifications?status=scheduled')).answer).toMatchObject({ total: 1 })
  expect(await sendDueReminders({ database, log: createLog('silent') }, soon)).toBe(1)
  // Delivery does not change the notification: same id, type and readers.
  const id = planned.answer.notificationId
  expect((await call('GET', '/admin-operations/notifications?status=scheduled')).answer).toMatchObject({ total: 0 })
  const { answer: sent } = await call('GET', '/admin-operations/notifications?status=sent&type=custom')
  expect((sent.notifications as { id: string }[]).filter((row) => row.id === id)).toMatchObject([
    { id, type: 'custom', title: 'Later', recipient_role: 'traveler', delivery_method: ['in-app'], status: 'sent' },
  ])
  expect(
    (await call('GET', `/admin-operations/users/${ana.id}/notifications`, undefined, ana.as)).answer,
  ).toMatchObject({
    notifications: expect.arrayContaining([expect.objectContaining({ id, type: 'custom' })]),
  })

  const letter = await post('/admin-operations/notifications', {
    ...{ user_id: ana.id, type: 'visa', title: 'Visa', message: 'It ends.', priority: 'high', data: { a: 1 } },
    ...{ delivery_method: ['in-app', 'email'], action_url: '/dashboard', scheduled_for: soon.toISOString() },
  })
  expect(await sendDueReminders({ database, log: createLog('silent') }, soon)).toBe(1)
  expect(await fanOutDue(database)).toMatchObject([{ recipients: 1, messages: 1, inboxItems: 0 }])
  const { answer: all } = await call('GET', '/admin-operations/notifications?type=visa')
  expect(all).toMatchObject({
    total: 1,
    notifications: [{ id: letter.answer.notificationId, type: 'visa', priority: 'high', data: { a: 1 } }],
  })

  expect((await post('/admin-operations/notifications', { type: 'x', title: 'x', message: 'x' })).status).toBe(422)
  const failed = await call('PUT', `/admin-operations/notifications/${response.answer.notificationId}`, {
    status: 'failed',
  })
  expect(failed.answer).toMatchObject({ status: 'failed' })
  expect((await call('PUT', `/admin-operations/notifications/${randomUUID()}`, { status: 'sent' })).status).toBe(404)
  const { answer: usersByRole } = await call('GET', '/admin-operations/users/by-role/traveler')
  expect((usersByRole as { users: { id: string }[] }).users.map(({ id }) => id)).toContain(ana.id)
})

test('an advisory delivery is tracked from creation to completion', async () => {
  const advisory = await inside((db) => insertAdvisory(db, { country_codes: ['PE'], severity_level: 'critical' }))
  const request = { advisory_id: advisory.id, user_id: ana.id, notification_type: 'email' }
  const made = await post('/notification-tracking/create', request)
  expect(made).toMatchObject({
    status: 201,
    answer: {
      notification: {
        status: 'pending',
        notification_type: 'email',
        user_email: ana.email,
        user_name: 'Ana Cruz',
        retry_count: 0,
      },
    },
  })
  const id = made.answer.notification_id
  expect((await post('/functions/notification-tracking/create', request)).answer.notification_id).toBe(id)
  const inApp = await post('/notification-tracking/create', { ...request, notification_type: 'in-app' })
  expect(inApp.answer).toMatchObject({ notification: { status: 'delivered' } })
  for (const [more, status, error] of [
    [{ notification_type: 'fax' }, 422, 'Unsupported notification type'],
    [{ advisory_id: randomUUID() }, 404, 'Advisory data not found'],
    [{ notification_type: 'sms', user_id: admin.id }, 409, 'No phone number available for user'],
  ] as const)
    expect(await post('/notification-tracking/create', { ...request, ...more })).toMatchObject({
      status,
      answer: { error },
    })

  const ids = async (which: string) =>
    ((await call('GET', `/notification-tracking/${which}`)).answer.notifications as { id: string }[]).map(
      (row) => row.id,
    )
  expect(await ids('pending')).toContain(id)
  const update = (body: object) => post('/notification-tracking/update-status', body)
  expect(await update({ status: 'sent' })).toMatchObject({
    status: 400,
    answer: { fields: { notification_id: expect.any(String) } },
  })
  expect(await update({ notification_id: id })).toMatchObject({ status: 400 })
  expect((await update({ notification_id: id, status: 'gone' })).status).toBe(422)
  await update({ notification_id: id, status: 'failed', error_message: '550 no', provider_response: { code: 550 } })
  expect(await ids('failed')).toContain(id)
  await update({ notification_id: id, status: 'delivered', message_id: 'SM1' })
  expect((await update({ notification_id: id, status: 'sent' })).answer).toMatchObject({
    notification: { status: 'delivered', message_id: 'SM1' },
  })
  expect((await call('GET', '/notification-tracking/stats')).answer).toMatchObject({
    total: 2,
    by_status: { delivered: 2 },
    by_type: { email: 1, 'in-app': 1 },
  })
  await inside((db) =>
    db
      .updateTable('messages')
      .set({ created_at: new Date(Date.now() - 31 * 86_400_000) })
      .where('id', '=', id as string)
      .execute(),
  )
  expect((await post('/notification-tracking/cleanup', { days_to_keep: 40 })).answer).toMatchObject({ deleted: 0 })
  expect((await post('/notification-tracking/cleanup', {})).answer).toMatchObject({ deleted: 1, days_to_keep: 30 })
  expect((await call('GET', '/notification-tracking/stats')).answer).toMatchObject({ by_type: { 'in-app': 1 } })
})

test('all calls are described in the API document', async () => {
  const { status, answer } = await call('GET', '/openapi.json')
  expect(status).toBe(200)
  const paths = Object.keys(answer.paths as object)
  for (const path of ['/communication/send-sms', '/notification-tracking/create', '/admin-operations/notifications'])
    expect(
      paths.some((known) => known.endsWith(path)),
      path,
    ).toBe(true)
})

test('a coordinator’s mail has no form, script, overlay or remote image, shows link targets and names its author', async () => {
  const coordinator = await createTestUser(database, 'mfa_coordinator', { display_name: 'Maria <b>Santos</b>' })
  const { answer } = await post(
    '/communication/send-email',
    {
      user_id: ana.id,
      subject: 'Visa',
      html: `<form action="https://evil.example"><input name="password"></form><script>alert(1)</script>
        <div style="position:fixed" onclick="x()">Go to <a href="https://evil.example/dfa.gov.ph">dfa.gov.ph</a></div>
        <img src="https://evil.example/pixel.gif"><a href="http://portal.test/emergency">Emergency</a>`,
    },
    coordinator.as,
  )
  const { body_html, body_text } = await messageOf(answer.message_id)
  expect(body_html).not.toMatch(/<(form|input|script|img|style)|position|onclick|pixel/)
  expect(body_html).toContain('<a href="https://evil.example/dfa.gov.ph">dfa.gov.ph [evil.example]</a>')
  expect(body_html).toContain('<a href="http://portal.test/emergency">Emergency</a>')
  expect(body_html).toContain('Written by Maria &lt;b&gt;Santos&lt;/b&gt;, MFA coordinator.')
  expect(body_text).toContain('dfa.gov.ph [evil.example] (https://evil.example/dfa.gov.ph)')
  const templated = await post(
    '/send-templated-email',
    {
      recipients: [ana.email],
      templateId: 'announcement',
      variables: { title: 'Visa', message: '<b>New rules</b>' },
      language: 'en',
    },
    admin.as,
  )
  expect((await messageOf(templated.answer.message_id)).body_html).toContain('&lt;b&gt;New rules&lt;/b&gt;')
  expect((await messageOf(templated.answer.message_id)).body_text).toContain(WRITTEN_BY)
})
