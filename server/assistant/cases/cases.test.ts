import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { fanOutDue } from '#server/notifications/announcements/fan-out.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { escalateCases } from './escalation.ts'

const database = await testDatabase()
const app = await testApp(database, {
  readSession: async (request, address) => {
    const [role, id] = (request.headers.get(AS) ?? '').split(' ')
    const countries = request.headers.get('x-scope')?.split(',') ?? null
    const scope = countries && { countries, chapters: null }
    return {
      address: request.headers.get('x-address') ?? address,
      user: role && id ? { id, name: 'Test', role: role as 'admin', ...(scope ? { scope } : {}) } : null,
    }
  },
})
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

const ask = createApiClient(app)
let numbers = 0
/** A different visitor each time, unless a test says otherwise. */
const callBack = (more: object = {}) =>
  ask(
    null,
    'POST',
    'ai/cases',
    {
      kind: 'call_back',
      country: 'SA',
      language: 'tl',
      dangers: ['withheld_passport'],
      safe_phone: `+966 50 123 ${4567 + numbers++}`,
      safe_time: 'Friday after 9 in the evening',
      messages: [{ sender: 'user', content: 'Kinuha ng amo ko ang passport ko' }],
      ...more,
    },
    { 'x-address': `198.51.100.${numbers}` },
  )
const row = (reference: string) =>
  inside((db) =>
    db.selectFrom('assistant_cases').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow(),
  )
/** Users with an inbox item about a case. */
async function belled(id: string) {
  await fanOutDue(database)
  const rows = await inside((db) =>
    db.selectFrom('notifications').select('user_id').where('action_url', '=', `/admin/assistant/cases/${id}`).execute(),
  )
  return rows.map(({ user_id }) => user_id)
}

const inSaudi = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['SA'] })
const inJapan = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
const admin = await createTestUser(database, 'admin')

test('a callback request of a visitor notifies the coordinators of the country, without name or number', async () => {
  const { status, body } = await callBack()
  expect(status).toBe(201)
  expect(body.reference).toMatch(/^CASE-\d{4}-[2-9A-HJKMNP-Z]{7}$/)
  expect(body.content).toContain(body.reference)
  const stored = await row(body.reference)
  expect(stored).toMatchObject({
    user_id: null,
    country_code: 'SA',
    dangers: ['withheld_passport'],
    safe_phone: '+966 50 123 4567',
    original_text: '— Kinuha ng amo ko ang passport ko',
    status: 'open',
  })
  expect(stored.summary).toBe(
    [
      'Asks for a call.',
      'Signs of a withheld passport.',
      'Country: Saudi Arabia.',
      'Language: Tagalog.',
      'One question.',
      'Safe number: +966 50 123 4567, Friday after 9 in the evening.',
    ].join('\n'),
  )
  expect(stored.summary_ar).toBe(
    [
      'المطلوب اتصال هاتفي.',
      'علامات على: جواز سفر محتجز.',
      'البلد: المملكة العربية السعودية.',
      'اللغة: الفلبينية.',
      'سؤال واحد.',
      'رقم آمن: +966 50 123 4567، Friday after 9 in the evening.',
    ].join('\n'),
  )
  expect(await belled(stored.id)).toEqual([inSaudi.id])
  const announcement = await inside((db) =>
    db
      .selectFrom('announcements')
      .select('texts')
      .where('announcement_key', '=', `assistant-case ${stored.id} 0`)
      .executeTakeFirstOrThrow(),
  )
  expect(JSON.stringify(announcement.texts)).not.toMatch(/123|Kinuha|passport/)
})

test('a callback request without a number is rejected with advice, and nothing is written', async () => {
  const { status, body } = await callBack({ safe_phone: undefined, note: 'Nothing of this stays' })
  expect(status).toBe(422)
  expect(body.fields).toEqual({ safe_phone: 'Enter a phone number we can call' })
  const stored = await inside((db) =>
    db.selectFrom('assistant_cases').select('id').where('original_text', 'like', '%Nothing of this%').execute(),
  )
  expect(stored).toEqual([])
  expect((await callBack({ country: 'ZZ' })).status).toBe(422)
})

test("danger can be reported with or without an account, for the reporter's country", async () => {
  const unknown = await ask(null, 'POST', 'ai/cases', { kind: 'danger', note: 'They locked the door' })
  expect(unknown).toMatchObject({ status: 201, body: { content: expect.stringContaining(unknown.body.reference) } })
  const ana = await createTestUser(database, 'traveler', { country_code: 'JP' })
  const { body } = await ask(ana.as, 'POST', 'ai/cases', { kind: 'danger', dangers: ['violence'] })
  const stored = await row(body.reference)
  expect(stored).toMatchObject({ user_id: ana.id, country_code: 'JP', kind: 'danger' })
  expect(await belled(stored.id)).toEqual([inJapan.id])
})

