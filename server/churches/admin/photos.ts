import { audit } from '#server/audit/audit-log.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { contentFor } from '#server/files/content.ts'
import { fileResponse } from '#server/files/response.ts'
import { keyOf, type Store } from '#server/files/store.ts'
import { saveFile } from '#server/files/stored-files.ts'
import { type ActionContext, claimsOf } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { ManagedPhoto } from '#shared/churches/managed-photos.ts'
import { AppError } from '#shared/errors.ts'
import { BUCKETS } from '#shared/files/buckets.ts'
import { fileNameFor } from '#shared/files/path.ts'
import type { Upload } from '#shared/files/upload.ts'
import { photosOf } from './admin-locale.ts'
import { lockLocale, touchLocale, type WriteContext } from './write-context.ts'

const BUCKET = 'chapter-photos'
const MAX_PHOTOS = 12

/** Stores an image before any row is written. Returns the id of its file. */
export async function savePhoto(
  store: Store,
  { database, session, user }: ActionContext<SignedIn>,
  locale: string,
  body: Upload,
): Promise<string> {
  const inTransaction = <T>(fn: (db: Db) => Promise<T>) => withClaims(database, claimsOf(session), fn)
  // Report an unknown or full locale before the file is read.
  await inTransaction(async (db) => {
    await lockLocale(db, locale)
    await leavePlace(db, locale)
  })
  const upload = await body.read(BUCKETS[BUCKET].maxBytes)
  const content = await contentFor(BUCKET, upload.bytes)
  const name = fileNameFor(upload.name, content.type)
  const file = await saveFile(store, inTransaction, content, {
    owner: user.id,
    bucket: BUCKET,
    path: undefined,
    name,
  })
  return file.id
}

async function leavePlace(db: Db, locale: string): Promise<number> {
  const photos = await photosOf(db, locale)
  if (photos.length < MAX_PHOTOS) return (photos.at(-1)?.position ?? -1) + 1
  throw new AppError(409, 'photos_full', 'A church can have at most 12 photos. Delete one first.', {
    fields: { file: 'A church can have at most 12 photos. Delete one first.' },
  })
}

export async function attachPhoto(db: Db, locale: string, file: string, description: string, writing: WriteContext) {
  const lockedRow = await lockLocale(db, locale)
  const position = await leavePlace(db, locale)
  await db.insertInto('locale_photos').values({ locale_id: locale, file_id: file, description, position }).execute()
  await touchLocale(db, lockedRow, writing)
  await audit(db, writing.by, { action: 'locale.photo', ...subject(locale), after: { file_id: file, description } })
  return getPhoto(db, locale, file)
}

export async function changePhoto(
  db: Db,
  locale: string,
  file: string,
  change: { description?: string | undefined; position?: number | undefined },
  writing: WriteContext,
) {
  const lockedRow = await lockLocale(db, locale)
  const was = await getPhoto(db, locale, file)
  const is = { description: change.description ?? was.description, position: change.position ?? was.position }
  if (is.description === was.description && is.position === was.position) return was
  await db.updateTable('locale_photos').set(is).where('locale_id', '=', locale).where('file_id', '=', file).execute()
  await touchLocale(db, lockedRow, writing)
  const { description, position } = was
  await audit(db, writing.by, {
    action: 'locale.photo',
    ...subject(locale),
    before: { file_id: file, description, position },
    after: { file_id: file, ...is },
  })
  return getPhoto(db, locale, file)
}

/** Deletes a photo with its file row; the bytes are deleted by the sweep job. */
export async function removePhoto(db: Db, locale: string, file: string, writing: WriteContext) {
  const lockedRow = await lockLocale(db, locale)
  const { description } = await getPhoto(db, locale, file)
  await db.deleteFrom('locale_photos').where('locale_id', '=', locale).where('file_id', '=', file).execute()
  const { rest } = await db
    .selectFrom('locale_photos')
    .select(({ fn }) => fn.countAll<number>().as('rest'))
    .where('file_id', '=', file)
    .executeTakeFirstOrThrow()
  if (Number(rest) === 0)
    await db.deleteFrom('stored_files').where('id', '=', file).where('bucket', '=', BUCKET).execute()
  await touchLocale(db, lockedRow, writing)
  await audit(db, writing.by, {
    action: 'locale.photo_removed',
    ...subject(locale),
    before: { file_id: file, description },
  })
}

async function getPhoto(db: Db, locale: string, file: string): Promise<ManagedPhoto> {
  return (await photosOf(db, locale)).find((photo) => photo.file_id === file) ?? noSuchPhoto()
}

function noSuchPhoto(): never {
  throw new AppError(404, 'photo_not_found', 'Photo not found.')
}

/**
 * Serves the photo publicly while the public row of the locale lists it. Checked on each request, so that access can
 * end.
 */
export async function publicPhoto(
  store: Store,
  { database, headers }: { database: Database; headers: Headers },
  locale: string,
  file: string,
): Promise<Response> {
  const row = await withClaims(database, { as: 'anonymous' }, (db) =>
    db.selectFrom('public_locales').select('photos').where('id', '=', locale).executeTakeFirst(),
  )
  if (!row?.photos.some(({ file_id }) => file_id === file)) noSuchPhoto()
  const stored = await withClaims(database, { as: 'service', name: 'locale photos' }, (db) =>
    db.selectFrom('stored_files').selectAll().where('id', '=', file).executeTakeFirst(),
  )
  if (!stored || !(await store.exists(keyOf(stored)))) noSuchPhoto()
  return fileResponse(store, stored, headers)
}

const subject = (id: string) => ({ subject_type: 'locale', subject_id: id })
