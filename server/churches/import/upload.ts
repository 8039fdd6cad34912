import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { ImportMapping } from '#shared/churches/imports.ts'
import { guessMapping, guessPrefix } from './mapping.ts'
import { readFile } from './read-file.ts'
import type { FileRow } from './table.ts'

const ROWS_AT_ONCE = 500
const NO_COUNTS = { create: 0, update: 0, unchanged: 0, skip: 0, error: 0, undecided: 0, warnings: 0 }

/** Stores the rows of a file unchanged. A file that cannot be read to its end leaves nothing behind. */
export async function saveUpload(
  database: Database,
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
    const how = await howToRead(db, columns, file.name)
    const { id } = await db
      .insertInto('locale_imports')
      .values({
        ...how,
        file_name: file.name,
        sha256,
        columns,
        status: 'reading',
        row_count: 0,
        counts: JSON.stringify(NO_COUNTS),
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
      db.updateTable('locale_imports').set({ status: 'uploaded', row_count: count }).where('id', '=', id).execute(),
    )
    return id
  } catch (error) {
    await work((db) => db.deleteFrom('locale_imports').where('id', '=', id).execute())
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
    insert into locale_import_rows (import_id, row_number, cells)
    select ${id}, r.row_number, r.cells from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (row_number integer, cells jsonb)`.execute(
    db,
  )
  await sql`update locale_imports set active_at = clock_timestamp() where id = ${id}`.execute(db)
}

/** The mapping of the last file with the same headings; otherwise a suggestion from the names. */
async function howToRead(db: Db, columns: string[], fileName: string) {
  const before = await db
    .selectFrom('locale_imports')
    .select(['mapping', 'id_prefix', 'options'])
    .where('columns', '=', sql<string[]>`${columns}::text[]`)
    .where('planned_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const guessed = guessMapping(columns)
  const how = before ?? {
    mapping: guessed,
    id_prefix: guessPrefix(fileName, guessed),
    options: ImportMapping.parse({ mapping: guessed }).options,
  }
  return {
    mapping: JSON.stringify(how.mapping),
    id_prefix: how.id_prefix,
    options: JSON.stringify(how.options),
  }
}

/** Deletes leftovers of a process that ended during an upload. */
async function forgetDead(db: Db): Promise<void> {
  await db
    .deleteFrom('locale_imports')
    .where('status', '=', 'reading')
    .where('active_at', '<', sql<Date>`clock_timestamp() - interval '10 minutes'`)
    .execute()
}
