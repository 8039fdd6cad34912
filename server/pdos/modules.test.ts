import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createApiClient } from '#server/testing/api-client.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { PdosModule } from '#shared/pdos/modules.ts'
import { ROLES } from '#shared/roles.ts'

const database = await testDatabase()
const call = createApiClient(await testApp(database), 'mfa/pdos-modules')
const { as: admin } = await createTestUser(database, 'admin')
const SAFETY = { title_en: 'Staying safe', title_ar: 'السلامة', duration_minutes: 90 }

let made = 0
const post = (more: object = {}) => call(admin, 'POST', '', { ...SAFETY, code: `M-${++made}`, ...more })
const create = async (more: object = {}) => (await post(more)).body.module as PdosModule

test('coordinators read modules, administrators change them, and the API refuses everyone else', async () => {
  for (const role of [...ROLES, null]) {
    const { id } = await create()
    const as = role && `${role} ${randomUUID()}`
    const reads = [await call(as, 'GET', ''), await call(as, 'GET', `/${id}`)]
    const writes = [
      await call(as, 'POST', '', { ...SAFETY, code: `R-${made}` }),
      await call(as, 'PUT', `/${id}`, { title_en: 'Changed' }),
      await call(as, 'DELETE', `/${id}`),
    ]
    const refused = role ? 403 : 401
    const mayRead = ['admin', 'mfa_coordinator', 'pdos_coordinator'].includes(role ?? '')
    expect([role, ...reads.map(({ status }) => status)]).toEqual([role, ...Array(2).fill(mayRead ? 200 : refused)])
    expect([role, ...writes.map(({ status }) => status)]).toEqual([
      role,
      ...(role === 'admin' ? [201, 200, 200] : Array(3).fill(refused)),
    ])
  }
})

test('so does the database itself', async () => {
  const { id } = await create()
  for (const role of ROLES.filter((other) => other !== 'admin')) {
    const as = <T>(fn: (db: Db) => Promise<T>) => withClaims(database, { as: 'user', userId: randomUUID(), role }, fn)
    const seen = await as((db) => db.selectFrom('pdos_modules').select('id').where('id', '=', id).execute())
    expect([role, seen.length]).toEqual([role, /^(mfa|pdos)_/.test(role) ? 1 : 0])
    const changed = await as((db) => db.updateTable('pdos_modules').set({ title_en: 'Mine' }).executeTakeFirst())
    const deleted = await as((db) => db.deleteFrom('pdos_modules').executeTakeFirst())
    expect([changed.numUpdatedRows, deleted.numDeletedRows]).toEqual([0n, 0n])
    const insert = as((db) =>
      db
        .insertInto('pdos_modules')
        .values({ ...SAFETY, code: 'MINE' })
        .execute(),
    )
    await expect(insert).rejects.toMatchObject({ code: '42501' })
  }
})

test('every change is a new version, so that a certificate can name the module as it was', async () => {
  const created = await create({ effective_from: '2026-12-01' })
  expect(created).toMatchObject({ version: 1, status: 'draft', is_required: true, effective_from: '2026-12-01' })
  const save = (body: object) => call(admin, 'PUT', `/${created.id}`, body)
  const change = { title_en: 'Safety', made_from: created.updated_at }
  expect((await save(change)).body.module).toMatchObject({ version: 2, title_en: 'Safety', title_ar: 'السلامة' })
  expect((await save({ title_en: 'Safety' })).body.module.version).toBe(2)
  expect(await save(change)).toMatchObject({ status: 409, body: { code: 'stale' } })
})

test('the list is in the order of the course and says how long its required modules take', async () => {
  await database.background.pool.query('delete from pdos_modules')
  await create({ position: 2, code: 'SECOND', status: 'active', duration_minutes: 400 })
  await create({ position: 1, code: 'FIRST', title_en: '100% legal', status: 'active', duration_minutes: 80 })
  await create({ position: 3, code: 'EXTRA', status: 'active', is_required: false })
  await create({ position: 4, code: 'DRAFT' })
  const list = async (query = '') => (await call(admin, 'GET', `?${query}`)).body
  const codes = ({ modules }: { modules: PdosModule[] }) => modules.map(({ code }) => code)
  const all = await list()
  expect([codes(all), all.required_minutes]).toEqual([['FIRST', 'SECOND', 'EXTRA', 'DRAFT'], 480])
  expect([codes(await list('search=%25')), codes(await list('status=draft'))]).toEqual([['FIRST'], ['DRAFT']])
})

test.each<[string, object]>([
  ['code', { code: 'small letters' }],
  ['code', { code: 'TAKEN' }],
  ['title_ar', { title_ar: ' ' }],
  ['duration_minutes', { duration_minutes: 0 }],
  ['material_links.0', { material_links: ['javascript:alert(1)'] }],
  ['effective_from', { effective_from: '2026-02-30' }],
  ['version', { version: 7 }],
])('an invalid %s is rejected at its field: %j', async (field, fields) => {
  await post({ code: 'TAKEN' })
  const { status, body } = await post(fields)
  expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]])
})
