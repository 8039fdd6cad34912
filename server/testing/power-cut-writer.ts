// Inserts rows into the embedded database in the specified directory and prints each number once committed.
import { writeSync } from 'node:fs'
import { openPglite } from '#server/db/embedded.ts'

const ROWS_PER_CHECKPOINT = 100

const [directory, isDurable] = process.argv.slice(2) as [string, string]
const { background } = await openPglite(directory, { isDurable: isDurable === 'durable' })
await background.pool.query('create table if not exists power (id int primary key, text text not null)')
const { rows } = await background.pool.query('select coalesce(max(id), 0)::int as last from power')
for (let id = (rows[0].last as number) + 1; ; id++) {
  await background.pool.query(`insert into power values ($1, repeat('x', 200))`, [id])
  writeSync(1, `${id}\n`)
  if (id % ROWS_PER_CHECKPOINT === 0) await background.pool.query('checkpoint')
}
