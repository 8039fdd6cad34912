import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod'
import { firstOf } from '#shared/assert.ts'
import { type Encryption, keysOf, SALT_BYTES } from './encryption.ts'
import { BackupError } from './error.ts'

export const MANIFEST = 'manifest.json'
/** A hash of the manifest, keyed by the passphrase if the backup is encrypted. */
export const SEAL = 'manifest.sha256'
export const FORMAT = 2
/** Format 1 recorded no checksums of the migrations, and those of that time are gone. */
export const BEFORE_BASELINE =
  'This backup is older than the migration baseline and cannot be restored by this version. Nothing was changed. ' +
  'Restore it with the version that made it.'
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024

// Paths are built from names, never read; a name that matches these patterns cannot escape the folder.
const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().min(0)
const WholeNumber = z.string().regex(/^-?\d{1,40}$/)
const FileKey = z.string().regex(/^[a-z][a-z0-9-]{0,40}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

const Checksum = { bytes: Count, sha256: Sha256 }

export const Manifest = z.object({
  format: z.literal(FORMAT),
  created_at: z.iso.datetime(),
  engine: z.enum(['postgres', 'pglite']),
  server: z.string().max(100),
  migrations: z.array(z.object({ name: z.string().regex(/^[\w.-]{1,100}\.sql$/), checksum: Sha256 })).min(1),
  /** The digest is independent of row order, so any database can compute it. */
  tables: z.array(
    z.object({
      name: Name,
      columns: z.array(Name).min(1),
      rows: Count,
      digest: z.string().regex(/^\d+$/),
      ...Checksum,
    }),
  ),
  sequences: z.array(z.object({ name: Name, value: WholeNumber, is_called: z.boolean() })),
  files: z.array(z.object({ key: FileKey, ...Checksum })),
  missing_files: z.array(z.object({ key: FileKey, reason: z.enum(['deleted', 'missing', 'damaged']) })),
  has_secrets: z.boolean(),
  /** Row-level security, policies, grants, triggers and functions, one line each. */
  rules: z.array(z.string().max(1000)),
  encryption: z.object({ salt: z.string().regex(new RegExp(`^[0-9a-f]{${SALT_BYTES * 2}}$`)) }).nullable(),
})
export type Manifest = z.infer<typeof Manifest>

export const tablePath = (name: string) => path.join('tables', `${name}.jsonl.gz`)
export const filePath = (key: string) => path.join('files', ...key.split('/'))

/** The seal line for the bytes of a manifest. */
export const sealOf = (bytes: string | Buffer, encryption: Encryption | null) =>
  encryption
    ? createHmac('sha256', encryption.sealKey).update(bytes).digest('hex')
    : createHash('sha256').update(bytes).digest('hex')

export interface OpenBackup {
  folder: string
  manifest: Manifest
  encryption: Encryption | null
}

/** Reads a backup's manifest. Throws a readable error if it is missing, modified, or the passphrase is wrong. */
export async function openBackup(folder: string, passphrase: string | undefined): Promise<OpenBackup> {
  const bytes = await readManifest(folder)
  const manifest = parsed(bytes, folder)
  if (manifest.encryption && passphrase === undefined)
    throw new BackupError('This backup is encrypted. Use --passphrase-file.')
  const encryption =
    manifest.encryption && passphrase !== undefined
      ? await keysOf(passphrase, Buffer.from(manifest.encryption.salt, 'hex'))
      : null
  const seal = (await readFile(path.join(folder, SEAL), 'utf8').catch(() => '')).trim()
  const expected = sealOf(bytes, encryption)
  if (seal.length !== expected.length || !timingSafeEqual(Buffer.from(seal), Buffer.from(expected)))
    throw new BackupError(
      encryption
        ? 'The passphrase is wrong, or the manifest of this backup was changed.'
        : 'The manifest of this backup was changed or is damaged. Use another backup.',
    )
  return { folder, manifest, encryption }
}

async function readManifest(folder: string): Promise<Buffer> {
  const file = path.join(folder, MANIFEST)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile())
    throw new BackupError(`${folder} holds no whole backup: there is no ${MANIFEST} in it. Use another backup.`)
  if (found.size > MAX_MANIFEST_BYTES) throw new BackupError(`${file} is too large for the manifest of a backup.`)
  return readFile(file)
}

function parsed(bytes: Buffer, folder: string): Manifest {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new BackupError(`The manifest of ${folder} is damaged: it is not JSON. Use another backup.`)
  }
  const format = (json as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupError('This backup was made by a newer version of the portal. Install that version first.')
  if (typeof format === 'number' && format < FORMAT) throw new BackupError(BEFORE_BASELINE)
  const result = Manifest.safeParse(json)
  if (!result.success) {
    const { path: where, message } = firstOf(result.error.issues)
    throw new BackupError(`The manifest of ${folder} is not a backup manifest: ${where.join('.')}: ${message}`)
  }
  const { tables, files } = result.data
  const names = [...tables.map(({ name }) => name), ...files.map(({ key }) => key)]
  if (new Set(names).size !== names.length)
    throw new BackupError(`The manifest of ${folder} contains duplicates. Use another backup.`)
  return result.data
}
