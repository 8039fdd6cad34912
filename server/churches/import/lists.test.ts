import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { bytes } from '#server/imports/files/testing.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type {
  LocaleImportDetail as ImportDetail,
  LocaleImport,
  LocaleImportRow as PlannedRow,
} from '#shared/churches/imports.ts'

const database = await testDatabase()
const app = await testApp(database)
const admin = await createTestUser(database, 'admin')

beforeEach(() =>
  sql`truncate imports, import_rows, locales, locale_servants, locale_schedules, locale_photos,
    locale_corrections, locale_messages, public_locales`.execute(database.background.kysely),
)

const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'test', run)

async function call<T>(method: string, address: string, body?: object): Promise<T & { status: number; code?: string }> {
  const isFile = body instanceof Uint8Array
  const response = await app.request(`http://portal.test/api${address}`, {
    method,
    headers: { [AS]: admin.as, ...(body && !isFile ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: isFile ? new Uint8Array(body) : JSON.stringify(body) } : {}),
  })
  return { ...((await response.json()) as T), status: response.status } as never
}

const HEADINGS = 'name,city,country_code,latitude,longitude,services,servants'
const LIPA = 'Locale of Lipa,Lipa,PH,13.94,121.16'
type ImportResponse = { import: LocaleImport }

async function planned(lines: string[], options: Partial<ImportDetail['options']> = {}) {
  const { import: made } = await call<ImportResponse>(
    'POST',
    '/locale-imports?name=a.csv',
    bytes([HEADINGS, ...lines].join('\n')),
  )
  const detail = await call<ImportDetail>('GET', `/locale-imports/${made.id}`)
  const how = { mapping: detail.mapping, id_prefix: '', options: { ...detail.options, ...options } }
  return (await call<ImportResponse>('POST', `/locale-imports/${made.id}/plan`, how)).import
}
async function imported(lines: string[], options: Partial<ImportDetail['options']> = {}) {
  const { id, plan_version } = await planned(lines, options)
  const done = (await call<ImportResponse>('POST', `/locale-imports/${id}/commit`, { plan_version })).import
  expect(done).toMatchObject({ status: 'committed', refusal: null })
  return done
}
const rowsOf = async (id: string) => (await call<{ rows: PlannedRow[] }>('GET', `/locale-imports/${id}/rows`)).rows
const services = () =>
  work((db) => db.selectFrom('locale_schedules').selectAll().orderBy('position').orderBy('id').execute())
const servants = () => work((db) => db.selectFrom('locale_servants').selectAll().orderBy('position').execute())
const publicLocales = () => work((db) => db.selectFrom('public_locales').select(['id', 'name', 'schedules']).execute())
const isPublic = async () =>
  (await work((db) => db.selectFrom('locales').select('is_public').execute())).map((row) => row.is_public)

test('services and servants are imported with the church, and no servant becomes public', async () => {
  const done = await imported([`${LIPA},"Sun 09:00-11:00; Wed 19:00 prayer_meeting","Ben Reyes, 0917 555 0101"`], {
    new_locales: 'to_be_confirmed',
  })
  expect(done.counts).toMatchObject({ create: 1, published: 1, services: 2, servants: 1 })
  expect(await services()).toMatchObject([
    { day_of_week: 0, start_time: '09:00:00', end_time: '11:00:00', service_type: 'worship_service' },
    { day_of_week: 3, start_time: '19:00:00', end_time: null, service_type: 'prayer_meeting' },
  ])
  expect(await servants()).toMatchObject([
    { name: 'Ben Reyes', phone: '+639175550101', is_name_public: false, is_contact_public: false, agreed_at: null },
  ])
  const [shown] = await publicLocales()
  expect(shown?.schedules).toHaveLength(2)
  expect(JSON.stringify(shown)).not.toContain('Reyes')
})

test('new churches are unpublished by default, and can be published together', async () => {
  const done = await imported([`${LIPA},Sun 09:00,`, 'Locale of Taal,Taal,PH,13.88,120.92,,'])
  expect(done.counts).toMatchObject({ create: 2, published: 0 })
  expect(await publicLocales()).toEqual([])
  const at = `/locale-imports/${done.id}`
  expect((await call<ImportDetail>('GET', at)).unpublished).toBe(2)

  // Another count than the user has seen.
  expect(await call('POST', `${at}/publish`, { count: 3 })).toMatchObject({ status: 409, code: 'count_changed' })
  expect(await isPublic()).toEqual([false, false])
  expect(await call('POST', `${at}/publish`, { count: 2 })).toMatchObject({ status: 200, published: 2 })
  expect(await isPublic()).toEqual([true, true])
  expect(await publicLocales()).toHaveLength(2)
  expect((await call<ImportDetail>('GET', at)).unpublished).toBe(0)
  expect(await call('POST', `${at}/publish`, { count: 2 })).toMatchObject({ status: 409 })
  // It can still be undone.
  expect((await call<ImportResponse>('POST', `${at}/undo`)).import).toMatchObject({ status: 'undone', refusal: null })
  expect(await publicLocales()).toEqual([])
})

test('a church hidden since is not published with the others', async () => {
  const done = await imported([`${LIPA},,`, 'Locale of Taal,Taal,PH,13.88,120.92,,'])
  await work((db) =>
    db
      .updateTable('locales')
      .set({ phone: '1', updated_at: sql<Date>`clock_timestamp()` })
      .where('city', '=', 'Taal')
      .execute(),
  )
  const at = `/locale-imports/${done.id}`
  expect((await call<ImportDetail>('GET', at)).unpublished).toBe(1)
  expect(await call('POST', `${at}/publish`, { count: 2 })).toMatchObject({ status: 409 })
  expect(await call('POST', `${at}/publish`, { count: 1 })).toMatchObject({ published: 1 })
})

