import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createAnswerLinks } from '#server/roll-calls/answer-link.ts'
import { asking, scene, scopedSession } from '#server/roll-calls/testing.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { CALL_KINDS, QUEUE_PER_PAGE, QUEUE_SHOWN, type QueueRow } from '#shared/overview/queue.ts'
import { ROLES } from '#shared/roles.ts'

const SECRET = 'a secret that only tests may know of'
const database = await testDatabase()
let clock = new Date('2026-11-22T08:00:00Z')
const app = await testApp(database, { readSession: scopedSession, secret: SECRET, now: () => clock })
const ask = asking(app)
const links = createAnswerLinks(SECRET)
const { leader, ana, ben, carl, as, work } = await scene(database)
const PATH = '/admin-operations/queue?show=all'
const QUEUE = '/admin-operations/queue'

beforeEach(async () => {
  clock = new Date('2026-11-22T08:00:00Z')
  await work(async (db) => {
    for (const table of ['roll_calls', 'assistant_cases'] as const) await db.deleteFrom(table).execute()
  })
})

const later = (minutes: number) => {
  clock = new Date(clock.valueOf() + minutes * 60_000)
}
async function start(by: string, countries: string[]): Promise<string> {
  const { people } = (await ask(by, 'POST', '/roll-calls/count', { countries })).body
  return (await ask(by, 'POST', '/roll-calls', { title: `Storm in ${countries}`, countries, people })).body.id
}
const answer = (call: string, user: string, body: object) =>
  ask(null, 'POST', `/roll-call-answers/${links.sign({ rollCall: call, user }, clock)}`, body)
let numbers = 1000
/** Each case has a different caller. */
const openCase = (more: object = {}, by: string | null = null) =>
  ask(by, 'POST', '/ai/cases', { kind: 'call_back', country: 'JP', safe_phone: `+81 90 1111 ${++numbers}`, ...more })
const read = async (by: string, query = '?show=all') => {
  const { status, body } = await ask(by, 'GET', `${QUEUE}${query}`)
  expect(status).toBe(200)
  return body as { rows: QueueRow[]; total: number; counts: { all: number; mine: number; unowned: number } } & {
    failed: string[]
    countries: { country_code: string | null; count: number; is_danger: boolean }[]
    page: number
  }
}
const isCall = ({ kind }: QueueRow) => CALL_KINDS.some((known) => known === kind)
/** The people who wait, without other work. */
const calls = async (by: string) => (await read(by)).rows.filter(isCall)
const shown = async (by: string) => (await calls(by)).map(({ kind, user_id }) => `${kind} ${user_id}`)

test('those waiting longest without a helper come first, from roll calls and cases alike; those with one come last', async () => {
  const call = await start(as.here, ['JP'])
  await answer(call, ana.id, { answer: 'need_help', note: 'On the roof' })
  later(1)
  await openCase()
  later(1)
  await answer(call, ben.id, { answer: 'need_help' })
  expect((await calls(as.here)).map(({ kind, user_id, owner_name }) => [kind, user_id, owner_name])).toEqual([
    ['help', ana.id, null],
    ['case', null, null],
    ['help', ben.id, null],
  ])
  const [first, second] = await calls(as.here)
  expect(first).toMatchObject({
    id: call,
    about: 'Storm in JP',
    country_code: 'JP',
    words: 'On the roof',
    since: '2026-11-22T08:00:00.000Z',
    requested_name: expect.stringMatching(/^Lea/),
  })
  expect(second!.about).toMatch(/^CASE-/)
  await ask(as.here, 'POST', `/roll-calls/${call}/people/${ana.id}/take`)
  await ask(as.here, 'PUT', `/admin/assistant/cases/${second!.id}`, { status: 'taken' })
  expect(
    (await calls(as.here)).map(({ kind, user_id, owner_name, is_mine }) => [
      kind,
      user_id,
      owner_name?.split(' ')[0],
      is_mine,
    ]),
  ).toEqual([
    ['help', ben.id, undefined, true],
    ['help', ana.id, 'Hana', true],
    ['case', null, 'Hana', true],
  ])
  // A request for help stays open until someone has helped, even after the roll call is closed.
  await ask(as.here, 'POST', `/roll-calls/${call}/close`)
  expect(await shown(as.here)).toContain(`help ${ana.id}`)
  for (const { id } of [ana, ben])
    await ask(as.here, 'POST', `/roll-calls/${call}/people/${id}/helped`, { note: 'At the shelter' })
  await ask(as.here, 'PUT', `/admin/assistant/cases/${second!.id}`, { status: 'closed', note: 'Spoke to her' })
  expect(await calls(as.here)).toEqual([])
})

test('an unclear text comes after the calls for help, and a conversation handed to a coordinator after both', async () => {
  const call = await start(as.here, ['JP'])
  await openCase({ kind: 'hand_over' })
  await work((db) =>
    db
      .updateTable('roll_call_recipients')
      .set({ unclear_at: clock })
      .where('roll_call_id', '=', call)
      .where('user_id', '=', ben.id)
      .execute(),
  )
  later(30)
  await answer(call, ana.id, { answer: 'need_help' })
  expect(await shown(as.here)).toEqual([`help ${ana.id}`, `unclear ${ben.id}`, 'hand_over null'])
})