test('a conversation that is handed over includes its own text and sources only', async () => {
  const ana = await createTestUser(database, 'traveler', { country_code: 'SA' })
  const ben = await createTestUser(database, 'traveler')
  const { id } = (await ask(ana.as, 'POST', 'ai/conversations', {})).body.conversation
  await ask(ana.as, 'POST', `ai/conversations/${id}/messages`, { content: 'Who can help me?' })
  const stolen = await ask(ben.as, 'POST', 'ai/cases', { kind: 'hand_over', conversation_id: id })
  expect(stolen).toMatchObject({ status: 404, body: { error: 'Conversation not found' } })
  const { body } = await ask(ana.as, 'POST', 'ai/cases', {
    kind: 'hand_over',
    conversation_id: id,
    messages: [{ sender: 'user', content: 'Forged words' }],
  })
  expect((await row(body.reference)).original_text).toBe('— Who can help me?')
  expect((await ask(ana.as, 'GET', `ai/conversations/${id}`)).body.conversation.status).toBe('handed_over')
})

test('cases are read and taken only by the coordinators of the country', async () => {
  const { reference } = (await callBack()).body
  const { id } = await row(reference)
  const saudi = { 'x-scope': 'SA' }
  const mine = await ask(inSaudi.as, 'GET', 'admin/assistant/cases?country=SA', undefined, saudi)
  expect(mine.body.cases.map((c: any) => c.reference)).toContain(reference)
  const others = await ask(inJapan.as, 'GET', 'admin/assistant/cases', undefined, { 'x-scope': 'JP' })
  expect(others.body.cases.every((c: any) => c.country_code === 'JP')).toBe(true)
  for (const [as, more, status] of [
    [inJapan.as, { 'x-scope': 'JP' }, 404],
    [(await createTestUser(database, 'traveler')).as, {}, 403],
    [(await createTestUser(database, 'pdos_coordinator')).as, {}, 403],
    [null, {}, 401],
  ] as [string | null, Record<string, string>, number][]) {
    expect((await ask(as, 'GET', `admin/assistant/cases/${id}`, undefined, more)).status).toBe(status)
    expect((await ask(as, 'PUT', `admin/assistant/cases/${id}`, { status: 'taken' }, more)).status).toBe(status)
  }
  const taken = await ask(inSaudi.as, 'PUT', `admin/assistant/cases/${id}`, { status: 'taken' }, saudi)
  expect(taken.body.case).toMatchObject({ status: 'taken', taken_by_name: expect.any(String) })
  const second = await ask(admin.as, 'PUT', `admin/assistant/cases/${id}`, { status: 'taken' })
  expect(second).toMatchObject({ status: 409, body: { code: 'case_taken' } })
  const closed = await ask(
    inSaudi.as,
    'PUT',
    `admin/assistant/cases/${id}`,
    { status: 'closed', note: 'She is with the embassy.' },
    saudi,
  )
  expect(closed.body.case).toMatchObject({ status: 'closed', note: 'She is with the embassy.' })
})

test('danger comes before callback requests, and those before the rest', async () => {
  for (const kind of ['hand_over', 'call_back', 'danger'])
    await ask((await createTestUser(database, 'traveler', { country_code: 'KW' })).as, 'POST', 'ai/cases', {
      kind,
      safe_phone: '+965 5000 0000',
    })
  const { cases } = (await ask(admin.as, 'GET', 'admin/assistant/cases?country=KW')).body
  expect(cases.map((c: any) => c.kind)).toEqual(['danger', 'call_back', 'hand_over'])
})

test('a callback request is escalated to administrators unless it has been taken', async () => {
  const first = await row((await callBack()).body.reference)
  const second = await row((await callBack()).body.reference)
  await ask(admin.as, 'PUT', `admin/assistant/cases/${second.id}`, { status: 'taken' })
  await escalateCases(database, new Date(Date.now() + 11 * 60_000))
  expect(await belled(first.id)).toContain(admin.id)
  expect(await belled(second.id)).not.toContain(admin.id)
  const before = (await row(first.reference)).escalations
  await escalateCases(database, new Date(Date.now() + 12 * 60_000))
  expect((await row(first.reference)).escalations).toBe(before)
})

test('repeated requests for a person are rate limited; reports of danger never are', async () => {
  const more = { 'x-address': '192.0.2.77' }
  let last = 0
  for (let at = 0; at < 21; at++) last = (await ask(null, 'POST', 'ai/cases', { kind: 'hand_over' }, more)).status
  expect(last).toBe(429)
  expect((await ask(null, 'POST', 'ai/cases', { kind: 'danger' }, more)).status).toBe(201)
  expect((await ask(null, 'POST', 'ai/cases', { kind: 'hand_over', dangers: ['violence'] }, more)).status).toBe(201)
})
