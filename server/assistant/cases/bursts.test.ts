import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { endBursts } from './bursts.ts'
import { sendCaseDigests } from './digests.ts'
import { escalateCases } from './escalation.ts'

const database = await testDatabase()
const START = new Date('2026-11-22T08:00:00Z')
let clock = START
const app = await testApp(database, {
  now: () => clock,
  readSession: async (request, address) => {
    const [role, id] = (request.headers.get(AS) ?? '').split(' ')
    const countries = request.headers.get('x-scope')?.split(',') ?? null
    return {
      address: request.headers.get('x-address') ?? address,
      user:
        role && id
          ? { id, name: 'Test', role: role as 'admin', ...(countries ? { scope: { countries, chapters: null } } : {}) }
          : null,
    }
  },
})
const ask = createApiClient(app)
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
const later = (minutes: number) => {
  clock = new Date(clock.valueOf() + minutes * 60_000)
}
let address = 0
/** From a unique address, unless the test names one. */
const report = (body: object = {}, as: string | null = null, from = `198.51.100.${++address}`) =>
  ask(as, 'POST', 'ai/cases', { kind: 'danger', country: 'JP', ...body }, { 'x-address': from })
const cases = (country = 'JP') =>
  inside((db) =>
    db.selectFrom('assistant_cases').selectAll().where('country_code', '=', country).orderBy('created_at').execute(),
  )
/** Alarms that a coordinator received. */
const alarmsOf = async (id: string) => {
  const rows = await inside((db) =>
    db.selectFrom('announcements').select(['audience', 'announcement_key']).orderBy('created_at').execute(),
  )
  return rows
    .filter(({ audience }) => audience?.users?.includes(id))
    .map(({ announcement_key }) => announcement_key.split(' ')[0]!)
}
const CASES = 'admin/assistant/cases'

const inJapan = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
const alsoInJapan = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
const inPeru = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['PE'] })
const admin = await createTestUser(database, 'admin')

async function reset() {
  clock = new Date(clock.valueOf() + 48 * 3_600_000)
  await inside(async (db) => {
    for (const table of ['assistant_cases', 'announcements', 'case_alarms', 'case_bursts', 'case_arrivals'] as const)
      await db.deleteFrom(table).execute()
  })
}

test('a burst of 2,000 anonymous reports is answered in full and raises only a few alarms', async () => {
  await reset()
  const answers: { status: number; body: any }[] = []
  const unknown = (at: number) => report({ note: `help ${at % 7}` }, null, `192.0.2.${at % 50}`)
  const travelers = await Promise.all([1, 2, 3].map(() => createTestUser(database, 'traveler', { country_code: 'JP' })))
  for (let at = 0; at < 2_000; at += 200) {
    const many = Promise.all(Array.from({ length: 200 }, (_, k) => unknown(at + k)))
    if (at % 400 === 200) {
      const which = (at - 200) / 400
      const traveler = travelers[which]
      // In the middle of the burst.
      answers.push(await report(traveler ? {} : { safe_phone: `+81 90 5555 000${which}` }, traveler?.as ?? null))
    }
    answers.push(...(await many))
  }
  expect(answers).toHaveLength(2_005)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(2_005)
  expect(await cases()).toHaveLength(6)
  const [group] = (await cases()).filter(({ is_group }) => is_group)
  expect(group).toMatchObject({ entry_count: 2_000, rank: 4 })
  const stored = await inside((db) => db.selectFrom('assistant_case_entries').select('id').execute())
  expect(stored).toHaveLength(1_000)
  // The five reachable reporters, the first anonymous report, and the burst.
  expect((await alarmsOf(inJapan.id)).toSorted()).toEqual([...Array(6).fill('assistant-case'), 'assistant-cases-burst'])
  expect(await alarmsOf(inPeru.id)).toEqual([])
  expect(await alarmsOf(admin.id)).toEqual(['assistant-cases-burst'])
  const home = (await ask(inJapan.as, 'GET', 'admin-operations/queue', undefined, { 'x-scope': 'JP' })).body
  expect(home.rows.map(({ kind, count }: any) => [kind, count])).toEqual([
    ['burst', expect.any(Number)],
    ...Array(5).fill(['case', 1]),
    ['case', 2_000],
  ])
  expect(
    home.rows
      .slice(1, 4)
      .map(({ user_id }: any) => user_id)
      .toSorted(),
  ).toEqual(travelers.map(({ id }) => id).toSorted())
  expect(home.rows[0]).toMatchObject({ country_code: 'JP', is_danger: true })
  const elsewhere = await ask(inPeru.as, 'GET', 'admin-operations/queue', undefined, { 'x-scope': 'PE' })
  expect(elsewhere.body.rows).toEqual([])
  // No case is taken for an hour: escalation does not multiply the alarms of the burst.
  for (let at = 0; at < 60; at++) {
    later(1)
    await escalateCases(database, clock)
    await sendCaseDigests(database, clock)
    await endBursts(database, clock)
  }
  const all = await alarmsOf(inJapan.id)
  expect(all.filter((key) => key === 'assistant-cases-digest').length).toBeLessThanOrEqual(5)
  expect(all.length).toBeLessThanOrEqual(20)
  const calm = await ask(admin.as, 'GET', 'admin-operations/queue')
  expect(calm.body.rows.filter(({ kind }: any) => kind === 'burst')).toEqual([])
}, 120_000)

