import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { errorResponseOf } from '#server/http/failure.ts'
import { Router } from '#server/http/router.ts'
import { createLog } from '#server/log.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'
import type { Role } from '#shared/roles.ts'
import { registerImports } from './endpoints.ts'
import { bytes } from './files/testing.ts'
import { createThings, thingAdapter } from './testing.ts'

const database = await testDatabase()
await createThings(database)
const log = createLog('silent')
const router = new Router({ database, now: () => new Date(), log })
registerImports(router, thingAdapter, { log })
const routes = router.routes({
  sessionOf(request) {
    const [role, id] = (request.headers.get(AS) ?? '').split(' ')
    return { address: '', user: role && id ? { id, name: 'Test', role: role as Role } : null }
  },
  finish: () => Promise.reject(new Error('No import is cacheable.')),
})
routes.onError((error) => {
  const { status, body } = errorResponseOf(error, log)
  return Response.json(body, { status })
})

const ana = await createTestUser(database, 'mfa_coordinator')
const ben = await createTestUser(database, 'mfa_coordinator')
const admin = await createTestUser(database, 'admin')

beforeEach(() => sql`truncate imports, import_rows, things, audit_log`.execute(database.background.kysely))

async function call(who: TestUser, method: string, path: string, body?: object): Promise<any> {
  const isFile = body instanceof Uint8Array
  const response = await routes.request(path, {
    method,
    headers: { [AS]: who.as, ...(body && !isFile ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: isFile ? new Uint8Array(body) : JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { ...(text.startsWith('{') ? JSON.parse(text) : { text }), status: response.status }
}

/** Uploads and plans a list, with the mapping that was suggested. */
async function planned(who: TestUser, ...lines: string[]) {
  const { id } = (await call(who, 'POST', '/thing-imports?name=list.csv', bytes(`${lines.join('\n')}\n`))).import
  const { mapping } = await call(who, 'GET', `/thing-imports/${id}`)
  return (await call(who, 'POST', `/thing-imports/${id}/plan`, { mapping, unit: 'boxes' })).import
}
const commit = async (who: TestUser, of: { id: string; plan_version: number }) =>
  (await call(who, 'POST', `/thing-imports/${of.id}/commit`, { plan_version: of.plan_version })).import
const rowsOf = async (who: TestUser, id: string) => (await call(who, 'GET', `/thing-imports/${id}/rows`)).rows

async function makeThing(keeper: TestUser, values: { code?: string; title: string; amount?: number }) {
  const { rows } = await sql<{ id: string }>`
    insert into things (code, title, amount, keeper)
    values (${values.code ?? null}, ${values.title}, ${values.amount ?? null}, ${keeper.id})
    returning id`.execute(database.background.kysely)
  return rows[0]?.id
}
async function things() {
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(t)::text as row from things t order by code, title, id`.execute(database.background.kysely)
  return rows.map(({ row }) => JSON.parse(row))
}

const LIST = [
  'Number,Label,Count,Since',
  'a-1,Lamp,3,2026-01-02',
  'a-2,Chair,4,',
  'a-3,Table,,',
  'a-1,Lamp again,1,',
  'a-5,,1,',
  'a-6,Shelf,many,',
  ',Bench,2,2025-05-05',
  ',Bench,2,2025-05-05',
]

describe('a kind of record that the imports know nothing of', () => {
  test('is read by its headings, planned row by row, written as planned and undone exactly', async () => {
    await makeThing(ana, { code: 'a-2', title: 'Chair', amount: 1 })
    await makeThing(ana, { code: 'a-3', title: 'Table', amount: 9 })
    const before = await things()
    const plan = await planned(ana, ...LIST)
    expect(plan.counts).toEqual({
      ...{ create: 2, update: 1, unchanged: 1, skip: 1, error: 3, undecided: 0, warnings: 0 },
      pieces: 5,
    })
    const rows = await rowsOf(ana, plan.id)
    expect(rows.map(({ action, problems }: any) => [action, problems.map(({ code }: any) => code)])).toEqual([
      ['create', []],
      ['update', []],
      ['unchanged', []],
      ['error', ['id_twice']],
      ['error', ['no_title']],
      ['error', ['not_a_number']],
      ['create', []],
      ['skip', ['same_row']],
    ])
    expect(rows[1]).toMatchObject({ name: 'Chair', place: 'a-2', changes: [{ field: 'amount', old: '1', new: '4' }] })
    expect(await things()).toEqual(before)

    expect(await commit(ana, plan)).toMatchObject({ status: 'committed', refusal: null })
    expect(await things()).toMatchObject([
      { code: 'a-1', title: 'Lamp', amount: 3, unit: 'boxes', since: '2026-01-02', keeper: ana.id },
      { code: 'a-2', amount: 4, unit: null },
      { code: 'a-3', amount: 9 },
      { code: null, title: 'Bench', keeper: ana.id },
    ])
    const undone = (await call(ana, 'POST', `/thing-imports/${plan.id}/undo`)).import
    expect(undone).toMatchObject({ status: 'undone' })
    expect(await things()).toEqual(before)
    const { rows: entries } = await sql<{ action: string; subject_type: string; actor_id: string }>`
      select action, subject_type, actor_id from audit_log order by id`.execute(database.background.kysely)
    expect(entries).toEqual([
      { action: 'thing.import', subject_type: 'thing_import', actor_id: ana.id },
      { action: 'thing.import_undo', subject_type: 'thing_import', actor_id: ana.id },
    ])
  })

  test('a possible duplicate waits for a decision, under the names of the kind', async () => {
    const id = await makeThing(ana, { code: 'x', title: 'Lamp' })
    const plan = await planned(ana, 'code,title', ',Lamp', 'y,Desk')
    expect(plan.counts).toMatchObject({ create: 1, skip: 1, undecided: 1 })
    const [row] = await rowsOf(ana, plan.id)
    expect(row.duplicates).toEqual([{ thing_id: id, name: 'Lamp', place: 'x', why: 'same_title' }])
    const decide = (body: object) =>
      call(ana, 'POST', `/thing-imports/${plan.id}/rows/2/decision`, { plan_version: plan.plan_version, ...body })
    expect(await decide({ decision: 'update' })).toMatchObject({
      status: 422,
      fields: { thing_id: 'Choose one of the proposed records.' },
    })
    const decided = await decide({ decision: 'update', thing_id: id })
    expect(decided).toMatchObject({ status: 200 })
    expect(decided.row).toMatchObject({ action: 'unchanged', thing_id: id, decided_thing_id: id })
    expect(await commit(ana, decided.import)).toMatchObject({ status: 'committed' })
    expect(await things()).toHaveLength(2)
  })

  test('an outdated plan is refused, and so is an undo after an edit', async () => {
    const plan = await planned(ana, 'code,title', 'a,Lamp', 'b,Desk')
    await makeThing(ben, { code: 'b', title: 'Other' })
    expect((await commit(ana, plan)).refusal).toEqual({
      code: 'rows_changed',
      rows: [{ row_number: 3, name: 'Desk', code: 'made' }],
      total: 1,
    })
    await sql`delete from things`.execute(database.background.kysely)
    const done = await commit(ana, (await call(ana, 'GET', `/thing-imports/${plan.id}`)).import)
    expect(done).toMatchObject({ status: 'committed' })
    await sql`update things set amount = 7, updated_at = clock_timestamp() where code = 'a'`.execute(
      database.background.kysely,
    )
    const { refusal } = (await call(ana, 'POST', `/thing-imports/${plan.id}/undo`)).import
    expect(refusal).toMatchObject({ code: 'changed_since', rows: [{ row_number: 2, code: 'changed' }] })
    expect(await things()).toHaveLength(2)
  })

  test('the plan as a file names the record and describes its problems', async () => {
    const plan = await planned(ana, ...LIST)
    const { text } = await call(ana, 'GET', `/thing-imports/${plan.id}/rows?format=csv&action=error`)
    expect(text.split('\r\n')[0]).toContain('thing_id')
    expect(text).toContain('The title is missing.')
    expect(text).toContain('Same ID as row 2.')
  })
})

describe('each kind has its own access', () => {
  test('every endpoint shows a file only to users who may import its kind', async () => {
    const { id } = await planned(ana, 'code,title', 'a,Lamp')
    const addresses: [string, string, object?][] = [
      ['GET', `/thing-imports/${id}`],
      ['POST', `/thing-imports/${id}/plan`, { mapping: { title: 'title' } }],
      ['GET', `/thing-imports/${id}/rows`],
      ['GET', `/thing-imports/${id}/rows?format=csv`],
      ['GET', `/thing-imports/${id}/rows/2`],
      ['POST', `/thing-imports/${id}/rows/2/decision`, { decision: 'skip', plan_version: 1 }],
      ['POST', `/thing-imports/${id}/decisions`, { decision: 'skip', plan_version: 1 }],
      ['POST', `/thing-imports/${id}/commit`, { plan_version: 1 }],
      ['POST', `/thing-imports/${id}/undo`],
      ['DELETE', `/thing-imports/${id}`],
    ]
    for (const [method, address, body] of addresses)
      for (const who of [ben, admin])
        expect((await call(who, method, address, body)).status, `${method} ${address}`).toBe(404)
    expect((await call(ben, 'GET', '/thing-imports')).imports).toEqual([])
    expect((await call(ana, 'GET', '/thing-imports')).imports).toHaveLength(1)
    expect(await things()).toEqual([])
  })

  test('an import of another kind is not found, even by users who may see it', async () => {
    const app = await testApp(database)
    const file = new Uint8Array(bytes('name,country\nA,Fiji\n'))
    const options = { method: 'POST', headers: { [AS]: admin.as }, body: file }
    const response = await app.request('http://portal.test/api/locale-imports?name=a.csv', options)
    const { id } = ((await response.json()) as { import: { id: string } }).import
    expect((await call(admin, 'GET', '/thing-imports')).imports).toEqual([])
    for (const [method, address, body] of [
      ['GET', `/thing-imports/${id}`],
      ['POST', `/thing-imports/${id}/plan`, { mapping: { name: 'title' } }],
      ['GET', `/thing-imports/${id}/rows`],
      ['DELETE', `/thing-imports/${id}`],
    ] as const)
      expect((await call(admin, method, address, body)).status, `${method} ${address}`).toBe(404)
    const still = await app.request(`http://portal.test/api/locale-imports/${id}`, { headers: { [AS]: admin.as } })
    expect(((await still.json()) as { import: { status: string } }).import.status).toBe('uploaded')
  })

  test('a plan reveals no record that its uploader may not know of', async () => {
    await makeThing(ben, { code: 'a', title: 'Secret' })
    const plan = await planned(ana, 'title', 'Secret')
    expect(plan.counts).toMatchObject({ create: 1, undecided: 0 })
    expect((await rowsOf(ana, plan.id))[0].duplicates).toEqual([])
  })
})
