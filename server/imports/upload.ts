import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { ImportAdapter } from './adapter.ts'
import { readFile } from './files/read-file.ts'
import type { FileRow } from './files/table.ts'
import { guessMapping } from './headings.ts'
import { noCounts } from './plan.ts'

const ROWS_AT_ONCE = 500

/** Stores the rows of a file unchanged. A file that cannot be read to its end leaves nothing behind. */
export async function saveUpload(
  database: Database,
  adapter: ImportAdapter,
  file: { bytes: Uint8Array; name: string },
  userId: string | null,
): Promise<string> {
  const { columns, rows } = await readFile(file.bytes)
  const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'import', run)
  // In a separate thread: 30 MB take a while.
  const digest = await crypto.subtle.digest('SHA-256', file.bytes as Uint8Array<ArrayBuffer>)
  const sha256 = Buffer.from(digest).toString('hex')
  const id = await work(async (db) => {
    await forgetDead(db)
    const how = await howToRead(db, adapter, columns, file.name)
    const { id } = await db
      .insertInto('imports')
      .values({
        ...how,
        kind: adapter.kind,
        file_name: file.name,
        sha256,
        columns,
        status: 'reading',
        row_count: 0,
        counts: JSON.stringify(noCounts(adapter)),
        created_by: userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
  try {
    let count = 0
    for await (const batch of batches(rows)) {
      await work((db) => insertRows(db, id, batch))
      count += batch.length
      await turn()
    }
    await work((db) =>
      db.updateTable('imports').set({ status: 'uploaded', row_count: count }).where('id', '=', id).execute(),
    )
    return id
  } catch (error) {
    await work((db) => db.deleteFrom('imports').where('id', '=', id).execute())
    throw error
  }
}

async function* batches(rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow[]> {
  let batch: FileRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < ROWS_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function insertRows(db: Db, id: string, rows: readonly FileRow[]): Promise<void> {
  await sql`
    insert into import_rows (import_id, row_number, cells)
    select ${id}, r.row_number, r.cells
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (row_number integer, cells jsonb)`.execute(db)
  await sql`update imports set active_at = clock_timestamp() where id = ${id}`.execute(db)
}

/** The mapping of the last file with the same headings; otherwise a suggestion from the names. */
async function howToRead(db: Db, adapter: ImportAdapter, columns: string[], fileName: string) {
  const before = await db
    .selectFrom('imports')
    .select(['mapping', 'settings'])
    .where('kind', '=', adapter.kind)
    .where('columns', '=', sql<string[]>`${columns}::text[]`)
    .where('planned_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const mapping = before?.mapping ?? guessMapping(columns, adapter)
  const settings = before?.settings ?? adapter.suggestSettings?.(fileName, mapping) ?? {}
  return {
    mapping: JSON.stringify(mapping),
    settings: JSON.stringify(adapter.contract.schemas.Settings.parse(settings)),
  }
}

/** Deletes leftovers of a process that ended during an upload. */
async function forgetDead(db: Db): Promise<void> {
  await db
    .deleteFrom('imports')
    .where('status', '=', 'reading')
    .where('active_at', '<', sql<Date>`clock_timestamp() - interval '10 minutes'`)
    .execute()
}