test('the first anonymous report raises an alarm at once, the others one digest at the end of the interval', async () => {
  await reset()
  for (let at = 0; at < 5; at++) {
    await report({ note: `number ${at}` })
    later(1)
  }
  expect(await alarmsOf(inJapan.id)).toEqual(['assistant-case'])
  expect(await sendCaseDigests(database, clock)).toBe(0)
  later(12)
  // Two concurrent runs send it once.
  const sent = await Promise.all([sendCaseDigests(database, clock), sendCaseDigests(database, clock)])
  expect(Math.max(...sent)).toBeGreaterThan(0)
  expect(await alarmsOf(inJapan.id)).toEqual(['assistant-case', 'assistant-cases-digest'])
  const { texts } = await inside((db) =>
    db
      .selectFrom('announcements')
      .select('texts')
      .where('announcement_key', 'like', `assistant-cases-digest ${inJapan.id}%`)
      .executeTakeFirstOrThrow(),
  )
  expect(texts.en.title).toBe('More calls for help: 4')
  expect(texts.en.message).toContain('Japan: 4')
  // Later again, in a new interval.
  later(16)
  await report({ note: 'later' })
  expect(await alarmsOf(inJapan.id)).toHaveLength(3)
})

test('a coordinator who has lost the role gets no digest', async () => {
  await reset()
  const gone = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['KE'] })
  for (let at = 0; at < 3; at++) await report({ country: 'KE' })
  await inside((db) =>
    db
      .updateTable('user_profiles')
      .set({ role: 'traveler', scope_countries: null })
      .where('id', '=', gone.id)
      .execute(),
  )
  later(16)
  await sendCaseDigests(database, clock)
  expect(await alarmsOf(gone.id)).toEqual(['assistant-case'])
})

test('one account and one number make one case, two people sharing a phone make two', async () => {
  await reset()
  const ana = await createTestUser(database, 'traveler', { country_code: 'JP' })
  const ben = await createTestUser(database, 'traveler', { country_code: 'JP' })
  const phone = '+81 90 1111 2222'
  await report({ safe_phone: phone }, ana.as)
  await report({ safe_phone: phone, note: 'Second floor' }, ana.as)
  later(1)
  await report({ safe_phone: phone }, ben.as)
  expect((await cases()).map(({ user_id, entry_count }) => [user_id, entry_count])).toEqual([
    [ana.id, 1],
    [ben.id, 0],
  ])
  await reset()
  await report({ kind: 'call_back', safe_phone: '090-1111-2222', name: 'Mia' })
  await report({ safe_phone: '+819011112222' })
  later(1)
  await report({ safe_phone: phone, name: 'Noel' })
  expect((await cases()).map(({ name, kind, entry_count }) => [name, kind, entry_count])).toEqual([
    ['Mia', 'danger', 1],
    ['Noel', 'danger', 0],
  ])
  later(61)
  await report({ safe_phone: phone, name: 'Mia' })
  expect(await cases()).toHaveLength(3)
})

