import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createLog } from '#server/log.ts'
import { fanOutDue } from '#server/notifications/announcements/fan-out.ts'
import { createTextInbox } from '#server/roll-calls/texts/text-inbox.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { escalateCases } from './escalation.ts'

const database = await testDatabase()
const app = await testApp(database)
const ask = createApiClient(app)
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const inQatar = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['QA', 'KW'] })
const inJapan = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
const admin = await createTestUser(database, 'admin')
const MIA = '+639175550001'
const mia = await createTestUser(database, 'traveler', { first_name: 'Mia', country_code: 'QA', phone_number: MIA })

beforeEach(() =>
  inside(async (db) => {
    for (const table of ['inbound_texts', 'assistant_cases', 'announcements'] as const)
      await db.deleteFrom(table).execute()
  }),
)

let sent = 0
const inbox = createTextInbox({
  publicUrl: 'https://portal.example',
  log: createLog('silent'),
  interpret: async (text) => ({
    isPlain: true,
    dangers: /gunman/.test(text) ? ['violence'] : [],
    language: /kami/.test(text) ? 'tl' : 'en',
    country: null,
  }),
  emergencyNumber: (country) => (country === 'QA' ? '999' : null),
})
const text = async (body: string, number = MIA, now = new Date(), receive = inbox) => {
  const { reply } = await receive(
    database,
    { provider: 'sms', providerMessageId: `S${++sent}`, channel: 'sms', number, body, mediaCount: 0 },
    now,
  )
  return reply
}
const cases = () => inside((db) => db.selectFrom('assistant_cases').selectAll().orderBy('created_at').execute())
async function notified(path: string) {
  await fanOutDue(database)
  const rows = await inside((db) =>
    db.selectFrom('notifications').select('user_id').where('action_url', '=', path).execute(),
  )
  return rows.map(({ user_id }) => user_id)
}

test('a text asking for help opens a case for the country of its owner, with the number to call first', async () => {
  expect(await text('tulungan nyo kami')).toMatch(
    /CASE-\d{4}-\w{7}.* Nasa panganib\? Tumawag sa 999\. https:\/\/portal\.example\/emergency\/QA$/,
  )
  const [row] = await cases()
  expect(row).toMatchObject({
    kind: 'danger',
    channel: 'sms',
    user_id: mia.id,
    country_code: 'QA',
    language: 'tl',
    safe_phone: MIA,
    original_text: '— tulungan nyo kami',
    status: 'open',
  })
  expect(row!.summary).toContain('Asked for help by text message.')
  // The number is not confirmed as safe to call.
  expect(row!.summary).toContain(`Sent from ${MIA}.`)
  expect(row!.summary).not.toContain('Safe number')
  expect(await notified(`/admin/assistant/cases/${row!.id}`)).toEqual([inQatar.id])
  await escalateCases(database, new Date(Date.now() + 11 * 60_000))
  expect(await notified(`/admin/assistant/cases/${row!.id}`)).toContain(admin.id)
})

test('so does a text from an unknown number, and one that only the assistant recognises', async () => {
  expect(await text('there is a gunman at the gate', '+819099990000')).toContain('local emergency number')
  const [row] = await cases()
  expect(row).toMatchObject({
    user_id: null,
    name: null,
    country_code: 'JP',
    dangers: ['violence'],
    safe_phone: '+819099990000',
  })
  expect(await notified(`/admin/assistant/cases/${row!.id}`)).toEqual([inJapan.id])
})

test('further texts are added to the open case and notify its assignee; a closed case starts a new one', async () => {
  await text('help')
  const [row] = await cases()
  expect(await text('second floor, room 12')).toBeNull()
  expect(await text('please hurry')).toBeNull()
  expect((await cases()).map(({ original_text }) => original_text)).toEqual([
    '— help\n\n— second floor, room 12\n\n— please hurry',
  ])
  await ask(admin.as, 'PUT', `admin/assistant/cases/${row!.id}`, { status: 'taken' })
  await text('they are leaving')
  const last = await inside((db) =>
    db
      .selectFrom('announcements')
      .select('audience')
      .where('announcement_key', 'like', 'assistant-case-text%')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  expect(last.audience).toEqual({ users: [admin.id] })
  await ask(admin.as, 'PUT', `admin/assistant/cases/${row!.id}`, {
    status: 'closed',
    note: 'Police came, she is at the embassy.',
  })
  await text('help again')
  expect(await cases()).toHaveLength(2)
})

test('every call for help is recognised however many texts come from one number', async () => {
  for (let at = 0; at < 60; at++) await text(`help ${at}`)
  const [row, ...others] = await cases()
  expect(others).toEqual([])
  for (const at of [0, 30, 59]) expect(row!.original_text).toContain(`— help ${at}`)
  for (let at = 0; at < 30; at++) await text('help', `+97455550${100 + at}`)
  expect(await cases()).toHaveLength(31)
})

test('an unrelated text gets a link to the emergency page, at most once a day, and opens no case', async () => {
  const now = new Date()
  expect(await text('what time is the service?', MIA, now)).toBe(
    'We cannot answer questions by text. If you need help, reply HELP. Emergency numbers: https://portal.example/emergency/QA',
  )
  expect(await text('hello?', MIA, now)).toBeNull()
  expect(await text('hello?', '+819099990001', now)).toContain('/emergency/JP')
  expect(await cases()).toEqual([])
  expect(await text('help', MIA, now)).toContain('CASE-')
  await inside((db) => db.deleteFrom('assistant_cases').execute())
  expect(await text('hello?', MIA, new Date(now.valueOf() + 25 * 3_600_000))).toContain('/emergency/QA')
})

test('a plain call for help opens a case when the assistant is unavailable', async () => {
  const deaf = createTextInbox({
    publicUrl: 'https://portal.example',
    log: createLog('silent'),
    interpret: () => Promise.reject(new Error('out of memory')),
    emergencyNumber: () => null,
  })
  expect(await text('ساعدوني', MIA, new Date(), deaf)).toMatch(
    /CASE-.* في حالة الخطر يُرجى الاتصال على رقم الطوارئ المحلي\. /,
  )
  expect(await cases()).toHaveLength(1)
})

test('closing a case requires a note, which is stored and audited; other users cannot close it', async () => {
  await text('help')
  const [{ id } = { id: '' }] = await cases()
  const close = (as: string | null, note?: string) =>
    ask(as, 'PUT', `admin/assistant/cases/${id}`, { status: 'closed', ...(note === undefined ? {} : { note }) })
  for (const note of [undefined, '', '   '])
    expect(await close(admin.as, note)).toMatchObject({
      status: 422,
      body: { fields: { note: 'Enter what was done' } },
    })
  expect((await close(mia.as, 'I am fine')).status).toBe(403)
  expect((await close(null, 'I am fine')).status).toBe(401)
  expect((await cases())[0]).toMatchObject({ status: 'open', note: null })
  expect((await close(admin.as, 'Spoke to her; the embassy has her.')).body.case).toMatchObject({
    status: 'closed',
    note: 'Spoke to her; the embassy has her.',
  })
  const auditLog = await inside((db) =>
    db
      .selectFrom('audit_log')
      .select(['action', 'reason', 'actor_id'])
      .where('subject_id', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .execute(),
  )
  expect(auditLog).toEqual([
    { action: 'assistant.case.closed', reason: 'Spoke to her; the embassy has her.', actor_id: admin.id },
  ])
})
