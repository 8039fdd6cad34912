import { createHash, type Hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { keyOf, type Store } from '#server/files/store.ts'
import { readBackupFile, writeBackupFile } from './backup-files.ts'
import type { Encryption } from './encryption.ts'
import { filePath, type Manifest, type OpenBackup } from './manifest.ts'
import type { BackupOptions } from './options.ts'
import { inTransaction, type Session } from './session.ts'

export interface StoredFile {
  bucket: Parameters<typeof keyOf>[0]['bucket']
  id: string
  sha256: string
}

/** Copies the bytes of every row. Missing and mismatching files are listed; mismatching ones are still copied. */
export async function backUpFiles(
  { store, session }: Pick<BackupOptions, 'store' | 'session'>,
  files: StoredFile[],
  folder: string,
  encryption: Encryption | null,
): Promise<Pick<Manifest, 'files' | 'missing_files'>> {
  const listed: Manifest['files'] = []
  const missing: Manifest['missing_files'] = []
  for (const file of files) {
    const key = keyOf(file)
    const hash = createHash('sha256')
    const checksum = await copied(store, key, folder, hash, encryption)
    if (!checksum) missing.push({ key, reason: (await isStillWanted(session, file)) ? 'missing' : 'deleted' })
    else {
      listed.push({ key, ...checksum })
      if (hash.digest('hex') !== file.sha256) missing.push({ key, reason: 'damaged' })
    }
  }
  return { files: listed, missing_files: missing }
}

/** Undefined if the bytes do not exist. */
async function copied(store: Store, key: string, folder: string, hash: Hash, encryption: Encryption | null) {
  try {
    if (!(await store.exists(key))) return undefined
    return await writeBackupFile(folder, filePath(key), hashed(await store.getStream(key), hash), { encryption })
  } catch (error) {
    const { code, name } = ((error as Error).cause ?? error) as { code?: string; name?: string }
    if (code !== 'ENOENT' && name !== 'NoSuchKey' && name !== 'NotFound') throw error
    // Removed between the two calls.
    await rm(path.join(folder, filePath(key)), { force: true })
    return undefined
  }
}

async function* hashed(source: Readable, hash: Hash) {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
}

/** A file that its owner removed after the snapshot is not a loss. */
async function isStillWanted(session: Session, { id }: StoredFile): Promise<boolean> {
  return inTransaction(session, 'begin read only', async () => {
    await session.query(`select set_config('role', 'portal_service', true)`)
    return (await session.query('select from stored_files where id = $1', [id])).length > 0
  })
}

/** Restores the files of a backup before their rows. Until the rows exist, the clean-up job would remove them. */
export async function restoreFiles(store: Store, { folder, manifest, encryption }: OpenBackup): Promise<void> {
  for (const { key } of manifest.files) {
    // Buffered in memory: S3 needs the length, and the largest file is 10 MB.
    await store.put(key, new Uint8Array(await buffer(await readBackupFile(folder, filePath(key), encryption))))
  }
}
