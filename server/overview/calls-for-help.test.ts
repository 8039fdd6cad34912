import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createAnswerLinks } from '#server/roll-calls/answer-link.ts'
import { asking, scene, scopedSession } from '#server/roll-calls/testing.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { type CallForHelp, MAX_CALLS_SHOWN } from '#shared/overview/endpoints.ts'
import { ROLES } from '#shared/roles.ts'

const SECRET = 'a secret that only tests may know of'
const database = await testDatabase()
let clock = new Date('2026-11-22T08:00:00Z')
const app = await testApp(database, { readSession: scopedSession, secret: SECRET, now: () => clock })
const ask = asking(app)
const links = createAnswerLinks(SECRET)
const { leader, ana, ben, carl, as, work } = await scene(database)
const PATH = '/admin-operations/calls-for-help'

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
const calls = async (by: string): Promise<CallForHelp[]> => {
  const { status, body } = await ask(by, 'GET', PATH)
  expect(status).toBe(200)
  return body.calls
}
const shown = async (by: string) => (await calls(by)).map(({ kind, user_id }) => `${kind} ${user_id}`)

test('those waiting longest without a helper come first, from roll calls and cases alike; those with one come last', async () => {
  const call = await start(as.here, ['JP'])
  await answer(call, ana.id, { answer: 'need_help', note: 'On the roof' })
  later(1)
  await openCase()
  later(1)
  await answer(call, ben.id, { answer: 'need_help' })
  expect((await calls(as.here)).map(({ kind, user_id, owner_name }) => [kind, user_id, owner_name])).toEqual([
    ['roll_call', ana.id, null],
    ['case', null, null],
    ['roll_call', ben.id, null],
  ])
  const [first, second] = await calls(as.here)
  expect(first).toMatchObject({
    id: call,
    about: 'Storm in JP',
    country_code: 'JP',
    words: 'On the roof',
    since: '2026-11-22T08:00:00.000Z',
    asked_name: expect.stringMatching(/^Lea/),
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
    ['roll_call', ben.id, undefined, true],
    ['roll_call', ana.id, 'Hana', true],
    ['case', null, 'Hana', true],
  ])
  expect((await ask(as.here, 'GET', PATH)).body).toMatchObject({ total: 3, unowned: 1 })
  // A request for help stays open until someone has helped, even after the roll call is closed.
  await ask(as.here, 'POST', `/roll-calls/${call}/close`)
  expect(await shown(as.here)).toContain(`roll_call ${ana.id}`)
  for (const { id } of [ana, ben])
    await ask(as.here, 'POST', `/roll-calls/${call}/people/${id}/helped`, { note: 'At the shelter' })
  await ask(as.here, 'PUT', `/admin/assistant/cases/${second!.id}`, { status: 'closed', note: 'Spoke to her' })
  expect(await calls(as.here)).toEqual([])
})

test('a conversation handed to a coordinator is not listed, and an unclear text comes after the calls for help', async () => {
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
  expect(await shown(as.here)).toEqual([`roll_call ${ana.id}`, `unclear ${ben.id}`])
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
  const both = ['case JP', 'case PE', 'roll_call JP', 'roll_call PE']
  expect(await seen(as.admin)).toEqual(both)
  expect(await seen(`mfa_coordinator ${idle} JP,PE -`)).toEqual(both)
  expect(await seen(`local_servant ${idle} JP,PE -`)).toEqual(both)
  // An MFA coordinator without a list of places covers all of them, a servant none.
  expect(await seen(`mfa_coordinator ${idle} - -`)).toEqual(both)
  expect(await seen(`local_servant ${idle} - -`)).toEqual([])
  expect(await seen(`mfa_coordinator ${idle} JP,KR -`)).toEqual(['case JP', 'roll_call JP'])
  expect(await seen(`local_servant ${idle} PE -`)).toEqual(['case PE', 'roll_call PE'])
  expect(await seen(`mfa_coordinator ${idle} FR,KR -`)).toEqual([])
  // A helper sees it wherever the role applies; the leader of another chapter does not.
  expect(await seen(`local_servant ${leader.id} XX -`)).toEqual([])
  for (const role of ROLES) {
    const { status } = await ask(`${role} ${idle} JP,PE -`, 'GET', PATH)
    expect([role, status]).toEqual([role, ['admin', 'mfa_coordinator', 'local_servant'].includes(role) ? 200 : 403])
  }
  expect((await ask(null, 'GET', PATH)).status).toBe(401)
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

test('a long list is truncated, but everything is counted', async () => {
  for (let at = 0; at < 20; at++) await openCase({ country: 'JP' }, (await createTestUser(database, 'traveler')).as)
  const call = await start(as.here, ['JP'])
  await answer(call, ana.id, { answer: 'need_help' })
  const { body } = await ask(as.here, 'GET', PATH)
  expect(body).toMatchObject({ total: 21, unowned: 21 })
  expect(body.calls).toHaveLength(MAX_CALLS_SHOWN)
})
