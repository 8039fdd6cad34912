import { countTry, LIMITS } from '#server/accounts/limits.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { claimsOf, type Router } from '#server/http/router.ts'
import type { Session, SignedIn } from '#server/http/session.ts'
import type { Log } from '#server/log.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { AppError } from '#shared/errors.ts'
import { AUDITED, BUCKET_NAMES, BUCKETS, QUOTA_BYTES } from '#shared/files/buckets.ts'
import {
  copyFile,
  getFile,
  getSignedFile,
  listBuckets,
  listFiles,
  moveFile,
  removeFile,
  type StoredFile,
  signFile,
  uploadFile,
} from '#shared/files/endpoints.ts'
import { fileNameFor } from '#shared/files/path.ts'
import { rowsOf } from '#shared/table.ts'
import { contentFor } from './content.ts'
import { fileResponse } from './response.ts'
import { createSigner } from './signatures.ts'
import { keyOf, type Store } from './store.ts'
import { duplicateFile, type FileRow, leaveRoomFor, saveFile, takenOr, usedBy } from './stored-files.ts'

interface FileDeps {
  store: Store
  secret: string
  publicUrl: string
  log: Log
}

/** Files that users upload. The table's policies decide who sees a row; anyone who sees it may read the file. */
export function registerFiles(router: Router, deps: FileDeps) {
  fileContent(router, deps)
  fileList(router, deps)
}

/** Uploads, and the bytes of one file. */
function fileContent(router: Router, deps: FileDeps) {
  const { store, log } = deps
  const signer = createSigner(deps.secret)

  router.act(uploadFile, async ({ session, user, database }, { query, body }) => {
    const owner = user.id
    const inTransaction = transactionOf(database, session)
    await countTry(database, LIMITS.upload, owner)
    // A full folder is reported before the file is read.
    await inTransaction((db) => leaveRoomFor(db, owner, 1))
    const upload = await body.read(BUCKETS[query.bucket].maxBytes)
    const content = await contentFor(query.bucket, upload.bytes)
    const name = fileNameFor(query.name ?? upload.name ?? query.path, content.type)
    const { bucket, path } = query
    return shown(await saveFile(store, inTransaction, content, { owner, bucket, path, name }))
  })

  router.act(getFile, async ({ session, user, database, headers }, { params }) => {
    const file = await withClaims(database, claimsOf(session), (db) => seen(db, user, params.id, 'file.read'))
    return answer(file, headers)
  })

  router.act(getSignedFile, async ({ database, headers, now }, { params, query }) => {
    if (!signer.isValid(params.id, query.until, query.signature, now))
      throw new AppError(403, 'link_expired', 'This link is no longer valid. Request a new one.')
    const file = await withClaims(database, { as: 'service', name: 'files' }, (db) => findFile(db, params.id))
    return answer(file, headers)
  })

  async function answer(file: FileRow, headers: Headers): Promise<Response> {
    if (!(await store.exists(keyOf(file)))) {
      log.error({ file: file.id }, 'the bytes of a file are gone')
      throw new AppError(503, 'file_unreadable', 'We cannot open this file right now. Please try again later.')
    }
    return fileResponse(store, file, headers)
  }

  router.handle(signFile, async ({ user, db, now }, { params }) => {
    const { id } = await seen(db, user, params.id, 'file.sign')
    const { path, expiresAt } = signer.sign(id, now)
    return { url: `${deps.publicUrl}${path}`, expires_at: expiresAt.toISOString() }
  })
}

