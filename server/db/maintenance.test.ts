import { afterAll, expect, test } from 'vitest'
import { openPglite } from './embedded.ts'
import { vacuum } from './maintenance.ts'

const database = await openPglite()
afterAll(() => database.close())
const { pool } = database.background

test('a heavily written table is vacuumed, others are not', async () => {
  await pool.query('create table busy as select generate_series(1, 5000) as id; create table quiet (id int)')
  await pool.query('update busy set id = id + 1')
  // Statistics are flushed when a statement begins a second later, or when requested.
  await pool.query('select pg_stat_force_next_flush()')
  expect(await vacuum(database.background, 1000)).toEqual(['public.busy'])
  expect(await vacuum(database.background, 1000)).toEqual([])
  const { rows } = await pool.query(
    `select n_dead_tup as dead, vacuum_count as n from pg_stat_user_tables where relname = 'busy'`,
  )
  expect(rows).toEqual([{ dead: 0, n: 1 }])
})
