import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { syncEntry, syncTree } from './engine-fs.ts'

/** PostgreSQL version inside the installed engine; it cannot read the files of another. */
export const ENGINE_MAJOR = '18'

const MARKER = 'portal.json'
const DATABASE = 'pglite'
const HALF_MADE = 'pglite.new'
/** Entries allowed in an empty data directory: the lock, and files of file systems and desktops. */
const NOT_CONTENT = new Set([
  'portal.lock',
  HALF_MADE,
  `${MARKER}.new`,
  'lost+found',
  '.DS_Store',
  '.gitkeep',
  'Thumbs.db',
])

const isNoContent = (name: string) => NOT_CONTENT.has(name) || name.startsWith('portal.lock')

/** Contents of a data directory's marker file. */
export interface Marker {
  format: 1
  created_at: string
  /** False while the database is being created: an interrupted start begins again. */
  is_made: boolean
  /** Major PostgreSQL version of its files. */
  postgres: string
  /** Dated content and demo logins are loaded once, into a new database only. */
  sample: 'pending' | 'loaded'
  /** False when last written without waiting for the disk: then everything is synced before it is relied on. */
  is_synced: boolean
}

interface DirectoryCreation {
  isDurable: boolean
  make: (folder: string) => Promise<void>
}

/** Thrown for a data directory that must not be touched; the message says what to do. */
export class DataDirectoryError extends Error {}

/**
 * Returns the database folder of a data directory. In an empty directory `make` fills a new folder, renamed into place
 * only once it is all on disk. A directory with content but without a whole database is refused: a new database there
 * would hide the loss of the old one.
 */
export async function prepareDataDirectory(directory: string, options: DirectoryCreation): Promise<string> {
  const folder = path.join(directory, DATABASE)
  const marker = readMarker(directory)
  const isBegun = marker?.is_made === false
  const content = readdirSync(directory).filter((name) => !isNoContent(name) && !(isBegun && name === MARKER))
  // Killed while creating it: it never held any data.
  rmSync(path.join(directory, HALF_MADE), { recursive: true, force: true })
  if (content.length === 0) await makeDatabase(directory, options)
  else checkDatabase(directory, folder, marker !== undefined)
  // Our lock guarantees exclusive access. An empty one after a power cut would stop the engine.
  rmSync(path.join(folder, 'postmaster.pid'), { force: true })
  // No marker: created by an older version, which already loaded any samples it was meant to have.
  const existing = readMarker(directory) ?? newMarker('loaded')
  if (options.isDurable && !existing.is_synced) syncTree(folder)
  const next: Marker = { ...existing, is_made: true, is_synced: options.isDurable }
  if (!marker || JSON.stringify(next) !== JSON.stringify(existing)) writeMarker(directory, next)
  return folder
}

/** True until the sample content of a new database has been loaded. */
export const awaitsSample = (directory: string): boolean => readMarker(directory)?.sample === 'pending'

/** Records that the sample content is loaded, so that it is never added to a database in use. */
export function markSampleLoaded(directory: string): void {
  writeMarker(directory, { ...(readMarker(directory) ?? newMarker('loaded')), sample: 'loaded' })
}

async function makeDatabase(directory: string, { isDurable, make }: DirectoryCreation): Promise<void> {
  const half = path.join(directory, HALF_MADE)
  writeMarker(directory, { ...newMarker('pending'), is_made: false, is_synced: isDurable })
  mkdirSync(half, { mode: 0o700 })
  await make(half)
  if (isDurable) syncTree(half)
  renameSync(half, path.join(directory, DATABASE))
  syncEntry(directory)
}

function newMarker(sample: Marker['sample']): Marker {
  return {
    format: 1,
    created_at: new Date().toISOString(),
    is_made: true,
    postgres: ENGINE_MAJOR,
    sample,
    // Unknown for an existing database.
    is_synced: false,
  }
}

function checkDatabase(directory: string, folder: string, isMarked: boolean): void {
  const missing = missingFile(folder)
  if (missing) throw new DataDirectoryError(refusal(directory, missing, isMarked))
  const major = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim()
  if (major !== ENGINE_MAJOR)
    throw new DataDirectoryError(
      `The database in ${directory} was written by PostgreSQL ${major}, but this version of the portal includes ${ENGINE_MAJOR}. Nothing was changed. Back it up with the version of the portal that wrote it. Then restore the backup with this version to a new DATA_DIR.`,
    )
}

/** The first file of a whole database that this folder lacks. */
function missingFile(folder: string): string | undefined {
  return ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'].find((name) => {
    const full = path.join(folder, name)
    return !existsSync(full) || (statSync(full).isFile() && statSync(full).size === 0)
  })
}

function refusal(directory: string, missing: string, isMarked: boolean): string {
  const was = isMarked
    ? `holds a database of which pglite/${missing} is missing`
    : `is not empty and holds no whole database (pglite/${missing} is missing)`
  return `The data directory ${directory} ${was}. Nothing was changed, and no new database is made over it. Restore a backup into an empty directory, or, if this is not the portal's directory, set DATA_DIR to another. To begin anew, move the directory away first.`
}

function readMarker(directory: string): Marker | undefined {
  const file = path.join(directory, MARKER)
  if (!existsSync(file)) return undefined
  try {
    const marker = JSON.parse(readFileSync(file, 'utf8')) as Marker
    if (marker.format === 1) return marker
  } catch {
    throw new DataDirectoryError(
      `${file} cannot be read as JSON. Restore it from a backup, or delete this one file: then the database beside it is taken as it is.`,
    )
  }
  throw new DataDirectoryError(
    `${file} was written by a newer version of the portal. Start that version, or restore a backup of this one.`,
  )
}

/** Replaced atomically, so that a power cut leaves either the old or the new one. */
function writeMarker(directory: string, marker: Marker): void {
  const file = path.join(directory, MARKER)
  writeFileSync(`${file}.new`, `${JSON.stringify(marker, null, 2)}\n`, { mode: 0o600 })
  syncEntry(`${file}.new`)
  renameSync(`${file}.new`, file)
  syncEntry(directory)
}
