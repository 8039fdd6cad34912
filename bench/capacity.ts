import { sql } from 'kysely'
import { openPostgres } from '#server/db/connection.ts'
import { count, type Row } from './report.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { load } from './tools/load.ts'
import { withLocales } from './tools/locales.ts'
import { type Portal, startPortal } from './tools/portal.ts'
import { seedReaders } from './tools/subscribers.ts'

const ACCOUNTS = 10_000
const LOCALES = 20_000
const CONNECTIONS = 32
/** Pages and lists that visitors open, and locations searched once. */
const PATHS = [
  '/',
  '/travel-advisories',
  '/emergency',
  '/countries/JP',
  '/api/public/travel-advisories?limit=50',
  ...Array.from(
    { length: 200 },
    (_, i) => `/church-locator?lat=${(35 + i / 100).toFixed(2)}&lng=${(139 - i / 50).toFixed(2)}`,
  ),
]

/**
 * Resource use for the given numbers of accounts and locales, with all cities: memory of each process type, idle and
 * after maximum load, and database disk space. Source of the sizing table in docs/deploy.md.
 */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await withLocales(await ground.database(), LOCALES)
  const disk = await filled(url)
  const environment = { DATABASE_URL: url, CITIES: '135233' }
  const all = await startPortal({ ...environment, ROLE: 'all' })
  const both = await idleAndLoaded(all, ground.options.seconds)
  await all.stop()
  const web = await startPortal({ ...environment, ROLE: 'web' })
  const alone = await idleAndLoaded(web, ground.options.seconds)
  await web.stop()
  const embedded = await startPortal({ DATA_DIR: await ground.dataDirectory(), CITIES: '135233' })
  const small = await idleAndLoaded(embedded, ground.options.seconds)
  await embedded.stop()
  return [
    memoryRow('one process for all, on PostgreSQL', both),
    memoryRow('web process, on PostgreSQL', alone),
    memoryRow('one process, embedded, 2,000 advisories', small),
    {
      what: `database with ${count(ACCOUNTS)} accounts and ${count(LOCALES)} locales`,
      budget: '',
      measured: megabytes(disk),
      baseline: '',
      ratio: '',
      isMet: null,
    },
  ]
}

interface Memory {
  idle: number
  loaded: number
}

async function idleAndLoaded(portal: Portal, seconds: number): Promise<Memory> {
  await portal.waitUntilIdle()
  const idle = portal.residentBytes() ?? Number.NaN
  const { errors } = await load({
    origin: portal.url,
    paths: PATHS,
    headers: { 'accept-encoding': 'br' },
    connections: CONNECTIONS,
    seconds: Math.max(10, seconds),
  })
  if (errors > 0) console.error(`  ${errors} answers were not good`)
  return { idle, loaded: portal.residentBytes() ?? Number.NaN }
}

async function filled(url: string): Promise<number> {
  const database = openPostgres(url, { poolSize: 2 })
  await seedReaders(database, ACCOUNTS, 9)
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    database.background.kysely,
  )
  await database.close()
  return Number(rows[0]!.bytes)
}

const megabytes = (bytes: number) => `${count(bytes / 2 ** 20)} MB`

const memoryRow = (what: string, { idle, loaded }: Memory): Row => ({
  what: `${what}: memory after ${CONNECTIONS} connections without pause`,
  budget: '',
  measured: megabytes(loaded),
  baseline: `${megabytes(idle)} idle`,
  ratio: `${(loaded / idle).toFixed(2)} ×`,
  isMet: null,
})
