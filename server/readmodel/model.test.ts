import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { NOBODY } from '#server/http/session.ts'
import { writeAndRefresh } from '#server/http/writes.ts'
import { createLog } from '#server/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { type CachedTable, ReadModel } from './model.ts'

const database = await testDatabase()

/** Holds ids and titles, and records which rows it was asked to load. */
function titles() {
  const rows = new Map<string, string>()
  const loads: (string[] | null)[] = []
  const cachedTable: CachedTable = {
    table: 'travel_advisories',
    async load(db, ids) {
      loads.push(ids)
      let query = db.selectFrom('travel_advisories').select(['id', 'title'])
      if (ids) query = query.where('id', '=', sql<string>`any(${ids}::uuid[])`)
      const found = await query.execute()
      if (ids) for (const id of ids) rows.delete(id)
      else rows.clear()
      for (const { id, title } of found) rows.set(id, title)
    },
  }
  return { rows, loads, cachedTable }
}

const truth = () =>
  inBackground(database, 'test', async (db) => {
    const rows = await db.selectFrom('travel_advisories').select(['id', 'title']).execute()
    return new Map(rows.map(({ id, title }) => [id, title]))
  })

test('a node sees every insert, change and removal, reading only the rows concerned', async () => {
  const memory = titles()
  const model = new ReadModel(database, createLog('silent'), [memory.cachedTable])
  await model.catchUp()
  const existing = await inBackground(database, 'test', (db) => insertAdvisory(db, { title: 'kept' }))
  const gone = await inBackground(database, 'test', (db) => insertAdvisory(db, { title: 'gone' }))
  await model.catchUp()
  await inBackground(database, 'test', async (db) => {
    await db.updateTable('travel_advisories').set({ title: 'changed' }).where('id', '=', existing.id).execute()
    await db.deleteFrom('travel_advisories').where('id', '=', gone.id).execute()
  })
  await model.catchUp()
  expect(memory.rows).toEqual(await truth())
  expect(memory.rows.get(existing.id)).toBe('changed')
  expect(memory.loads.at(-1)?.toSorted()).toEqual([existing.id, gone.id].toSorted())
})

test('a rollback never shows, and a statement without effect is no change', async () => {
  const memory = titles()
  const model = new ReadModel(database, createLog('silent'), [memory.cachedTable])
  await model.catchUp()
  const before = model.version
  await expect(
    inBackground(database, 'test', async (db) => {
      await insertAdvisory(db, { title: 'never' })
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  await inBackground(database, 'test', (db) =>
    db.updateTable('travel_advisories').set({ title: 'x' }).where('title', '=', 'nobody has this').execute(),
  )
  await model.catchUp()
  expect(model.version).toBe(before)
  expect([...memory.rows.values()]).not.toContain('never')
})

test('a node that is behind the retained log reloads everything', async () => {
  const memory = titles()
  const model = new ReadModel(database, createLog('silent'), [memory.cachedTable])
  await model.catchUp()
  await inBackground(database, 'test', (db) => insertAdvisory(db, { title: 'one' }))
  await inBackground(database, 'test', (db) => insertAdvisory(db, { title: 'two' }))
  await sql`delete from public_changes where version < (select version from public_version)`.execute(
    database.background.kysely,
  )
  await model.catchUp()
  expect(memory.loads.at(-1)).toBeNull()
  expect(memory.rows).toEqual(await truth())
})

test('eight concurrent writers, some of which roll back, leave every node with the same rows as the database', async () => {
  const nodes = [titles(), titles()]
  const models = nodes.map(({ cachedTable }) => new ReadModel(database, createLog('silent'), [cachedTable]))
  await Promise.all(models.map((model) => model.catchUp()))
  const writer = async (name: number) => {
    for (let round = 0; round < 12; round++)
      await inBackground(database, 'test', async (db) => {
        const row = await insertAdvisory(db, { title: `${name}-${round}` })
        if (round % 3 === 0) await db.deleteFrom('travel_advisories').where('id', '=', row.id).execute()
        if (round % 4 === 3) throw new Error('gave up')
      }).catch((error: Error) => {
        if (error.message !== 'gave up') throw error
      })
  }
  const writing = Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)))
  let isWriting = true
  const reading = (async () => {
    while (isWriting) await Promise.all(models.map((model) => model.catchUp()))
  })()
  await writing
  isWriting = false
  await reading
  await Promise.all(models.map((model) => model.catchUp()))
  for (const { rows } of nodes) expect(rows).toEqual(await truth())
})

test('an invisible change does not count: claiming a source invalidates no cached page', async () => {
  const memory = titles()
  const model = new ReadModel(database, createLog('silent'), [memory.cachedTable])
  const source = await inBackground(database, 'test', (db) => insertSource(db))
  await model.catchUp()
  const before = model.version
  const update = (values: { leased_until: Date } | { last_success_at: Date }) =>
    inBackground(database, 'test', (db) =>
      db.updateTable('advisory_sources').set(values).where('id', '=', source.id).execute(),
    )
  await update({ leased_until: new Date() })
  await model.catchUp()
  expect(model.version).toBe(before)
  await update({ last_success_at: new Date() })
  await model.catchUp()
  expect(model.version).toBe(before + 1)
})

test('a change that is committed counts as saved, even if this node cannot read it back at once', async () => {
  const broken: CachedTable = {
    table: 'travel_advisories',
    async load() {
      throw new Error('The database is away.')
    },
  }
  const lines: { msg: string }[] = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  const model = new ReadModel(database, log, [broken])
  const saved = writeAndRefresh({ database, session: NOBODY }, model, (db) =>
    sql<{ one: number }>`select 1 as one`.execute(db),
  )
  expect((await saved).rows).toEqual([{ one: 1 }])
  expect(lines).toMatchObject([{ msg: 'read model keeps its last state' }])
})
