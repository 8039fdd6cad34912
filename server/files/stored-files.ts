import { createHash, randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { StoredFilesTable } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { type Bucket, QUOTA_BYTES } from '#shared/files/buckets.ts'
import type { Content } from './content.ts'
import { keyOf, type Store } from './store.ts'

export type FileRow = Selectable<StoredFilesTable>

interface FileDetails {
  owner: string
  bucket: Bucket
  path: string | undefined
  name: string
}
/** Opens a transaction under the owner's claims. */
type InTransaction = <T>(fn: (db: Db) => Promise<T>) => Promise<T>

/** Bytes first, then the row, so that no row ever lacks its bytes; bytes whose row is refused are deleted. */
export async function saveFile(
  store: Store,
  inTransaction: InTransaction,
  { bytes, type }: Content,
  { owner, bucket, path, name }: FileDetails,
): Promise<FileRow> {
  const id = randomUUID()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const row = {
    id,
    bucket,
    owner_id: owner,
    path: path ?? id,
    name,
    content_type: type,
    size: bytes.byteLength,
    sha256,
  }
  await written(store.put(keyOf(row), bytes, { contentType: type }))
  return insertOrForget(store, inTransaction, row)
}

/** A second copy under another name of the same owner. */
export async function duplicateFile(store: Store, inTransaction: InTransaction, from: FileRow, path: string) {
  const { created_at: _, ...same } = from
  const row = { ...same, id: randomUUID(), path }
  await written(store.copy(keyOf(from), keyOf(row)))
  return insertOrForget(store, inTransaction, row)
}

async function insertOrForget(store: Store, inTransaction: InTransaction, row: Omit<FileRow, 'created_at'>) {
  try {
    return await inTransaction(async (db) => {
      await leaveRoomFor(db, row.owner_id, row.size)
      return db.insertInto('stored_files').values(row).returningAll().executeTakeFirstOrThrow()
    })
  } catch (error) {
    // Bytes that cannot be deleted now are removed by the orphan clean-up.
    await store.delete(keyOf(row)).catch(() => {})
    throw takenOr(error)
  }
}

/** Refuses to exceed a user's quota, also for concurrent uploads. */
export async function leaveRoomFor(db: Db, owner: string, size: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`portal.files ${owner}`}, 0))`.execute(db)
  if ((await usedBy(db, owner)) + size > QUOTA_BYTES)
    throw new AppError(413, 'quota', 'Your folder is full. Delete a file first.', {
      fields: { file: 'Your folder is full. Delete a file first.' },
    })
}

export async function usedBy(db: Db, owner: string): Promise<number> {
  const { used } = await db
    .selectFrom('stored_files')
    .select(({ fn }) => fn.coalesce(fn.sum<string>('size'), sql<string>`0`).as('used'))
    .where('owner_id', '=', owner)
    .executeTakeFirstOrThrow()
  return Number(used)
}

/** Maps a taken path to a readable error; other errors pass unchanged. */
export function takenOr(error: unknown): unknown {
  if ((error as { code?: string }).code !== '23505') return error
  const text = 'A file with this name already exists.'
  return new AppError(409, 'path_taken', text, { fields: { path: text } })
}

async function written(writing: Promise<void>): Promise<void> {
  await writing.catch((error: Error) => {
    throw new AppError(503, 'upload_failed', 'File upload failed', { cause: error, headers: { 'retry-after': '5' } })
  })
}
