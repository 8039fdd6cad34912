import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { findActiveAdvisories, type ResolvedFilters } from '#server/advisories/queries.ts'
import type { Tables } from '#server/db/tables.ts'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { count, median, milliseconds, type Row, times } from './report.ts'
import { capture, serveBytes } from './tools/bytes.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { load } from './tools/load.ts'
import type { LoadResult } from './tools/loader.ts'
import { startPortal } from './tools/portal.ts'
import { loadSql } from './tools/sql.ts'
import { withValues } from './tools/statements.ts'

const CONNECTIONS = 16
const LIST = SEVERITIES.map((severity) => `/api/public/travel-advisories?severity_level=${severity}&limit=50`)
const PAGES = SEVERITIES.map((severity) => `/travel-advisories?severity_level=${severity}`)

/**
 * Filtered lists of 50 as JSON and as a page, compared with a bare server sending the same bytes and with the same
 * query in SQL.
 */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await ground.database()
  const portal = await startPortal({ DATABASE_URL: url })
  try {
    await checkLists(portal.url)
    const statements = await statementsOf(url)
    const rows: Row[] = []
    for (const [what, paths] of [
      ['advisory list', LIST],
      ['page of advisories', PAGES],
    ] as const)
      for (const encoding of ['br', 'identity'] as const)
        rows.push(...(await compare(ground, portal.url, { what: `${what}, ${encoding}`, paths, encoding })))
    rows.push(await compareWithSql(ground, portal.url, url, statements))
    return rows
  } finally {
    await portal.stop()
  }
}

interface Case {
  what: string
  paths: string[]
  encoding: string
}

async function compare(ground: BenchEnvironment, portal: string, { what, paths, encoding }: Case): Promise<Row[]> {
  const headers = { 'accept-encoding': encoding }
  const bytes = await serveBytes(await capture(portal, paths, headers))
  const { seconds, rounds } = ground.options
  const task = { paths, headers, connections: CONNECTIONS, seconds }
  const ours: LoadResult[] = []
  const bare: LoadResult[] = []
  const sides = [
    { origin: portal, seen: ours },
    { origin: bytes.url, seen: bare },
  ]
  for (let round = 0; round < rounds; round++)
    for (const { origin, seen } of round % 2 ? sides.toReversed() : sides) seen.push(await load({ ...task, origin }))
  bytes.stop()
  const errors = ours.reduce((sum, { errors }) => sum + errors, 0)
  const rate = median(ours.map((run, i) => run.perSecond / bare[i]!.perSecond))
  const p99 = median(ours.map((run, i) => run.p99 / bare[i]!.p99))
  return [
    {
      what: `${what}: answers/s, ${CONNECTIONS} connections${errors > 0 ? `, **${errors} errors**` : ''}`,
      budget: '≥ 0.70 × bare node:http',
      measured: count(median(ours.map(({ perSecond }) => perSecond))),
      baseline: count(median(bare.map(({ perSecond }) => perSecond))),
      ratio: times(rate),
      isMet: rate >= 0.7 && errors === 0,
    },
    {
      what: `${what}: p99`,
      budget: '≤ 1.5 × bare node:http',
      measured: milliseconds(median(ours.map(({ p99 }) => p99))),
      baseline: milliseconds(median(bare.map(({ p99 }) => p99))),
      ratio: times(p99),
      isMet: p99 <= 1.5,
    },
  ]
}

async function compareWithSql(
  ground: BenchEnvironment,
  portal: string,
  url: string,
  statements: string[],
): Promise<Row> {
  const { seconds, rounds } = ground.options
  const ours: number[] = []
  const sql: number[] = []
  let by = ''
  for (let round = 0; round < rounds; round += 3) {
    const headers = { 'accept-encoding': 'identity' }
    ours.push((await load({ origin: portal, paths: LIST, headers, connections: CONNECTIONS, seconds })).perSecond)
    const database = await loadSql({ url, statements, connections: CONNECTIONS, seconds }, ground.temporary)
    sql.push(database.perSecond)
    by = database.by
  }
  return {
    what: `advisory list, identity: answers/s beside the same rows by SQL, asked by ${by}`,
    budget: '',
    measured: count(median(ours)),
    baseline: count(median(sql)),
    ratio: times(median(ours.map((value, i) => value / sql[i]!))),
    isMet: null,
  }
}

/** Fails unless every list has the 50 advisories it is measured with. */
async function checkLists(portal: string): Promise<void> {
  for (const [path, { body }] of await capture(portal, LIST, {})) {
    const { advisories } = JSON.parse(body.toString()) as { advisories: unknown[] }
    if (advisories.length !== 50) throw new Error(`${path} gives ${advisories.length} advisories, not 50`)
  }
}

/** The portal's SQL statements when its cache does not have the answer, including the columns of the rows. */
async function statementsOf(url: string): Promise<string[]> {
  const compiled: string[] = []
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
    log: ({ query }) => void compiled.push(withValues(query.sql, query.parameters)),
  })
  const filters: ResolvedFilters = { terms: [], codes: null, approved: [], preferred: [], now: new Date() }
  for (const severity of SEVERITIES)
    await findActiveAdvisories(kysely, { ...filters, severity_level: [severity], limit: 50 })
  await kysely.destroy()
  return compiled.map((sql) => `select a.* from (${sql}) found join travel_advisories a using (id)`)
}