test('anonymous reports share a case by country and language; a new danger or a number opens a new case', async () => {
  await reset()
  await report({ note: 'one' })
  await report({ note: 'two' })
  later(1)
  await report({ note: 'saklolo', language: 'tl' })
  later(1)
  await report({ note: 'shots', dangers: ['violence'] })
  await report({ note: 'shots too', dangers: ['violence'] })
  later(1)
  await report({ note: 'call me', safe_phone: '+81 90 7777 0000' })
  await report({ country: 'PE' })
  expect(
    (await cases()).map(({ is_group, language, dangers, entry_count }) => [is_group, language, dangers, entry_count]),
  ).toEqual([
    [true, 'en', [], 2],
    [true, 'tl', [], 1],
    [true, 'en', ['violence'], 2],
    [false, 'en', [], 0],
  ])
})

test('concurrent reports open one case', async () => {
  await reset()
  await Promise.all(Array.from({ length: 8 }, () => report({ note: 'at once' })))
  expect((await cases()).map(({ entry_count }) => entry_count)).toEqual([8])
})

test('danger reports are never rate limited; one with a number is stored in a group and can be split off', async () => {
  await reset()
  const camp = '203.0.113.9'
  for (let at = 0; at < 25; at++) expect((await report({ note: 'spam' }, null, camp)).status).toBe(201)
  // Reports with a number are not queued behind those without one from the same address.
  const withNumber = await report({ note: 'The first with a number', safe_phone: '+81 90 2222 1111' }, null, camp)
  expect((await cases()).find(({ reference }) => reference === withNumber.body.reference)).toMatchObject({ rank: 2 })
  for (let at = 0; at < 20; at++)
    expect((await report({ safe_phone: `+81 90 2222 ${2000 + at}` }, null, camp)).status).toBe(201)
  const real = await report({ note: 'Room 12, please', safe_phone: '+81 90 3333 4444' }, null, camp)
  expect(real.status).toBe(201)
  const group = (await cases()).find(({ is_group }) => is_group)
  const scope = { 'x-scope': 'JP' }
  const { body } = await ask(inJapan.as, 'GET', `${CASES}/${group!.id}`, undefined, scope)
  expect(body).toMatchObject({ case: { is_group: true, entry_count: 27 }, stored_entries: 27 })
  // Actionable reports come first.
  expect(body.entries[0]).toMatchObject({
    reference: real.body.reference,
    safe_phone: '+81 90 3333 4444',
    words: '— Room 12, please',
  })
  const split = (as: string | null, headers = {}) =>
    ask(as, 'POST', `${CASES}/${group!.id}/entries/${body.entries[0].id}/split`, undefined, headers)
  expect((await split(null)).status).toBe(401)
  expect((await split((await createTestUser(database, 'traveler')).as)).status).toBe(403)
  expect((await split(inPeru.as, { 'x-scope': 'PE' })).status).toBe(404)
  const [first, second] = await Promise.all([split(inJapan.as, scope), split(alsoInJapan.as, scope)])
  expect([first.status, second.status].toSorted()).toEqual([201, 409])
  const made = [first, second].find(({ status }) => status === 201)!.body.case
  expect(made).toMatchObject({ is_group: false, safe_phone: '+81 90 3333 4444', status: 'open', country_code: 'JP' })
  expect((await ask(inPeru.as, 'GET', `${CASES}/${group!.id}`, undefined, { 'x-scope': 'PE' })).status).toBe(404)
})