test('a public flag in the file overrides the option', async () => {
  const file = bytes(`name,city,country_code,is_public\nA,Lipa,PH,yes\nB,Taal,PH,no\nC,Lemery,PH,`)
  const { import: made } = await call<ImportResponse>('POST', '/locale-imports?name=b.csv', file)
  const { mapping, options } = await call<ImportDetail>('GET', `/locale-imports/${made.id}`)
  const response = await call<ImportResponse>('POST', `/locale-imports/${made.id}/plan`, {
    mapping,
    id_prefix: '',
    options,
  })
  expect(response.import.counts).toMatchObject({ create: 3, published: 1 })
})

test('a list that is not fully understood leaves the services unchanged and reports a problem', async () => {
  await imported([`${LIPA},Sun 09:00; Wed 19:00,`])
  const before = await services()
  const plan = await planned([`${LIPA},Sun 09:00; by appointment,`])
  expect(plan.counts).toMatchObject({ unchanged: 1, warnings: 1 })
  expect((await rowsOf(plan.id))[0]?.problems).toEqual([
    { code: 'not_understood', field: 'services', value: 'Sun 09:00; by appointment' },
  ])
  expect(await services()).toEqual(before)
})

test('an unchanged service retains its id, which calendars rely on', async () => {
  await imported([`${LIPA},Sun 09:00; Wed 19:00,`])
  const [sunday] = await services()
  const done = await imported([`${LIPA},Fri 18:00; Sun 09:00,`])
  expect(done.counts).toMatchObject({ update: 1, services: 2 })
  expect(await services()).toMatchObject([{ day_of_week: 5 }, { id: sunday!.id, day_of_week: 0 }])
  expect((await rowsOf(done.id))[0]?.changes).toEqual([
    {
      field: 'services',
      old: 'Sun 09:00 worship_service | Wed 19:00 worship_service',
      new: 'Fri 18:00 worship_service | Sun 09:00 worship_service',
    },
  ])
})

test('a file adds servants and updates their details; it removes none, and no new number is public', async () => {
  await imported([`${LIPA},,"Ben Reyes, +63 917 555 0101 | Ana Cruz"`])
  await work((db) =>
    db
      .updateTable('locale_servants')
      .set({ is_name_public: true, is_contact_public: true, agreed_at: new Date() })
      .execute(),
  )
  await imported([`${LIPA},,"ben reyes, +63 917 555 0102 | Leah Marasigan"`])
  expect(await servants()).toMatchObject([
    { name: 'Ben Reyes', phone: '+639175550102', is_name_public: true, is_contact_public: false },
    { name: 'Ana Cruz', is_contact_public: true },
    { name: 'Leah Marasigan', is_name_public: false },
  ])
})

test('an undo restores the lists exactly', async () => {
  await imported([`${LIPA},Sun 09:00; Wed 19:00,"Ben Reyes | Ana Cruz"`])
  await work((db) => db.updateTable('locale_servants').set({ agreed_at: sql<Date>`now()` }).execute())
  const rows = async () => ({
    services: (
      await sql`select to_jsonb(t)::text as row from locale_schedules t order by id`.execute(database.background.kysely)
    ).rows,
    servants: (
      await sql`select to_jsonb(t)::text as row from locale_servants t order by id`.execute(database.background.kysely)
    ).rows,
  })
  const before = await rows()
  const done = await imported([`${LIPA},Fri 18:00,"Ben Reyes, +63 917 555 0102 | Leah Marasigan"`])
  expect(await rows()).not.toEqual(before)
  expect((await call<ImportResponse>('POST', `/locale-imports/${done.id}/undo`)).import.status).toBe('undone')
  expect(await rows()).toEqual(before)
})

test('exported services and servants are imported without a change', async () => {
  await imported([
    `${LIPA},"Sun 09:00-11:00 (en) ""First, and; second | third"" online https://live.example/1","Ben Reyes, Deacon"`,
  ])
  const csv = await app.request('http://portal.test/api/locales/export?format=csv', { headers: { [AS]: admin.as } })
  const file = new Uint8Array(await csv.arrayBuffer())
  const { import: made } = await call<ImportResponse>('POST', '/locale-imports?name=export.csv', file)
  const { mapping, id_prefix, options } = await call<ImportDetail>('GET', `/locale-imports/${made.id}`)
  const response = await call<ImportResponse>('POST', `/locale-imports/${made.id}/plan`, {
    mapping,
    id_prefix,
    options,
  })
  expect(response.import.counts).toMatchObject({ create: 0, update: 0, unchanged: 1, error: 0, warnings: 0 })
})

test('a service added manually to an imported church blocks the undo', async () => {
  const done = await imported([`${LIPA},Sun 09:00,`])
  await work(async (db) => {
    const { id } = await db.selectFrom('locales').select('id').executeTakeFirstOrThrow()
    await sql`insert into locale_schedules (locale_id, day_of_week, start_time, service_type) values (${id}, 5, '18:00', 'other')`.execute(
      db,
    )
  })
  const { import: refused } = await call<ImportResponse>('POST', `/locale-imports/${done.id}/undo`)
  expect(refused).toMatchObject({ status: 'committed', refusal: { code: 'changed_since' } })
})
