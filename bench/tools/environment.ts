import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { ROOT } from './processes.ts'
import { seedDirectory, seedPostgres } from './seed.ts'

export interface Options {
  /** Length of one round under load. */
  seconds: number
  /** Number of alternations between the compared variants. */
  rounds: number
  /** Number of page loads, or of node stops. */
  repeat: number
}

export type BenchEnvironment = Awaited<ReturnType<typeof prepareGround>>

/**
 * Shared set-up of the measurements: databases and data directories with the same content, each created on first use.
 */
export async function prepareGround(options: Options) {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'portal-bench-'))
  let server: Promise<Postgres> | undefined
  let directory: Promise<string> | undefined
  const databases: string[] = []

  async function seededServer(): Promise<Postgres> {
    const postgres = await startPostgres()
    if (postgres.url) await makeTemplate(postgres.url)
    return postgres
  }

  async function seededDirectory(): Promise<string> {
    const made = path.join(temporary, 'seeded')
    await seedDirectory(made)
    return made
  }

  return {
    options,
    temporary,

    /** A separate PostgreSQL database with the content. Fails if PostgreSQL is not available. */
    async database(): Promise<string> {
      server ??= seededServer()
      const { url, what } = await server
      if (!url) throw new Error(`This measurement needs PostgreSQL: ${what}`)
      const name = `portal_bench_${process.pid}_${databases.length}`
      databases.push(name)
      await administer(url, `create database ${name} template ${TEMPLATE}`)
      return onDatabase(url, name)
    },

    /** A copy of the embedded database's directory with the content. */
    async dataDirectory(): Promise<string> {
      directory ??= seededDirectory()
      const copy = mkdtempSync(path.join(temporary, 'data-'))
      cpSync(await directory, copy, { recursive: true })
      return copy
    },

    /** Stops a temporary server; on an existing server it drops what it has created. */
    async stop(): Promise<void> {
      const postgres = await server?.catch(() => undefined)
      for (const name of postgres?.url ? [...databases, TEMPLATE] : [])
        await administer(postgres!.url!, `drop database if exists ${name} with (force)`).catch(() => {})
      postgres?.stop()
      rmSync(temporary, { recursive: true, force: true })
    },
  }
}

interface Postgres {
  url: string | undefined
  what: string
  stop: () => void
}

const TEMPLATE = `portal_bench_${process.pid}_template`

async function startPostgres(): Promise<Postgres> {
  const file: string = path.join(ROOT, 'scripts/testing/postgres.mjs')
  const found: Postgres = await (await import(file)).startPostgres()
  console.error(`  PostgreSQL: ${found.what}`)
  return found
}

async function makeTemplate(url: string): Promise<void> {
  await administer(url, `create database ${TEMPLATE} template template0 encoding 'UTF8'`)
  await seedPostgres(onDatabase(url, TEMPLATE))
  const client = new pg.Client({ connectionString: onDatabase(url, TEMPLATE) })
  await client.connect()
  await client.query('vacuum analyze').finally(() => client.end())
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

function onDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
