import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { syncEntry, syncTree } from './engine-fs.ts'

/** The PostgreSQL inside the engine that is installed; the files of another are not read. */
export const ENGINE_MAJOR = '18'

const MARKER = 'portal.json'
const DATABASE = 'pglite'
const HALF_MADE = 'pglite.new'
/** What may lie in a directory in which nothing has begun: the lock, and what file systems and desktops leave. */
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

/** What is written down of a data directory once its database is whole. */
export interface Marker {
  format: 1
  created_at: string
  /** False while the database is being made: a start that was cut there begins again. */
  is_made: boolean
  /** Major version of the PostgreSQL that its files belong to. */
  postgres: string
  /** Dated content and demo logins are loaded into a new database only, and once. */
  sample: 'pending' | 'loaded'
  /** False when it was last written without waiting for the disk: then all of it is put there before it is relied on. */
  is_synced: boolean
}

interface Making {
  isDurable: boolean
  make: (folder: string) => Promise<void>
}

/** A data directory that must be left as it is; the message says what to do. */
export class DataDirectoryError extends Error {}

/**
 * Gives the folder of the database in a data directory. In an empty directory `make` fills a new folder, which gets its
 * name only when all of it is on the disk. A directory with content but without a whole database is refused: a new
 * database there would hide that the old one is gone.
 */
export async function prepareDataDirectory(directory: string, options: Making): Promise<string> {
  const folder = path.join(directory, DATABASE)
  const marker = readMarker(directory)
  const isBegun = marker?.is_made === false
  const content = readdirSync(directory).filter((name) => !isNoContent(name) && !(isBegun && name === MARKER))
  // Killed while making it: nothing was ever kept in there.
  rmSync(path.join(directory, HALF_MADE), { recursive: true, force: true })
  if (content.length === 0) await makeDatabase(directory, options)
  else checkDatabase(directory, folder, marker !== undefined)
  // The lock says that nobody else is in here. One that a power cut left empty would stop the engine.
  rmSync(path.join(folder, 'postmaster.pid'), { force: true })
  // Without a marker: made by an older version. Whoever used it has what samples it ever got.
  const existing = readMarker(directory) ?? newMarker('loaded')
  if (options.isDurable && !existing.is_synced) syncTree(folder)
  const next: Marker = { ...existing, is_made: true, is_synced: options.isDurable }
  if (!marker || JSON.stringify(next) !== JSON.stringify(existing)) writeMarker(directory, next)
  return folder
}

/** True until the sample content of a new database has been loaded. */
export const awaitsSample = (directory: string): boolean => readMarker(directory)?.sample === 'pending'

/** Writes down that the sample content is there, so that it never comes back into a database in use. */
export function markSampleLoaded(directory: string): void {
  writeMarker(directory, { ...(readMarker(directory) ?? newMarker('loaded')), sample: 'loaded' })
}

async function makeDatabase(directory: string, { isDurable, make }: Making): Promise<void> {
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
    // Of one that is found nobody knows.
    is_synced: false,
  }
}

function checkDatabase(directory: string, folder: string, isMarked: boolean): void {
  const missing = missingFile(folder)
  if (missing) throw new DataDirectoryError(refusal(directory, missing, isMarked))
  const major = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim()
  if (major !== ENGINE_MAJOR)
    throw new DataDirectoryError(
      `The database in ${directory} was written by PostgreSQL ${major}, and this version of the portal brings ${ENGINE_MAJOR}. Nothing was changed. Start the version of the portal that wrote it, make a backup there, and restore that with this one into a new DATA_DIR.`,
    )
}

/** The first thing that a whole database has and this folder lacks. */
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

/** Replaced as a whole, so that a power cut leaves the old one or the new one. */
function writeMarker(directory: string, marker: Marker): void {
  const file = path.join(directory, MARKER)
  writeFileSync(`${file}.new`, `${JSON.stringify(marker, null, 2)}\n`, { mode: 0o600 })
  syncEntry(`${file}.new`)
  renameSync(`${file}.new`, file)
  syncEntry(directory)
}
