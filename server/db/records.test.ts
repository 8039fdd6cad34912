import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { AppError } from '#shared/errors.ts'
import { inBackground, withClaims } from './claims.ts'
import type { Db } from './connection.ts'
import { pageOf } from './lists.ts'
import { recordsOf } from './records.ts'

const database = await testDatabase()
const { id: userId } = await createTestUser(database, 'admin')
const by = { id: userId, role: 'admin' } as const
const as = <T>(fn: (db: Db) => Promise<T>) => withClaims(database, { as: 'user', userId, role: 'admin' }, fn)

// Any table with an id and the time of its last change.
const modules = recordsOf('pdos_modules', {
  subject: 'thing' as 'pdos_module',
  missing: () => new AppError(404, 'no_thing', 'There is no such thing.'),
  constraints: { pdos_modules_code_key: ['code', 'Another thing has this code.'] },
})
const now = new Date('2026-11-23T08:00:00Z')
let made = 0
const values = () => ({ code: `T-${++made}`, title_en: 'One', title_ar: 'واحد', duration_minutes: 60 })
const create = (more: object = {}) => as((db) => modules.create(db, { ...values(), ...more }, { by, now }))
const auditOf = (id: string) =>
  inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').selectAll().where('subject_id', '=', id).orderBy('id').execute(),
  )

test('every write is in the audit log, with the user and the record before and after', async () => {
  const { id } = await create()
  await as((db) => modules.update(db, id, { title_en: 'Two', reason: 'Better' }, { by, now }))
  await as((db) => modules.remove(db, id, { reason: 'Merged' }, { by, now }))
  const entries = await auditOf(id)
  expect(entries).toMatchObject([
    { action: 'thing.create', subject_type: 'thing', actor_id: userId, before: null, after: { title_en: 'One' } },
    { action: 'thing.update', before: { title_en: 'One' }, after: { title_en: 'Two' }, reason: 'Better' },
    { action: 'thing.delete', before: { title_en: 'Two' }, after: null, reason: 'Merged' },
  ])
  for (const { before, after } of entries)
    for (const content of [before, after]) expect(Object.keys(content ?? {})).not.toContain('updated_at')
})

test('saving what is already so writes nothing', async () => {
  const { id, updated_at } = await create()
  const saved = await as((db) => modules.update(db, id, { title_en: 'One' }, { by, now: new Date() }))
  expect(saved.updated_at).toEqual(updated_at)
  expect(await auditOf(id)).toHaveLength(1)
})

test('of concurrent changes of one version the first is saved, even within one millisecond', async () => {
  const { id, updated_at } = await create()
  const made_from = updated_at.toISOString()
  const save = (title_en: string) => as((db) => modules.update(db, id, { title_en, made_from }, { by, now }))
  const results = await Promise.allSettled(['A', 'B', 'C'].map(save))
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, code: 'stale' })
  await expect(as((db) => modules.remove(db, id, { made_from }, { by, now }))).rejects.toMatchObject({ code: 'stale' })
  expect((await as((db) => modules.get(db, id))).updated_at > updated_at).toBe(true)
})

test('what is not there, or not for the caller, is the same error in every call', async () => {
  const { id } = await create()
  const stranger = <T>(fn: (db: Db) => Promise<T>) =>
    withClaims(database, { as: 'user', userId: randomUUID(), role: 'traveler' }, fn)
  for (const [run, target] of [
    [as, randomUUID()],
    [stranger, id],
  ] as const)
    for (const call of [
      () => run((db) => modules.get(db, target)),
      () => run((db) => modules.lock(db, target)),
      () => run((db) => modules.update(db, target, { title_en: 'X' }, { by, now })),
      () => run((db) => modules.remove(db, target, {}, { by, now })),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404, code: 'no_thing' })
})

test('a violated constraint is an error of its field, and any other is a bug', async () => {
  const { code, id } = await create()
  const other = await create()
  const taken = { status: 422, fields: { code: 'Another thing has this code.' } }
  await expect(create({ code })).rejects.toMatchObject(taken)
  await expect(as((db) => modules.update(db, other.id, { code }, { by, now }))).rejects.toMatchObject(taken)
  await expect(as((db) => modules.update(db, id, { position: -1 }, { by, now }))).rejects.toMatchObject({
    code: '23514',
  })
})

test('a page of a list says how many rows there are in all', async () => {
  await as((db) => db.deleteFrom('pdos_modules').execute())
  for (const position of [3, 1, 2]) await create({ position })
  const page = await as((db) =>
    pageOf(db.selectFrom('pdos_modules').select('position'), { page: 2, per_page: 2 }, (q) => q.orderBy('position')),
  )
  expect(page).toEqual({ rows: [{ position: 3 }], total: 3, page: 2, per_page: 2 })
})
