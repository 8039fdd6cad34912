import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { bytes } from '#server/imports/files/testing.ts'
import { startImports } from '#server/imports/job.ts'
import { runStep } from '#server/imports/steps.ts'
import { Queue } from '#server/jobs/queue.ts'
import { createLog } from '#server/log.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { served } from '#server/testing/http-server.ts'
import { createTestUser, type TestUser } from '#server/testing/users.ts'
import type { LocaleList } from '#shared/churches/endpoints.ts'
import type {
  LocaleImportDetail as ImportDetail,
  LocaleImport,
  LocaleImportRow as PlannedRow,
} from '#shared/churches/imports.ts'
import { ROLES } from '#shared/roles.ts'
import { projectLocales } from '../projection.ts'
import { localeImportAdapter } from './adapter.ts'
import { fixture, hasSharedPlaces, sharedPlaces } from './testing.ts'

const database = await testDatabase()
const app = await testApp(database)
const admin = await createTestUser(database, 'admin')
const { countries } = app.models.countries

beforeEach(() =>
  sql`truncate imports, import_rows, locales, locale_servants, locale_schedules, locale_photos,
    locale_corrections, locale_messages, public_locales, audit_log`.execute(database.background.kysely),
)

const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'test', run)

async function ask(who: TestUser | null, method: string, address: string, body?: unknown) {
  const isFile = body instanceof Uint8Array
  const response = await app.request(`http://portal.test/api${address}`, {
    method,
    headers: { ...(who ? { [AS]: who.as } : {}), ...(body && !isFile ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: isFile ? new Uint8Array(body) : JSON.stringify(body) } : {}),
  })
  return response
}
async function call<T>(
  method: string,
  address: string,
  body?: unknown,
): Promise<T & { status: number; code?: string }> {
  const response = await ask(admin, method, address, body)
  return { ...((await response.json()) as T), status: response.status } as never
}

type ImportResponse = { import: LocaleImport }
const upload = async (file: Uint8Array, name = 'lds.csv') =>
  (await call<ImportResponse>('POST', `/locale-imports?name=${encodeURIComponent(name)}`, file)).import
async function plan(id: string, change: object = {}) {
  const { mapping, id_prefix, options } = await call<ImportDetail>('GET', `/locale-imports/${id}`)
  const how = { mapping, id_prefix, options: { ...options, new_locales: 'to_be_confirmed' }, ...change }
  return (await call<ImportResponse>('POST', `/locale-imports/${id}/plan`, how)).import
}
const commit = (of: LocaleImport) =>
  call<ImportResponse>('POST', `/locale-imports/${of.id}/commit`, { plan_version: of.plan_version })
const undo = (id: string) => call<ImportResponse>('POST', `/locale-imports/${id}/undo`)
const rowsOf = async (id: string, query = '') =>
  (await call<{ rows: PlannedRow[]; total: number }>('GET', `/locale-imports/${id}/rows?per_page=200${query}`)).rows

/** Uploads, plans and commits a file, and expects success. */
async function imported(file: Uint8Array, change: object = {}) {
  const done = await commit(await plan((await upload(file)).id, change))
  expect(done.import).toMatchObject({ status: 'committed', refusal: null })
  return done.import
}