test('each role sees its own scope: two countries, one, none, and without a role', async () => {
  const [japan, peru] = [await start(as.here, ['JP']), await start(as.there, ['PE'])]
  await answer(japan, ben.id, { answer: 'need_help' })
  await answer(peru, carl.id, { answer: 'need_help' })
  await openCase({ country: 'JP' })
  await openCase({ country: 'PE' })
  const idle = (await createTestUser(database, 'local_servant')).id
  const seen = async (by: string) =>
    (await calls(by)).map(({ kind, country_code }) => `${kind} ${country_code}`).toSorted()
  const both = ['case JP', 'case PE', 'help JP', 'help PE']
  expect(await seen(as.admin)).toEqual(both)
  expect(await seen(`mfa_coordinator ${idle} JP,PE -`)).toEqual(both)
  expect(await seen(`local_servant ${idle} JP,PE -`)).toEqual(both)
  // An MFA coordinator without a list of places covers all of them, a servant none.
  expect(await seen(`mfa_coordinator ${idle} - -`)).toEqual(both)
  expect(await seen(`local_servant ${idle} - -`)).toEqual([])
  expect(await seen(`mfa_coordinator ${idle} JP,KR -`)).toEqual(['case JP', 'help JP'])
  expect(await seen(`local_servant ${idle} PE -`)).toEqual(['case PE', 'help PE'])
  expect(await seen(`mfa_coordinator ${idle} FR,KR -`)).toEqual([])
  // A helper sees it wherever the role applies; the leader of another chapter does not.
  expect(await seen(`local_servant ${leader.id} XX -`)).toEqual([])
  for (const role of ROLES) {
    const { status } = await ask(`${role} ${idle} JP,PE -`, 'GET', PATH)
    expect([role, status]).toEqual([
      role,
      ['admin', 'mfa_coordinator', 'pdos_coordinator', 'local_servant'].includes(role) ? 200 : 403,
    ])
  }
  expect((await ask(null, 'GET', PATH)).status).toBe(401)
  // A PDOS coordinator handles no calls for help.
  expect(await seen(`pdos_coordinator ${idle} JP,PE -`)).toEqual([])
})

test('a text is shown with the call for help, a question from a conversation is not', async () => {
  await openCase({ messages: [{ sender: 'user', content: 'My employer keeps my passport' }] })
  await work((db) =>
    sql`update assistant_cases set channel = 'sms', original_text = '— help, room 12', created_at = created_at - interval '1 hour'
      where id in (select id from assistant_cases limit 1)`.execute(db),
  )
  await openCase({ messages: [{ sender: 'user', content: 'My employer keeps my passport' }] })
  expect((await calls(as.here)).map(({ words }) => words)).toEqual(['help, room 12', null])
})

test('the first rows are shown, all by page, and every row once', async () => {
  for (let at = 0; at < QUEUE_PER_PAGE; at++)
    await openCase({ country: 'JP' }, (await createTestUser(database, 'traveler')).as)
  const call = await start(as.here, ['JP'])
  await answer(call, ana.id, { answer: 'need_help' })
  const first = await read(as.here, '')
  expect(first.rows).toHaveLength(QUEUE_SHOWN)
  const pages = [await read(as.here), await read(as.here, '?show=all&page=2')]
  const keys = pages.flatMap(({ rows }) => rows.map(({ kind, id, user_id }) => `${kind} ${id} ${user_id}`))
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toHaveLength(first.total)
  expect(keys.slice(0, QUEUE_SHOWN)).toEqual(first.rows.map(({ kind, id, user_id }) => `${kind} ${id} ${user_id}`))
  expect((await read(as.here, '?show=all&page=9')).rows).toEqual([])
  expect(first.counts).toMatchObject({ all: first.total })
})

test('filters and countries count what they list', async () => {
  const call = await start(as.here, ['JP'])
  await answer(call, ana.id, { answer: 'need_help' })
  await openCase({ country: 'JP' })
  await openCase({ country: 'PE', kind: 'danger' })
  const [taken] = (await calls(as.here)).filter(({ kind }) => kind === 'case')
  await ask(as.here, 'PUT', `/admin/assistant/cases/${taken!.id}`, { status: 'taken' })
  for (const by of [as.admin, as.here, as.there, as.leader])
    for (const [query, key] of [
      ['', 'all'],
      ['&owner=mine', 'mine'],
      ['&owner=none', 'unowned'],
    ] as const) {
      const { rows, total, counts } = await read(by, `?show=all${query}`)
      expect([by, key, rows.length]).toEqual([by, key, total])
      expect([by, key, counts[key]]).toEqual([by, key, total])
    }
  const { countries } = await read(as.admin)
  expect(countries).toEqual([
    { country_code: 'JP', count: 2, is_danger: true },
    { country_code: 'PE', count: 1, is_danger: true },
  ])
  for (const { country_code, count } of countries)
    expect((await read(as.admin, `?show=all&country=${country_code}`)).rows).toHaveLength(count)
  expect((await read(as.here)).countries.map(({ country_code }) => country_code)).toEqual(['JP'])
  expect((await read(as.here, '?country=PE')).rows).toEqual([])
  expect((await ask(as.here, 'GET', `${QUEUE}?country=Peru`)).status).toBe(422)
  expect((await ask(as.here, 'GET', `${QUEUE}?owner=ana`)).status).toBe(422)
})

