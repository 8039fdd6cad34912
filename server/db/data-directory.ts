import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { syncOne, syncTree } from './durable-fs.ts'

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
}

/** A data directory that must be left as it is; the message says what to do. */
export class DataDirectoryError extends Error {}

/**
 * Gives the folder of the database in a data directory. In an empty directory `make` fills a new folder, which gets its
 * name only when all of it is on the disk. A directory with content but without a whole database is refused: a new
 * database there would hide that the old one is gone.
 */
export async function prepareDataDirectory(
  directory: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = path.join(directory, DATABASE)
  const marker = readMarker(directory)
  const isBegun = marker?.is_made === false
  const content = readdirSync(directory).filter((name) => !NOT_CONTENT.has(name) && !(isBegun && name === MARKER))
  // Killed while making it: nothing was ever kept in there.
  rmSync(path.join(directory, HALF_MADE), { recursive: true, force: true })
  if (content.length === 0) {
    await makeDatabase(directory, make)
    return folder
  }
  const missing = missingPart(folder)
  if (missing) throw new DataDirectoryError(refusal(directory, missing, marker !== undefined))
  const major = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim()
  if (major !== ENGINE_MAJOR)
    throw new DataDirectoryError(
      `The database in ${directory} was written by PostgreSQL ${major}, and this version of the portal brings ${ENGINE_MAJOR}. Nothing was changed. Start the version of the portal that wrote it, make a backup there, and restore that with this one into a new DATA_DIR.`,
    )
  if (isBegun) writeMarker(directory, { ...marker, is_made: true })
  // Made by a version that wrote no marker. Whoever used it has what samples it ever got.
  if (!marker) writeMarker(directory, newMarker({ is_made: true, sample: 'loaded' }))
  return folder
}

/** True until the sample content of a new database has been loaded. */
export const awaitsSample = (directory: string): boolean => readMarker(directory)?.sample === 'pending'

/** Writes down that the sample content is there, so that it never comes back into a database in use. */
export function markSampleLoaded(directory: string): void {
  writeMarker(directory, {
    ...(readMarker(directory) ?? newMarker({ is_made: true, sample: 'loaded' })),
    sample: 'loaded',
  })
}

async function makeDatabase(directory: string, make: (folder: string) => Promise<void>): Promise<void> {
  const half = path.join(directory, HALF_MADE)
  const marker = newMarker({ is_made: false, sample: 'pending' })
  writeMarker(directory, marker)
  mkdirSync(half, { mode: 0o700 })
  await make(half)
  syncTree(half)
  renameSync(half, path.join(directory, DATABASE))
  syncOne(directory)
  writeMarker(directory, { ...marker, is_made: true })
}

const newMarker = (state: Pick<Marker, 'is_made' | 'sample'>): Marker => ({
  format: 1,
  created_at: new Date().toISOString(),
  postgres: ENGINE_MAJOR,
  ...state,
})

/** The first thing that a whole database has and this folder lacks. */
function missingPart(folder: string): string | undefined {
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
  syncOne(`${file}.new`)
  renameSync(`${file}.new`, file)
  syncOne(directory)
}
