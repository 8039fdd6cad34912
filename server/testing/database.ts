import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll } from 'vitest'
import { type Database, openPostgres } from '#server/db/connection.ts'
import { openPglite } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'

/**
 * A migrated, empty database for one test file: `const database = await testDatabase()` at its top. PGlite in memory,
 * or a separate database on the server of TEST_DATABASE_URL. Closed, and dropped there, after the file's last test.
 */
export async function testDatabase(): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL
  const { database, remove } = server ? await cloneOnServer(server) : await cloneInMemory()
  afterAll(async () => {
    await database.close()
    await remove()
  })
  return database
}

/** Empties every table of the portal, for a test that counts rows. */
export async function emptyTables(database: Database): Promise<void> {
  await sql`truncate advisory_sources, travel_advisories, advisory_versions, advisory_acknowledgments, feed_runs,
    country_aliases, faq_entries, settings, audit_log, notifications cascade`.execute(database.background.kysely)
}

/** A busy machine must not fail tests by the limits of the portal, which connection.test.ts is about. */
const PATIENT = { connectMs: 60_000, statementMs: 60_000 }

interface Clone {
  database: Database
  remove: () => Promise<void>
}

async function cloneInMemory(): Promise<Clone> {
  const from = new Blob([readFileSync(await embeddedTemplate())])
  return { database: await openPglite(undefined, { from }), remove: async () => {} }
}

/** Puts a migrated, empty embedded database into a data directory, where creating one takes seconds. */
export async function fillDataDirectory(directory: string): Promise<void> {
  const folder = path.join(directory, 'pglite')
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xf', await embeddedTemplate(), '-C', folder], { stdio: 'ignore' })
}

/** Created once per set of migrations and stored as a file: a clone takes 0.5 s, a new database with migrations 4 s. */
async function embeddedTemplate(): Promise<string> {
  const file = path.join(tmpdir(), `portal-template-${process.getuid?.() ?? 0}-${migrationsHash()}-2.tar`)
  if (!existsSync(file)) {
    const database = await openPglite()
    await migrate(database)
    // Otherwise every clone would recover first, by replaying the log of all migrations.
    await database.background.pool.query('checkpoint')
    const dump = Buffer.from(await (await database.embedded!.dump()).arrayBuffer())
    await database.close()
    // Renamed once complete: test files that start together may each create one, and none reads a partial file.
    const own = `${file}.${randomBytes(6).toString('hex')}`
    writeFileSync(own, dump, { mode: 0o600 })
    renameSync(own, file)
  }
  return file
}

async function cloneOnServer(url: string): Promise<Clone> {
  const template = `portal_template_${migrationsHash()}`
  const name = `portal_test_${process.pid}_${randomBytes(5).toString('hex')}`
  await asAdministrator(url, async (client) => {
    await makeTemplate(client, url, template)
    await client.query(`create database ${name} template ${template}`)
  })
  return {
    database: openPostgres(onDatabase(url, name), { poolSize: 6, limits: PATIENT }),
    remove: () => asAdministrator(url, (client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

async function makeTemplate(client: pg.Client, url: string, template: string): Promise<void> {
  // A session lock, released with this connection: the first test file creates the template, the others wait.
  await client.query(`select pg_advisory_lock(hashtext('portal.template'))`)
  const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
  if (!rowCount) {
    const half = `${template}_half`
    await client.query(`drop database if exists ${half} with (force)`)
    await client.query(`create database ${half} template template0 encoding 'UTF8'`)
    const database = openPostgres(onDatabase(url, half), { poolSize: 2 })
    await migrate(database).finally(() => database.close())
    await client.query(`alter database ${half} rename to ${template}`)
  }
  await client.query(`select pg_advisory_unlock(hashtext('portal.template'))`)
}

async function asAdministrator(url: string, fn: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await fn(client)
  } finally {
    await client.end()
  }
}

function onDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

function migrationsHash(): string {
  const folder = new URL('../db/migrations/', import.meta.url)
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(new URL(file, folder)))
  return hash.digest('hex').slice(0, 12)
}