test('each number of 200 people behind one address is listed with its own time and text', async () => {
  await reset()
  const hall = '203.0.113.20'
  const numberOf = (at: number) => `+81 90 4444 ${String(1_000 + at)}`
  const sent = new Map<string, { words: string; received_at: string }>()
  for (let at = 0; at < 200; at++) {
    clock = new Date(clock.valueOf() + 500)
    const answer = await report({ safe_phone: numberOf(at), note: `Row ${at}` }, null, hall)
    expect(answer.status).toBe(201)
    sent.set(numberOf(at), { words: `— Row ${at}`, received_at: clock.toISOString() })
  }
  const all = await cases()
  const group = all.find(({ is_group }) => is_group)!
  const scope = { 'x-scope': 'JP' }
  const listed = new Map(
    all.flatMap(({ safe_phone, original_text, created_at }) =>
      safe_phone ? [[safe_phone, { words: original_text, received_at: created_at.toISOString() }] as const] : [],
    ),
  )
  expect(listed.size).toBe(20)
  for (let page = 1; page <= 4; page++) {
    const { status, body } = await ask(inJapan.as, 'GET', `${CASES}/${group.id}?page=${page}`, undefined, scope)
    expect([status, body.stored_entries, body.numbers]).toEqual([200, 180, 180])
    for (const { safe_phone, words, received_at } of body.entries) listed.set(safe_phone, { words, received_at })
  }
  expect(listed).toEqual(sent)
  // A page past the end still returns the counts.
  const { body } = await ask(inJapan.as, 'GET', `${CASES}/${group.id}?page=5`, undefined, scope)
  expect([body.entries, body.stored_entries, body.numbers]).toEqual([[], 180, 180])
  expect((await ask(inPeru.as, 'GET', `${CASES}/${group.id}`, undefined, { 'x-scope': 'PE' })).status).toBe(404)
  expect((await ask((await createTestUser(database, 'traveler')).as, 'GET', `${CASES}/${group.id}`)).status).toBe(403)
  // A repeated report: two messages from one number.
  await report({ safe_phone: numberOf(199).replaceAll(' ', ''), note: 'Again' }, null, hall)
  const again = await ask(inJapan.as, 'GET', `${CASES}/${group.id}`, undefined, scope)
  expect([again.body.stored_entries, again.body.numbers]).toEqual([181, 180])
})

test('a number is listed however many messages came before it', async () => {
  await reset()
  const hall = '203.0.113.21'
  for (let at = 0; at < 21; at++) await report({ safe_phone: `+81 90 5555 ${1_000 + at}` }, null, hall)
  const [group] = (await cases()).filter(({ is_group }) => is_group)
  await inside((db) =>
    db.updateTable('assistant_cases').set({ entry_count: 90_000 }).where('id', '=', group!.id).execute(),
  )
  const note = 'We are in the hall. '.repeat(90)
  await report({ safe_phone: '+81 90 5555 9999', note }, null, hall)
  await report({ note: 'no number' }, null, hall)
  const { body } = await ask(inJapan.as, 'GET', `${CASES}/${group!.id}`, undefined, { 'x-scope': 'JP' })
  expect([body.case.entry_count, body.stored_entries, body.numbers]).toEqual([90_002, 2, 2])
  const entry = body.entries.find(({ safe_phone }: any) => safe_phone === '+81 90 5555 9999')
  expect(entry.words).toMatch(/We are in the hall\.$/)
  expect(entry.words.length).toBeLessThanOrEqual(200)
})

test('a burst that pauses and resumes raises one alarm, and zero disables burst alarms', async () => {
  await reset()
  const many = async () => {
    for (let at = 0; at < 35; at++) await report({}, null, `192.0.2.${100 + (at % 5)}`)
  }
  await many()
  later(20)
  await endBursts(database, clock)
  await many()
  expect((await alarmsOf(admin.id)).filter((key) => key === 'assistant-cases-burst')).toHaveLength(1)
  await reset()
  await inside((db) =>
    db.insertInto('settings').values({ key: 'cases.burst_count', value: '0', updated_by: null }).execute(),
  )
  await many()
  expect(await alarmsOf(admin.id)).toEqual([])
})