/** Rows of files: listed, moved, copied, removed. */
function fileList(router: Router, deps: FileDeps) {
  const { store, log } = deps

  router.handle(listFiles, async ({ user, db }, { query }) => {
    const owner = user.id
    let own = db.selectFrom('stored_files').where('owner_id', '=', owner)
    if (query.bucket) own = own.where('bucket', '=', query.bucket)
    const { limit, offset } = rowsOf(query)
    const rows = await own.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset).execute()
    const { total } = await own.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    const { page, per_page } = query
    return {
      files: rows.map(shown),
      total,
      page,
      per_page,
      used_bytes: await usedBy(db, owner),
      quota_bytes: QUOTA_BYTES,
    }
  })

  router.handle(moveFile, async ({ user, db }, { params, body }) => {
    const moved = await db
      .updateTable('stored_files')
      .set({ path: body.path })
      .where('id', '=', params.id)
      .where('owner_id', '=', user.id)
      .returningAll()
      .executeTakeFirst()
      .catch((error) => {
        throw takenOr(error)
      })
    return shown(moved ?? notFound())
  })

  router.act(copyFile, async ({ session, user, database }, { params, body }) => {
    const inTransaction = transactionOf(database, session)
    const file = await inTransaction((db) => findFile(db, params.id))
    if (file.owner_id !== user.id) notFound()
    return shown(await duplicateFile(store, inTransaction, file, body.path))
  })

  router.act(removeFile, async ({ session, user, database }, { params }) => {
    const removed = await withClaims(database, claimsOf(session), (db) => remove(db, user, params.id))
    // The row is gone for good; bytes that remain are removed by the orphan clean-up.
    await store.delete(keyOf(removed)).catch((error: Error) => log.warn({ reason: error.message }, 'bytes stayed'))
    return { removed: true as const }
  })

  router.handle(listBuckets, async ({ db }) => {
    const rows = await db
      .selectFrom('stored_files')
      .select(({ fn }) => ['bucket', fn.countAll<number>().as('files'), fn.sum<string>('size').as('bytes')])
      .groupBy('bucket')
      .execute()
    const buckets = BUCKET_NAMES.map((name) => {
      const { files = 0, bytes = 0 } = rows.find(({ bucket }) => bucket === name) ?? {}
      return { name, types: [...BUCKETS[name].types], max_bytes: BUCKETS[name].maxBytes, files, bytes: Number(bytes) }
    })
    return { buckets }
  })
}

const transactionOf =
  (database: Database, session: Session) =>
  <T>(fn: (db: Db) => Promise<T>) =>
    withClaims(database, claimsOf(session), fn)

async function findFile(db: Db, id: string): Promise<FileRow> {
  return (await db.selectFrom('stored_files').selectAll().where('id', '=', id).executeTakeFirst()) ?? notFound()
}

/** A file visible to the caller; viewing another user's document is audited. */
async function seen(db: Db, user: SignedIn, id: string, action: 'file.read' | 'file.sign'): Promise<FileRow> {
  const file = await findFile(db, id)
  if (file.owner_id !== user.id && AUDITED.has(file.bucket)) await audit(db, user, action, file)
  return file
}

async function remove(db: Db, user: SignedIn, id: string): Promise<FileRow> {
  await refuseInUse(db, id)
  const file = await db.deleteFrom('stored_files').where('id', '=', id).returningAll().executeTakeFirst()
  if (!file) return notFound()
  if (file.owner_id !== user.id) await audit(db, user, 'file.remove', file)
  return file
}

/** A church photo is changed through its church, whose public row must follow. */
async function refuseInUse(db: Db, id: string): Promise<void> {
  const shown = await db.selectFrom('locale_photos').select('locale_id').where('file_id', '=', id).executeTakeFirst()
  if (shown) throw new AppError(409, 'file_in_use', 'A church uses this photo. Remove it there first.')
}

function audit(db: Db, user: SignedIn, action: AuditAction, { id, bucket, owner_id, name }: FileRow) {
  const entry = { actor_id: user.id, actor_role: user.role, action, subject_type: 'file', subject_id: id }
  return db
    .insertInto('audit_log')
    .values({ ...entry, before: JSON.stringify({ bucket, owner_id, name }) })
    .execute()
}

function shown({ owner_id: _, sha256: __, created_at, ...file }: FileRow): StoredFile {
  return { ...file, created_at: created_at.toISOString() }
}

function notFound(): never {
  throw new AppError(404, 'file_not_found', 'File not found.')
}
