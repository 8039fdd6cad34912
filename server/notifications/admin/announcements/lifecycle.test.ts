import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import type { AnnouncementDetail } from '#shared/notifications/announcements.ts'
import { ROLES } from '#shared/roles.ts'
import { fanOutDue } from '../../announcements/fan-out.ts'

const database = await testDatabase()
await inBackground(database, 'test', async (db) => {
  await writeSetting(db, 'notifications.approval_above', 2)
  await writeSetting(db, 'notifications.sms_price', '0.05 USD')
  await writeSetting(db, 'time_zone', 'Asia/Manila')
})
const app = await testApp(database, { unsentChannels: ['sms', 'whatsapp'] })
const author = await createTestUser(database, 'admin', { display_name: 'Ruth Salazar' })
const second = await createTestUser(database, 'admin', { display_name: 'Omar Haddad' })
const ana = await createTestUser(database, 'traveler', { phone_number: '+639171234567', preferred_language: 'ar' })
const ben = await createTestUser(database, 'traveler', { country_code: 'JP' })
const hub = await createTestUser(database, 'member', { auth_provider: 'mcgi-hub', email_verified: false })

const BASE = '/api/admin-operations/announcements'
async function call<T = { id: string; status: string; error: string; code: string; fields: Record<string, string> }>(
  method: string,
  path: string,
  body?: object,
  as = author.as,
) {
  const response = await app.request(`${BASE}${path}`, {
    method,
    headers: { [AS]: as, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, answer: (await response.json()) as T }
}
const announcementBody = {
  audience: { people: [ben.email, `Ana <${ana.email.toUpperCase()}>`] },
  channels: ['in-app', 'email', 'sms'],
  texts: {
    en: { title: 'Office closed', message: 'Until Monday.\nCall us.' },
    ar: { title: 'المكتب مغلق', message: 'حتى يوم الاثنين.' },
  },
  action_url: '/travel-advisories',
}
const everybody = { ...announcementBody, audience: { roles: [...ROLES] } }
async function made(body: object = announcementBody) {
  const { status, answer } = await call('POST', '', body)
  expect(answer).toMatchObject({ status: 'draft' })
  expect(status).toBe(201)
  return answer.id
}
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const actions = (id: string) =>
  inside(async (db) =>
    (await db.selectFrom('audit_log').select('action').where('subject_id', '=', id).orderBy('id').execute()).map(
      ({ action }) => action,
    ),
  )

test('only administrators and coordinators create or see announcements', async () => {
  const id = await made()
  for (const role of ['traveler', 'member', 'coordinator'] as const) {
    const wrong = await createTestUser(database, role)
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['GET', `/${id}/outlook`],
      ['POST', '', announcementBody],
      ['POST', '/estimate', announcementBody],
      ['PUT', `/${id}`, announcementBody],
      ['POST', `/${id}/send`, {}],
      ['POST', `/${id}/approve`, {}],
      ['POST', `/${id}/cancel`],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/retry`],
      ['DELETE', `/${id}`],
    ] as const)
      expect((await call(method, path, body, wrong.as)).status, `${role} ${method} ${path}`).toBe(403)
  }
  expect((await call('GET', '', undefined, '')).status).toBe(401)
})

test('missing fields and empty audiences are reported by field; an incomplete draft is saved', async () => {
  const empty = { audience: {}, texts: { en: {}, ar: { title: 'عنوان' } } }
  const { status, answer } = await call('POST', '', empty)
  expect(status).toBe(422)
  expect(answer.fields).toEqual({
    'texts.ar.message': 'This field is required',
    channels: 'Choose at least one channel',
    audience: 'Choose the recipients',
  })
  const wrong = {
    ...announcementBody,
    audience: { people: ['nobody@example.org', ben.email], countries: ['XX'] },
    action_url: '//evil.example',
    scheduled_for: 'tomorrow',
  }
  expect((await call('POST', '', wrong)).answer.fields).toEqual({
    'audience.people.0': 'No account has this email address',
    'audience.countries': 'Choose a country',
    action_url: 'Enter a page of this portal, such as /travel-advisories',
    scheduled_for: 'Enter a date and a time',
  })
  const id = await made({ ...empty, is_sketch: true })
  expect((await call('POST', `/${id}/send`, {})).status).toBe(422)
})

test('shows the reach by channel, unreached users, previews and cost', async () => {
  const id = await made({
    ...announcementBody,
    channels: ['email', 'sms'],
    audience: { people: [ana.id, ben.id, hub.id] },
  })
  const { answer } = await call<ReachEstimate>('GET', `/${id}/outlook`)
  expect(answer).toMatchObject({
    chosen: 3,
    people: 2,
    needs_approval: false,
    channels: [
      { channel: 'email', people: 2, is_connected: true, en: 1, ar: 1 },
      { channel: 'sms', people: 1, is_connected: false, en: 0, ar: 1 },
    ],
    sms_segments: answer.previews[1]!.sms.segments,
    unreached: { total: 1, people: [{ id: hub.id }] },
  })
  expect(answer.previews[1]!.sms).toMatchObject({ encoding: 'UCS-2' })
  expect(answer.sms_cost).toBe(`${(answer.sms_segments * 0.05).toFixed(2)} USD`)
  expect(answer.previews[0]!.mail.html).toContain('Call us.')
  expect(answer.previews[0]!.mail.text).toMatch(/\n\nWritten by .+, Administrator\.\n\n/)
  expect(answer.previews[1]!.mail.text).toContain('\n\nبواسطة ')
  expect(answer.previews[0]!.sms.text).toMatch(/http:\/\/portal\.test\/travel-advisories$/)
})

test('counts an announcement that is not saved: channels, their connection, sample recipients and approvers', async () => {
  const before = await inside((db) => db.selectFrom('announcements').select('id').execute())
  const { status, answer } = await call<ReachEstimate>('POST', '/estimate', {
    ...announcementBody,
    channels: ['in-app', 'email', 'sms'],
    audience: { people: [ana.id, ben.id, hub.id] },
    action_url: 'not a path',
  })
  expect(status).toBe(200)
  expect(answer).toMatchObject({
    chosen: 3,
    people: 3,
    needs_approval: true,
    approvers: ['Omar Haddad'],
    channels: [
      { channel: 'email', people: 2, is_connected: true },
      { channel: 'in-app', people: 3, is_connected: true },
      { channel: 'sms', people: 1, is_connected: false },
    ],
    unreached: { total: 0 },
    // No email address and no phone: only a visit to the portal shows it.
    portal_only: { total: 1, people: [{ id: hub.id }] },
  })
  expect(answer.readers.map(({ id, language }) => [id, language])).toEqual(
    expect.arrayContaining([
      [ana.id, 'ar'],
      [ben.id, 'en'],
    ]),
  )
  expect(answer.readers.find(({ id }) => id === ben.id)?.time_zone).toBe('Asia/Tokyo')
  expect(answer.previews[0]!.mail.text).toMatch(/\n\nWritten by .+, Administrator\.\n\n/)
  expect(await inside((db) => db.selectFrom('announcements').select('id').execute())).toHaveLength(before.length)
  for (const [body, code] of [
    [{ ...announcementBody, audience: { people: ['nobody@example.org'] } }, 422],
    [{ ...announcementBody, texts: { en: { title: 'x'.repeat(100_000) }, ar: {} } }, 422],
    [{ ...announcementBody, audience: {} }, 200],
  ] as const)
    expect((await call('POST', '/estimate', body)).status).toBe(code)
  const nobody = await call<ReachEstimate>('POST', '/estimate', { ...announcementBody, audience: {} })
  expect(nobody.answer).toMatchObject({ chosen: 0, people: 0 })
})

test('recipients are counted before anything is written, and there is no preview yet', async () => {
  for (const texts of [
    { en: {}, ar: {} },
    { en: { title: 'Office' }, ar: {} },
    { en: {}, ar: { message: 'نص' } },
  ]) {
    const body = { ...announcementBody, texts, audience: { people: [ana.id] } }
    const { status, answer } = await call<ReachEstimate>('POST', '/estimate', body)
    expect([status, answer.chosen, answer.previews]).toEqual([200, 1, []])
    const id = await made({ ...body, is_sketch: true })
    expect((await call<ReachEstimate>('GET', `/${id}/outlook`)).answer).toMatchObject({ chosen: 1, previews: [] })
  }
})

test('the recipients are counted again when it is sent: a changed number is confirmed again', async () => {
  const eve = await createTestUser(database, 'traveler', { country_code: 'FJ' })
  const finn = await createTestUser(database, 'traveler', { country_code: 'FJ' })
  const id = await made({ ...announcementBody, audience: { countries: ['FJ'] } })
  await inside((db) =>
    db.updateTable('user_profiles').set({ profile_status: 'suspended' }).where('id', '=', finn.id).execute(),
  )
  const refused = await call('POST', `/${id}/send`, { people: 2 })
  expect([refused.status, refused.answer.code]).toEqual([409, 'people_changed'])
  expect(refused.answer.error).toContain('changed to 1')
  expect(await actions(id)).toEqual(['announcement.create'])
  const sent = await Promise.all([1, 2].map(() => call('POST', `/${id}/send`, { people: 1 })))
  expect(sent.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await fanOutDue(database)).toMatchObject([{ id, recipients: 1 }])
  expect(eve.id).toBeTruthy()
})

test('a time that the clocks skip is rejected; the earlier of two equal ones is used', async () => {
  const zone = (value: string) => inside((db) => writeSetting(db, 'time_zone', value))
  await zone('Europe/Berlin')
  await app.readModel.catchUp()
  const skipped = await call('POST', '', { ...announcementBody, scheduled_for: '2031-03-30T02:30' })
  expect(skipped.answer.fields).toEqual({
    scheduled_for: 'The clocks change then, so this time does not exist. Choose another time.',
  })
  const id = await made({ ...announcementBody, scheduled_for: '2031-10-26T02:30' })
  const { answer } = await call<AnnouncementDetail>('GET', `/${id}`)
  expect(answer.scheduled_for).toBe('2031-10-26T00:30:00.000Z')
  await zone('Asia/Manila')
  await app.readModel.catchUp()
})

test('an announcement in one language is sent to everyone in it, and says so', async () => {
  const id = await made({ ...announcementBody, texts: { en: announcementBody.texts.en, ar: {} } })
  const { answer } = await call<ReachEstimate>('GET', `/${id}/outlook`)
  expect(answer.previews.map(({ is_borrowed, short }) => [is_borrowed, short.title])).toEqual([
    [false, 'Office closed'],
    [true, 'Office closed'],
    [true, 'Office closed'],
  ])
  const { answer: detail } = await call<AnnouncementDetail>('GET', `/${id}`)
  expect(detail.texts).toMatchObject({ ar: { title: '', message: '' } })
  await call('POST', `/${id}/send`, {})
  await fanOutDue(database)
  const inboxRows = await inside((db) =>
    db.selectFrom('notifications').select(['user_id', 'title']).where('announcement_id', '=', id).execute(),
  )
  expect(inboxRows.map(({ title }) => title)).toEqual(['Office closed', 'Office closed'])
})

test('an announcement to few recipients is sent at once and its results are counted', async () => {
  const id = await made()
  expect((await call('POST', `/${id}/send`, {})).answer).toMatchObject({ status: 'waiting' })
  expect(await fanOutDue(database)).toMatchObject([{ id, recipients: 2, messages: 3, inboxItems: 2 }])
  await inside((db) =>
    db
      .updateTable('messages')
      .set({ status: 'failed', error: '550 no such user', attempts: 3 })
      .where('announcement_id', '=', id)
      .where('channel', '=', 'email')
      .where('user_id', '=', ben.id)
      .execute(),
  )
  const { answer } = await call<AnnouncementDetail>('GET', `/${id}`)
  expect(answer).toMatchObject({
    people: 2,
    failed: 1,
    figures: [
      { channel: 'in-app', delivered: 2 },
      { channel: 'email', waiting: 1, failed: 1 },
      { channel: 'sms', waiting: 1 },
    ],
    reasons: [{ channel: 'email', error: '550 no such user', count: 1 }],
  })
  const { answer: retried } = await call<{ messages: number }>('POST', `/${id}/retry`)
  expect(retried.messages).toBe(1)
  expect((await call<AnnouncementDetail>('GET', `/${id}`)).answer).toMatchObject({ failed: 0 })
  expect((await call('PUT', `/${id}`, announcementBody)).answer).toMatchObject({ code: 'wrong_status' })
  expect(await actions(id)).toEqual(['announcement.create', 'announcement.send', 'announcement.retry'])
})

test('an announcement to many waits for a second administrator, never its author', async () => {
  const id = await made(everybody)
  expect((await call('POST', `/${id}/send`, {})).answer).toMatchObject({ status: 'for_approval' })
  expect(await fanOutDue(database)).toEqual([])
  expect((await call('POST', `/${id}/approve`, {})).answer).toMatchObject({ code: 'own_announcement' })
  expect((await call('POST', `/${id}/decline`, { reason: 'x' })).status).toBe(403)
  expect((await call('POST', `/${id}/decline`, { reason: ' ' }, second.as)).status).toBe(422)

  await call('POST', `/${id}/decline`, { reason: 'Wrong day' }, second.as)
  const { answer: back } = await call<AnnouncementDetail>('GET', `/${id}`)
  expect(back).toMatchObject({ status: 'draft', decline_reason: 'Wrong day', declined_by_name: 'Omar Haddad' })

  // Resending makes the second administrator its author: now the first may approve.
  await call('POST', `/${id}/send`, { made_from: back.updated_at }, second.as)
  expect((await call('POST', `/${id}/approve`, {}, second.as)).status).toBe(403)
  expect((await call('POST', `/${id}/approve`, { made_from: back.updated_at })).answer).toMatchObject({ code: 'stale' })
  expect((await call('POST', `/${id}/approve`, {})).answer).toMatchObject({ status: 'waiting' })
  expect(await fanOutDue(database)).toMatchObject([{ id }])
  expect(await actions(id)).toEqual([
    'announcement.create',
    'announcement.submit',
    'announcement.decline',
    'announcement.submit',
    'announcement.approve',
  ])
})

test('the database itself prevents approval by the author or in another user’s name', async () => {
  const id = await made(everybody)
  await call('POST', `/${id}/send`, {})
  const by = (who: string, set: string) =>
    withClaims(database, { as: 'user', userId: who, role: 'admin' }, (db) =>
      sql`update announcements set ${sql.raw(set)} where id = ${id}`.execute(db),
    )
  for (const [who, set] of [
    [author.id, `status = 'waiting', approved_by = '${author.id}'`],
    [author.id, `status = 'waiting', approved_by = '${second.id}'`],
    [author.id, `status = 'waiting'`],
    [author.id, `created_by = '${second.id}'`],
    [second.id, `texts = '{}', status = 'waiting', approved_by = '${second.id}'`],
  ] as const)
    await expect(by(who, set), set).rejects.toThrow()
  await by(second.id, `status = 'waiting', approved_by = '${second.id}'`)
  expect(await fanOutDue(database)).toMatchObject([{ id }])
})

test('a scheduled announcement waits for its time in the portal’s zone, and can be cancelled until then', async () => {
  const day = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10)
  const id = await made({ ...announcementBody, scheduled_for: `${day}T09:30` })
  await call('POST', `/${id}/send`, {})
  expect((await call<AnnouncementDetail>('GET', `/${id}`)).answer).toMatchObject({
    scheduled_for: `${day}T01:30:00.000Z`,
    scheduled_local: `${day}T09:30`,
  })
  expect(await fanOutDue(database)).toEqual([])
  expect((await call('POST', `/${id}/cancel`)).answer).toMatchObject({ status: 'cancelled' })
  expect((await call('POST', `/${id}/cancel`)).status).toBe(409)
  const past = await call('POST', '', { ...announcementBody, scheduled_for: '2020-01-01T00:00' })
  expect(past.answer.fields).toEqual({ scheduled_for: 'Choose a time in the future' })
})

test('a test goes to the caller over their reachable channels and is not listed', async () => {
  const id = await made()
  const { answer } = await call<{ channels: string[] }>('POST', `/${id}/test`)
  expect(answer.channels).toEqual(['email', 'in-app'])
  expect(await fanOutDue(database)).toMatchObject([{ recipients: 1, messages: 1, inboxItems: 1 }])
  const { answer: list } = await call<{ announcements: { title: string; status: string }[]; total: number }>(
    'GET',
    '?search=closed&status=sent',
  )
  expect(list.announcements.filter(({ title }) => title === 'Office closed').length).toBe(list.total)
  expect((await call('DELETE', `/${id}`)).status).toBe(200)
  expect((await call('GET', `/${id}`)).status).toBe(404)
})
