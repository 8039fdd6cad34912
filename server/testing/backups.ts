import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'
import { makeBackup } from '#server/backup/backup.ts'
import { openBackup } from '#server/backup/manifest.ts'
import type { BackupOptions } from '#server/backup/options.ts'
import { type RestoreOptions, restoreBackup } from '#server/backup/restore.ts'
import { openSession, type Session, sessionOn } from '#server/backup/session.ts'
import { type Database, openPostgres } from '#server/db/connection.ts'
import { openPglite } from '#server/db/embedded.ts'
import { openStore } from '#server/files/store.ts'

/** Where a portal stores its rows and files. */
export interface Place {
  databaseUrl: string | undefined
  dataDir: string
}

/** Folders and empty databases for one test file, removed after its last test. */
export function backupPlaces() {
  const cleanings: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    // Close in reverse order of opening.
    for (const clean of cleanings.reverse()) await clean()
  })

  function temporaryFolder(name: string): string {
    const folder = mkdtempSync(path.join(tmpdir(), `portal-${name}-`))
    cleanings.push(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  /** An empty database of the engine under test, or on the server specified; '' is the embedded one. */
  async function emptyPlace(server = process.env.TEST_DATABASE_URL, owner?: string): Promise<Place> {
    const dataDir = path.join(temporaryFolder('place'), 'data')
    if (!server) return { databaseUrl: undefined, dataDir }
    const name = `portal_place_${process.pid}_${randomBytes(5).toString('hex')}`
    await asAdministrator(
      server,
      `create database ${name} ${owner ? `owner ${owner}` : ''} template template0 encoding 'UTF8'`,
    )
    cleanings.push(() => asAdministrator(server, `drop database if exists ${name} with (force)`))
    const url = new URL(server)
    url.pathname = `/${name}`
    if (owner) url.username = owner
    return { databaseUrl: url.href, dataDir }
  }

  return { temporaryFolder, emptyPlace, onEnd: (clean: () => void) => void cleanings.push(clean) }
}

async function asAdministrator(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** The database of a place, as the portal opens it. */
export const openPlace = ({ databaseUrl, dataDir }: Place): Promise<Database> | Database =>
  databaseUrl ? openPostgres(databaseUrl, { poolSize: 4 }) : openPglite(dataDir, { isDurable: false })

export const storeOf = ({ dataDir }: Pick<Place, 'dataDir'>) => openStore({ files: undefined, dataDir })

/** Runs `fn` on a connection of a database that stays open. */
export async function withSession<T>(database: Database, fn: (session: Session) => Promise<T>): Promise<T> {
  const client = await database.background.pool.connect()
  const session = await sessionOn(client, database.engine, async () => {})
  try {
    return await fn(session)
  } finally {
    await session.close()
  }
}

/** Backs up a database that stays open. */
export const backUp = (database: Database, options: Pick<BackupOptions, 'store' | 'to'> & Partial<BackupOptions>) =>
  withSession(database, (session) => makeBackup({ session, withSecrets: false, passphrase: undefined, ...options }))

/** Restores a backup into a place, as the command does. */
export async function restoreInto(
  place: Place,
  folder: string,
  more: Partial<RestoreOptions> & { passphrase?: string; wrap?: (session: Session) => Session } = {},
) {
  const { passphrase, wrap = (session) => session, ...options } = more
  const backup = await openBackup(folder, passphrase)
  const session = await openSession({ ...place, isDurable: false })
  try {
    return await restoreBackup({
      session: wrap(session),
      store: await storeOf(place),
      backup,
      replaces: false,
      preservesSessions: false,
      sendsPending: false,
      ...options,
    })
  } finally {
    await session.close()
  }
}

/** Queries the database of a place. */
export async function rowsIn<T extends object>(place: Place, text: string, values?: unknown[]): Promise<T[]> {
  const session = await openSession({ ...place, isDurable: false })
  try {
    return await session.query<T>(text, values)
  } finally {
    await session.close()
  }
}