test('a call is late when it has waited longer than it may, and no longer once someone handles it', async () => {
  const call = await start(as.here, ['JP'])
  await answer(call, ana.id, { answer: 'need_help' })
  const first = async () => (await calls(as.here))[0]!
  later(14)
  expect(await first()).toMatchObject({ is_late: false, is_danger: true, may_take: true, time_zone: 'Asia/Tokyo' })
  later(1)
  expect(await first()).toMatchObject({ is_late: true })
  await ask(as.here, 'POST', `/roll-calls/${call}/people/${ana.id}/take`)
  expect(await first()).toMatchObject({ is_late: false, may_take: false, is_mine: true })
})

test('nobody can take their own call', async () => {
  await openCase({ country: 'JP' }, as.here)
  const [own] = await calls(as.here)
  expect(own).toMatchObject({ kind: 'case', may_take: false })
  expect((await calls(as.admin))[0]).toMatchObject({ kind: 'case', may_take: true })
})

test('a roll call waits for those who have not answered, under the name of its starter', async () => {
  const call = await start(as.here, ['JP'])
  const row = async (by: string) => (await read(by)).rows.find(({ kind }) => kind === 'roll_call')
  expect(await row(as.here)).toMatchObject({
    ...{ id: call, name: 'Storm in JP', figures: { asked: 2, silent: 2 }, is_mine: true, country_code: 'JP' },
    owner_name: expect.stringMatching(/^Hana/),
  })
  expect(await row(as.admin)).toMatchObject({ is_mine: false })
  expect(await row(as.there)).toBeUndefined()
  await answer(call, ben.id, { answer: 'safe' })
  expect(await row(as.here)).toMatchObject({ figures: { asked: 2, silent: 1 } })
  await answer(call, ana.id, { answer: 'not_there' })
  expect(await row(as.here)).toBeUndefined()
})

test('a scope that changes applies to the next reading', async () => {
  await openCase({ country: 'JP' })
  await openCase({ country: 'PE' })
  const { id } = await createTestUser(database, 'mfa_coordinator')
  const places = async (countries: string) =>
    (await calls(`mfa_coordinator ${id} ${countries} -`)).map(({ country_code }) => country_code)
  expect(await places('JP')).toEqual(['JP'])
  expect(await places('PE')).toEqual(['PE'])
  expect(await places('XX')).toEqual([])
})

test('an account that was deleted waits no more, and the name of who took a case stays readable', async () => {
  const call = await start(as.here, ['JP'])
  const gone = await createTestUser(database, 'mfa_coordinator', { first_name: 'مريم' })
  await openCase({ country: 'JP' })
  const [found] = await calls(as.here)
  await ask(`mfa_coordinator ${gone.id} - -`, 'PUT', `/admin/assistant/cases/${found!.id}`, { status: 'taken' })
  expect((await calls(as.here))[0]).toMatchObject({ owner_name: expect.stringMatching(/^مريم/) })
  await work((db) => db.deleteFrom('user_profiles').where('id', '=', gone.id).execute())
  expect((await calls(as.here))[0]).toMatchObject({ owner_name: '', is_mine: false })
  const lost = await createTestUser(database, 'traveler', { country_code: 'JP' })
  const next = await start(as.here, ['JP'])
  await answer(next, lost.id, { answer: 'need_help' })
  expect(await shown(as.here)).toContain(`help ${lost.id}`)
  await work((db) => db.deleteFrom('user_profiles').where('id', '=', lost.id).execute())
  expect(await shown(as.here)).not.toContain(`help ${lost.id}`)
  expect(call).not.toBe(next)
})

test('of two who take a case at once one has it, and the other sees who', async () => {
  await openCase({ country: 'JP' })
  const { id } = (await calls(as.here))[0]!
  const take = (by: string) => ask(by, 'PUT', `/admin/assistant/cases/${id}`, { status: 'taken' })
  const both = [as.here, as.admin]
  const answers = await Promise.all(both.map(take))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [winner, loser] = answers[0]!.status === 200 ? both : both.toReversed()
  expect((await calls(winner!))[0]).toMatchObject({ is_mine: true })
  expect((await calls(loser!))[0]).toMatchObject({
    is_mine: false,
    may_take: false,
    owner_name: expect.stringMatching(winner === as.here ? /^Hana/ : /^Adam/),
  })
})