const TABLES = [
  'locales',
  'public_locales',
  'locale_servants',
  'locale_schedules',
  'locale_photos',
  'mfa_local_chapters',
]
/** Every row of every table that an import could change, in full precision. */
async function dump() {
  const all: Record<string, unknown> = {}
  for (const name of TABLES) {
    const { rows } = await sql`select to_jsonb(t)::text as row from ${sql.table(name)} t order by 1`.execute(
      database.background.kysely,
    )
    all[name] = rows
  }
  return all
}
const count = async (table: 'locales' | 'public_locales' | 'imports' | 'import_rows') =>
  Number(
    (
      await database.background.kysely
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

async function makeLocale(values: object = {}) {
  return work(async (db) => {
    const row = await db
      .insertInto('locales')
      .values({
        name: 'Locale of Lipa',
        city: 'Lipa',
        country_code: 'PH',
        address_line1: 'Rizal St. 1',
        latitude: 13.94,
        longitude: 121.16,
        ...values,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await projectLocales(db, [row.id], (code) => countries().find(code)?.name ?? null)
    return row.id
  })
}
const localeOf = (id: string) =>
  work((db) => db.selectFrom('locales').selectAll().where('id', '=', id).executeTakeFirst())
const csv = (...lines: string[]) => bytes(`${lines.join('\n')}\n`)

test('every row of a file is accounted for, and importing it again changes nothing', async () => {
  const file = fixture('lds-meetinghouses-extract.csv')
  const planned = await plan((await upload(file)).id)
  expect(planned).toMatchObject({ status: 'planned', row_count: 56 })
  const { create, update, unchanged, skip, error } = planned.counts!
  expect([create, update, unchanged, skip, error]).toEqual([54, 0, 0, 0, 2])
  const rows = await rowsOf(planned.id)
  expect(rows).toHaveLength(56)
  expect(rows.filter(({ action }) => action === 'error').map(({ problems }) => problems)).toEqual([
    [{ code: 'country_unknown', value: 'BRITISH VIRGIN ISL' }],
    [{ code: 'lost_letter', field: 'name', value: 'Elias Pi\uFFFDa - Rental' }],
  ])
  expect(await count('locales')).toBe(0)

  expect((await commit(planned)).import.status).toBe('committed')
  expect(await count('locales')).toBe(54)
  expect(await count('public_locales')).toBe(54)
  const before = await dump()

  const again = await upload(file)
  expect((await call<ImportDetail>('GET', `/locale-imports/${again.id}`)).same_file).toMatchObject({ id: planned.id })
  const second = await plan(again.id)
  expect(second.counts).toMatchObject({ create: 0, update: 0, unchanged: 54, skip: 0, error: 2 })
  expect((await commit(second)).import.status).toBe('committed')
  expect(await dump()).toEqual(before)
})

test('an undo restores every table exactly', async () => {
  const otherId = await makeLocale({ name: 'Kept' })
  const touched = await makeLocale({
    external_id: 'lds:5004685-01-01',
    phone: 'old',
    latitude: 0.1 + 0.2,
    languages: ['fr'],
  })
  await work(async (db) => {
    await db
      .insertInto('locale_servants')
      .values({ locale_id: touched, name: 'Ana', is_name_public: true, agreed_at: new Date() })
      .execute()
    await projectLocales(db, [touched, otherId], (code) => countries().find(code)?.name ?? null)
  })
  const before = await dump()
  const done = await imported(
    csv('id,name,phone,country', '5004685-01-01,Prairie Grove,1 785-272-6939,United States', 'x1,New One,,Fiji'),
  )
  expect(await localeOf(touched)).toMatchObject({ name: 'Prairie Grove', phone: '+1 785 272 6939', languages: ['fr'] })
  expect(await dump()).not.toEqual(before)
  expect((await undo(done.id)).import).toMatchObject({ status: 'undone', refusal: null })
  expect(await dump()).toEqual(before)
  const auditEntries = await work((db) =>
    db.selectFrom('audit_log').select(['action', 'actor_id', 'after']).orderBy('id').execute(),
  )
  expect(auditEntries.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['locale.import', admin.id],
    ['locale.import_undo', admin.id],
  ])
  expect(auditEntries[0]!.after).toMatchObject({ created: 1, updated: 1, rows: 2 })
})

test('an update shows old and new values, and leaves fields missing in the file alone', async () => {
  const id = await makeLocale({ external_id: 'lds:1', phone: '+63 917 123 4567', postal_code: '4217' })
  const file = csv('id,name,phone,zipcode,city,country', '1,Locale of Lipa,0917 123 4567,NA,Lipa City,Philippines')
  const first = await plan((await upload(file)).id)
  expect((await rowsOf(first.id))[0]).toMatchObject({
    action: 'update',
    locale_id: id,
    changes: [{ field: 'city', old: 'Lipa', new: 'Lipa City' }],
  })
  await commit(first)
  expect(await localeOf(id)).toMatchObject({
    city: 'Lipa City',
    postal_code: '4217',
    phone: '+63 917 123 4567',
    latitude: 13.94,
  })

  const { options } = await call<ImportDetail>('GET', `/locale-imports/${first.id}`)
  const emptied = await plan((await upload(file)).id, { options: { ...options, clears_empty: true } })
  expect((await rowsOf(emptied.id))[0]!.changes).toEqual([{ field: 'postal_code', old: '4217', new: '' }])
})

describe('an outdated plan is refused as a whole, with the rows', () => {
  const file = csv('id,name,country', '1,First Renamed,Fiji', '2,Second,Fiji', '3,Third,Fiji')

  test.each<[string, string, (id: string) => Promise<unknown>]>([
    [
      'a locale was changed',
      'changed',
      (id) =>
        work((db) =>
          db
            .updateTable('locales')
            .set({ phone: '1', updated_at: sql<Date>`clock_timestamp()` })
            .where('id', '=', id)
            .execute(),
        ),
    ],
    ['a locale was removed', 'removed', (id) => work((db) => db.deleteFrom('locales').where('id', '=', id).execute())],
    ['one of the same id was made', 'made', () => makeLocale({ external_id: 'lds:2', name: 'Other' })],
  ])('%s', async (_, code, change) => {
    const id = await makeLocale({ external_id: 'lds:1', name: 'First', country_code: 'FJ' })
    const planned = await plan((await upload(file)).id)
    await change(id)
    const before = await dump()
    const { refusal, status } = (await commit(planned)).import
    expect(status).toBe('planned')
    expect(refusal).toEqual({
      code: 'rows_changed',
      rows: [{ row_number: code === 'made' ? 3 : 2, name: code === 'made' ? 'Second' : 'First Renamed', code }],
      total: 1,
    })
    expect(await dump()).toEqual(before)
    expect((await commit(await plan(planned.id))).import.status).toBe('committed')
  })

  test('so is an undo after someone has edited an imported locale', async () => {
    await makeLocale({ external_id: 'lds:1', name: 'First', country_code: 'FJ' })
    const done = await imported(file)
    const third = await work((db) =>
      db.selectFrom('locales').select('id').where('external_id', '=', 'lds:3').executeTakeFirstOrThrow(),
    )
    await work((db) => db.insertInto('locale_servants').values({ locale_id: third.id, name: 'Ben' }).execute())
    await work((db) =>
      db
        .updateTable('locales')
        .set({ phone: '2', updated_at: sql<Date>`clock_timestamp()` })
        .where('external_id', '=', 'lds:1')
        .execute(),
    )
    const before = await dump()
    const { import: refused } = await undo(done.id)
    expect(refused.status).toBe('committed')
    expect(refused.refusal!.rows.map(({ row_number, code }) => [row_number, code])).toEqual([
      [2, 'changed'],
      [4, 'has_more'],
    ])
    expect(await dump()).toEqual(before)
  })

  test('a plan that was recreated in the meantime', async () => {
    const planned = await plan((await upload(file)).id)
    await plan(planned.id)
    expect(await commit(planned)).toMatchObject({ status: 409, code: 'plan_changed' })
    expect(await count('locales')).toBe(0)
  })
})

test('a file makes less of a church public and never more, nor does its undo', async () => {
  const text = (name: string, mode: string) => bytes(`external_id,name,country,discreet_mode\nx-1,${name},TO,${mode}\n`)
  const step = async (name: string, mode: string) => commit(await plan((await upload(text(name, mode))).id))
  expect((await step('Nuku', 'approximate')).import.status).toBe('committed')
  const stricter = await step('Nuku', 'hidden')
  expect(stricter.import.status).toBe('committed')
  const { status, refusal } = (await step('Nuku', 'exact')).import
  expect(status).toBe('planned')
  expect(refusal).toMatchObject({ code: 'would_loosen', total: 1, rows: [{ row_number: 2, code: 'loosens' }] })
  expect((await undo(stricter.import.id)).import).toMatchObject({
    status: 'committed',
    refusal: { code: 'would_loosen' },
  })
  expect(await work((db) => db.selectFrom('locales').select(['discreet_mode']).execute())).toEqual([
    { discreet_mode: 'hidden' },
  ])
})

test('of concurrent commits of one plan exactly one succeeds', async () => {
  const planned = await plan((await upload(fixture('lds-meetinghouses-extract.csv'))).id)
  const answers = await Promise.all([1, 2, 3, 4].map(() => commit(planned)))
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
  expect(await count('locales')).toBe(54)
})

test('a step requested too late does nothing', async () => {
  const done = await imported(fixture('lds-meetinghouses-extract.csv'))
  const before = [await dump(), await rowsOf(done.id)]
  for (const step of ['plan', 'commit'] as const)
    await runStep({ database, log: createLog('silent') }, localeImportAdapter({ countries }), {
      id: done.id,
      step,
      by: null,
    })
  expect([await dump(), await rowsOf(done.id)]).toEqual(before)
  expect((await call<ImportDetail>('GET', `/locale-imports/${done.id}`)).import.status).toBe('committed')
})

test('a long step continues in the queue after the response', { timeout: 60_000 }, async () => {
  const queue = new Queue(database, createLog('silent'))
  await queue.start()
  await startImports(queue, { database, log: createLog('silent') }, [localeImportAdapter({ countries })], true)
  const other = await testApp(database, { queue })
  const ask = async (method: string, address: string, body?: object) => {
    const headers = { [AS]: admin.as, 'content-type': 'application/json' }
    const response = await other.request(`/api${address}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return ((await response.json()) as ImportResponse).import
  }
  const until = async (id: string, status: string) => {
    for (;;) {
      const now = await ask('GET', `/locale-imports/${id}`)
      if (now.status === status) return now
      await new Promise((wait) => setTimeout(wait, 200))
    }
  }
  const { id } = await upload(csv('name,country', ...Array.from({ length: 2_001 }, (_, i) => `Church ${i},Fiji`)))
  const mapping = { mapping: { name: 'name', country: 'country' } }
  expect((await ask('POST', `/locale-imports/${id}/plan`, mapping)).status).toBe('planning')
  const { counts, plan_version } = await until(id, 'planned')
  expect(counts).toMatchObject({ create: 2_001 })
  expect((await ask('POST', `/locale-imports/${id}/commit`, { plan_version })).status).toBe('committing')
  await until(id, 'committed')
  expect(await count('locales')).toBe(2_001)
  await queue.stop()
})

test('two plans of the same file: the second is refused once the first is in force', async () => {
  const file = fixture('lds-meetinghouses-extract.csv')
  const plans = [await plan((await upload(file)).id), await plan((await upload(file)).id)]
  const answers = await Promise.all(plans.map(commit))
  expect(answers.map(({ import: { status } }) => status).sort()).toEqual(['committed', 'planned'])
  expect(answers.find(({ import: { refusal } }) => refusal)!.import.refusal).toMatchObject({
    code: 'rows_changed',
    total: 54,
  })
  expect(await count('locales')).toBe(54)
})

test('an invalid plan version is rejected with an error', async () => {
  const { id, plan_version } = await plan((await upload(csv('name,country', 'A,Fiji'))).id)
  for (const wrong of [2 ** 31, -1e15, plan_version + 1])
    expect((await call('POST', `/locale-imports/${id}/commit`, { plan_version: wrong })).status).toBeOneOf([409, 422])
})

describe('possible duplicates are left to the user', () => {
  const file = csv(
    'id,name,city,country,latitude,longitude',
    '7,Lókale of LIPA,lipa,Philippines,,',
    '8,Lipa Locale,Elsewhere,Philippines,13.9401,121.1601',
    '9,Locale of Lipaa,,Philippines,13.9405,121.1601',
    '10,Locale of Lipa,Far Away,Philippines,15,121',
  )

  test('proposed by name and place and by distance, never merged automatically', async () => {
    const id = await makeLocale({ name: 'Lokale of Lipa' })
    const planned = await plan((await upload(file)).id)
    expect(planned.counts).toMatchObject({ create: 2, skip: 2, undecided: 2 })
    const rows = await rowsOf(planned.id, '&action=undecided')
    expect(rows.map((row) => [row.row_number, row.duplicates[0]!.why, row.duplicates[0]!.locale_id])).toEqual([
      [2, 'name_and_place', id],
      [4, 'near', id],
    ])
    expect(rows[1]!.duplicates[0]!.distance_km).toBeGreaterThan(0.01)
    await commit(planned)
    expect(await count('locales')).toBe(3)
  })

  test('decided row by row, and the rest all at once; the plan counts them', async () => {
    const id = await makeLocale({ name: 'Lokale of Lipa' })
    const planned = await plan((await upload(file)).id)
    const decide = (row: number, body: object) =>
      call<ImportResponse & { row: PlannedRow }>('POST', `/locale-imports/${planned.id}/rows/${row}/decision`, body)
    const { plan_version } = planned
    expect(await decide(2, { decision: 'update', locale_id: randomUUID(), plan_version })).toMatchObject({
      status: 422,
    })
    expect(await decide(3, { decision: 'skip', plan_version })).toMatchObject({
      status: 409,
      code: 'nothing_to_decide',
    })
    const decision = await decide(4, { decision: 'update', locale_id: id, plan_version })
    expect(decision.row).toMatchObject({ action: 'update', locale_id: id, is_undecided: false })
    expect(await decide(2, { decision: 'skip', plan_version })).toMatchObject({ status: 409, code: 'plan_changed' })
    const version = decision.import.plan_version
    expect(await decide(2, { decision: 'update', locale_id: id, plan_version: version })).toMatchObject({
      status: 409,
      code: 'locale_twice',
    })
    const rest = await call<ImportResponse & { decided: number }>('POST', `/locale-imports/${planned.id}/decisions`, {
      decision: 'create',
      plan_version: version,
    })
    expect(rest).toMatchObject({ decided: 1, import: { counts: { create: 3, update: 1, skip: 0, undecided: 0 } } })

    // Planning again preserves the decisions.
    const again = await plan(planned.id)
    expect(again.counts).toMatchObject({ create: 3, update: 1, skip: 0 })
    expect((await commit(again)).import.status).toBe('committed')
    expect(await count('locales')).toBe(4)
    expect(await localeOf(id)).toMatchObject({ name: 'Locale of Lipaa', external_id: 'lds:9' })
  })

  test('the same across the 180th meridian, and at a pole', async () => {
    await makeLocale({ name: 'Taveuni', latitude: -16.8, longitude: 179.9999, city: null, country_code: 'FJ' })
    await makeLocale({ name: 'South Pole', latitude: -89.9999, longitude: 0, city: null, country_code: 'AQ' })
    const planned = await plan(
      (
        await upload(
          csv('name,country,lat,lng', 'Taveuni Church,Fiji,-16.8,-179.9995', 'South Pole,Antarctica,-89.9999,180'),
        )
      ).id,
    )
    expect(planned.counts).toMatchObject({ undecided: 2 })
  })
})

describe('rows of one file that refer to the same locale', () => {
  test('a duplicate id, and a duplicate description', async () => {
    const planned = await plan(
      (
        await upload(
          csv(
            'id,name,city,country',
            '1,A,Suva,Fiji',
            '1,B,Suva,Fiji',
            '2,A,Suva,Fiji',
            ',A,Suva,Fiji',
            ',A,Suva,Fiji',
            ',A,,Fiji',
            ',A,,Fiji',
          ),
        )
      ).id,
    )
    expect((await rowsOf(planned.id)).map(({ action, problems }) => [action, problems[0]])).toEqual([
      ['create', undefined],
      ['error', { code: 'id_twice', value: '2' }],
      ['create', undefined],
      ['skip', { code: 'same_row', value: '2' }],
      ['skip', { code: 'same_row', value: '2' }],
      ['create', undefined],
      ['create', undefined],
    ])
    expect((await commit(planned)).import.status).toBe('committed')
  })

  test('two rows that refer to one locale', async () => {
    await makeLocale({ external_id: 'lds:1' })
    const planned = await plan(
      (
        await upload(
          csv(
            'id,name,city,address,country',
            '1,New name,Lipa,Rizal St. 1,Philippines',
            ',Locale of Lipa,Lipa,Rizal St. 1,Philippines',
          ),
        )
      ).id,
    )
    expect((await rowsOf(planned.id)).map(({ action, problems }) => [action, problems[0]?.code])).toEqual([
      ['update', undefined],
      ['error', 'locale_twice'],
    ])
  })
})

test('an export imports without a change, as CSV and as a workbook', async () => {
  await imported(fixture('lds-meetinghouses-extract.csv'))
  await makeLocale({
    name: '=1+1',
    common_name: '+63',
    phone: '02 123',
    languages: ['tl', 'en'],
    discreet_mode: 'hidden',
    is_public: false,
    country_code: 'NA',
  })
  await makeLocale({
    name: 'No country',
    country_code: null,
    latitude: null,
    longitude: null,
    closed_since: '2026-01-01',
    closed_until: '2026-02-01',
    city: 'TWO  SPACES',
    website: 'https://x.example/é',
  })
  for (const format of ['csv', 'xlsx']) {
    const response = await ask(admin, 'GET', `/locales/export?format=${format}`)
    expect(response.headers.get('content-disposition')).toContain(`.${format}`)
    const file = new Uint8Array(await response.arrayBuffer())
    if (format === 'csv') expect(new TextDecoder().decode(file)).toContain("'=1+1")
    const planned = await plan((await upload(file, `locales.${format}`)).id)
    expect(planned.counts, format).toMatchObject({ create: 0, update: 0, unchanged: 56, skip: 0, error: 0 })
  }
  const auditEntries = await work((db) =>
    db.selectFrom('audit_log').select('action').where('action', '=', 'locale.export').execute(),
  )
  expect(auditEntries).toHaveLength(2)
})

test('neighbours are found across the 180th meridian', async () => {
  await imported(fixture('osm-nz-extract.json'))
  await findsNeighbours()
})

/** The islands of Chatham lie east of the meridian, the rest of New Zealand west of it. */
async function findsNeighbours() {
  await app.readModel.catchUp()
  const near = (query: string) => call<LocaleList>('GET', `/public/locales?${query}`)
  const measured = await work((db) =>
    db
      .selectFrom('locales')
      .select(['name', 'longitude', sql<number>`distance_km(-44, 179.9, latitude, longitude)`.as('km')])
      .orderBy('km')
      .limit(8)
      .execute(),
  )
  expect(measured.slice(0, 4).every(({ longitude }) => longitude! < 0)).toBe(true)
  const nearest = await near('lat=-44&lng=179.9&radius=10')
  expect(nearest.is_nearest).toBe(true)
  expect(nearest.locales.map(({ name }) => name)).toEqual(measured.slice(0, 5).map(({ name }) => name))
  const around = await near(`lat=-44&lng=179.9&radius=${Math.ceil(measured[7]!.km)}&limit=8`)
  expect(around.locales.map(({ name }) => name)).toEqual(measured.map(({ name }) => name))
  expect(new Set(around.locales.map(({ longitude }) => Math.sign(longitude!)))).toEqual(new Set([1, -1]))
}

test('formulas are imported as text, and exported as text', async () => {
  const done = await imported(csv('name,country', `"=cmd|' /C calc'!A0",Fiji`, '@SUM(1+9),Fiji'))
  const names = await work((db) => db.selectFrom('locales').select('name').orderBy('name').execute())
  expect(names.map(({ name }) => name).sort()).toEqual(["=cmd|' /C calc'!A0", '@SUM(1+9)'])
  const saved = await (await ask(admin, 'GET', `/locale-imports/${done.id}/rows?format=csv`)).text()
  expect(saved).toContain(`,'=cmd|' /C calc'!A0,`)
  expect(saved).toContain("'@SUM(1+9)")
})

test('the mapping of a file is reused for the next with the same headings', async () => {
  const first = await upload(csv('Kirche,Ort,Land', 'A,Berlin,Germany'), 'kirchen.csv')
  expect((await call<ImportDetail>('GET', `/locale-imports/${first.id}`)).mapping).toEqual({})
  const mapping = { Kirche: 'name', Ort: 'city', Land: 'country' }
  expect(await call('POST', `/locale-imports/${first.id}/plan`, { mapping: { Ort: 'city' } })).toMatchObject({
    status: 422,
    fields: { mapping: 'Choose which column is the name.' },
  })
  for (const wrong of [{ Kirche: 'name', Ort: 'name' }, { Nirgends: 'name' }, { Kirche: 'password' }])
    expect((await call('POST', `/locale-imports/${first.id}/plan`, { mapping: wrong })).status).toBe(422)
  expect((await plan(first.id, { mapping, id_prefix: 'de:' })).counts).toMatchObject({ create: 1 })
  const second = await upload(csv('Kirche,Ort,Land', 'B,Bonn,Germany'), 'andere.csv')
  expect(await call<ImportDetail>('GET', `/locale-imports/${second.id}`)).toMatchObject({ mapping, id_prefix: 'de:' })
})

test('rows are filtered by action, name and number', async () => {
  const planned = await plan((await upload(fixture('lds-meetinghouses-extract.csv'))).id)
  expect(await rowsOf(planned.id, '&action=error')).toHaveLength(2)
  expect((await rowsOf(planned.id, '&action=warnings')).length).toBe(planned.counts!.warnings)
  expect((await rowsOf(planned.id, '&search=elias')).map(({ name }) => name)).toEqual(['Elias Pi\uFFFDa - Rental'])
  expect((await rowsOf(planned.id, '&search=100%25')).length).toBe(0)
  expect((await rowsOf(planned.id, '&search=57')).map(({ row_number }) => row_number)).toEqual([57])
  const row = await call<{ cells: { column: string; value: string }[] }>('GET', `/locale-imports/${planned.id}/rows/2`)
  expect(row.cells[0]).toEqual({ column: 'id', value: '5004685-01-01' })
  expect((await call('GET', `/locale-imports/${planned.id}/rows/58`)).status).toBe(404)
})

describe('nothing is left of a failed upload', () => {
  test('an upload that is cut off', async () => {
    const { host, port } = new URL((await served(app)).url)
    const { connect } = await import('node:net')
    const socket = connect(Number(port), host.split(':')[0])
    socket.write(
      `POST /api/locale-imports HTTP/1.1\r\nhost: ${host}\r\n${AS}: ${admin.as}\r\ncontent-type: text/csv\r\ncontent-length: 100000\r\n\r\nname,country\nA,Fiji\n`,
    )
    await new Promise((sent) => setTimeout(sent, 200))
    socket.destroy()
    await new Promise((seen) => setTimeout(seen, 200))
    expect(await count('imports')).toBe(0)
  })

  test('a file with an error after thousands of rows', async () => {
    const file = bytes(`name\n${'A\n'.repeat(3_000)}"cut`)
    expect((await ask(admin, 'POST', '/locale-imports', file)).status).toBe(422)
    expect([await count('imports'), await count('import_rows')]).toEqual([0, 0])
  })

  test('a file that is too large', async () => {
    const response = await ask(admin, 'POST', '/locale-imports', new Uint8Array(30 * 1024 * 1024 + 1))
    expect(response.status).toBe(413)
    expect(await count('imports')).toBe(0)
  })

  test('the same file uploaded twice at once', async () => {
    const file = fixture('lds-meetinghouses-extract.csv')
    const [first, other] = await Promise.all([upload(file), upload(file)])
    expect(first.id).not.toBe(other.id)
    expect(await count('import_rows')).toBe(112)
  })
})

test('an import is deleted with its rows, but not while it is in force', async () => {
  const done = await imported(csv('name,country', 'A,Fiji'))
  expect(await call('DELETE', `/locale-imports/${done.id}`)).toMatchObject({ status: 409 })
  await undo(done.id)
  expect(await call('DELETE', `/locale-imports/${done.id}`)).toMatchObject({ status: 200 })
  expect([await count('imports'), await count('import_rows')]).toEqual([0, 0])
})

test('only administrators have access', async () => {
  const { id } = await plan((await upload(csv('name,country', 'A,Fiji'))).id)
  const mapping = { mapping: { name: 'name' } }
  const addresses: [string, string, unknown?][] = [
    ['POST', '/locale-imports', bytes('name\nA\n')],
    ['GET', '/locale-imports'],
    ['GET', `/locale-imports/${id}`],
    ['POST', `/locale-imports/${id}/plan`, mapping],
    ['GET', `/locale-imports/${id}/rows`],
    ['GET', `/locale-imports/${id}/rows?format=csv`],
    ['GET', `/locale-imports/${id}/rows/2`],
    ['POST', `/locale-imports/${id}/rows/2/decision`, { decision: 'skip', plan_version: 1 }],
    ['POST', `/locale-imports/${id}/decisions`, { decision: 'skip', plan_version: 1 }],
    ['POST', `/locale-imports/${id}/commit`, { plan_version: 1 }],
    ['POST', `/locale-imports/${id}/undo`],
    ['DELETE', `/locale-imports/${id}`],
  ]
  const others = await Promise.all(
    ROLES.filter((role) => role !== 'admin').map((role) => createTestUser(database, role)),
  )
  for (const [method, address, body] of addresses) {
    expect((await ask(null, method, address, body)).status, `${method} ${address}`).toBe(401)
    for (const who of others)
      expect((await ask(who, method, address, body)).status, `${method} ${address} ${who.as}`).toBe(403)
  }
  expect([await count('imports'), await count('locales')]).toEqual([1, 0])
})

describe.runIf(hasSharedPlaces)('the whole collection', () => {
  test('7,696 meetinghouses: every row accounted for, a second import changes nothing, and the undo is exact', {
    timeout: 240_000,
  }, async () => {
    await makeLocale({ external_id: 'lds:5004685-01-01', name: 'Old name', phone: 'x' })
    const before = await dump()
    const file = sharedPlaces('lds-meetinghouses-2022-04-09-part.csv')
    const done = await imported(file)
    expect(done.row_count).toBe(7_696)
    expect(done.counts).toMatchObject({ create: 7_693, update: 1, unchanged: 0, skip: 0, error: 2 })
    expect(await count('locales')).toBe(7_694)
    expect(await count('public_locales')).toBe(7_694)
    const second = await plan((await upload(file)).id)
    expect(second.counts).toMatchObject({ create: 0, update: 0, unchanged: 7_694, error: 2 })
    await undo(done.id)
    expect(await dump()).toEqual(before)
  })

  test('the places of worship of New Zealand', { timeout: 240_000 }, async () => {
    const done = await imported(sharedPlaces('osm-nz-places-of-worship.json'))
    const { create, update, unchanged, skip, error } = done.counts!
    expect(create + update + unchanged + skip + error).toBe(4_718)
    expect([create, skip, error]).toEqual([4_718, 0, 0])
    await findsNeighbours()
  })
})
