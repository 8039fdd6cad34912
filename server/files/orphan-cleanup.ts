import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { lastOf } from '#shared/assert.ts'
import type { Store } from './store.ts'

/** Bytes younger than this may still be waiting for their row. */
const GRACE_MS = 3_600_000

/** Removes bytes without a row: from an interrupted upload, or of an erased user. Returns their number. */
export async function sweepFiles(database: Database, store: Store, now = new Date()): Promise<number> {
  let removed = 0
  let paginationToken: string | undefined
  do {
    const page = await listed(store, paginationToken)
    paginationToken = page.paginationToken
    const keys = [...page.objects].flatMap((object) => (object.isFile ? [object.key] : []))
    for (const key of await withoutRow(database, keys)) {
      const { lastModified } = await store.getMetaData(key)
      if (now.valueOf() - lastModified.valueOf() < GRACE_MS) continue
      await store.delete(key)
      removed++
    }
  } while (paginationToken)
  return removed
}

/** Nothing has been stored yet: the folder does not exist. */
const listed = (store: Store, paginationToken: string | undefined) =>
  store.listAll('', { recursive: true, ...(paginationToken ? { paginationToken } : {}) }).catch((error) => {
    if ((error.cause ?? error).code === 'ENOENT') return { objects: [], paginationToken: undefined }
    throw error
  })

async function withoutRow(database: Database, keys: string[]): Promise<string[]> {
  const known = keys.map((key) => ({ key, id: lastOf(key.split('/')) })).filter(({ id }) => /^[0-9a-f-]{36}$/.test(id))
  if (known.length === 0) return []
  const rows = await inBackground(database, 'files', (db) =>
    db
      .selectFrom('stored_files')
      .select('id')
      .where(
        'id',
        'in',
        known.map(({ id }) => id),
      )
      .execute(),
  )
  const existingIds = new Set(rows.map(({ id }) => id))
  return known.filter(({ id }) => !existingIds.has(id)).map(({ key }) => key)
}
