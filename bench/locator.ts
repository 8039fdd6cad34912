import { type Filters, readQuestion } from '#server/churches/question.ts'
import { type Database, openPostgres } from '#server/db/connection.ts'
import { openPglite } from '#server/db/embedded.ts'
import { byName, within } from '#server/testing/church-queries.ts'
import { compareWithTruth, countries } from './locator-truth.ts'
import { count, median, milliseconds, type Row, times } from './report.ts'
import { bareStarts } from './startup.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { load } from './tools/load.ts'
import { seedLocales } from './tools/locales.ts'
import type { Questions } from './tools/locator-questions.ts'
import { type Portal, startPortal } from './tools/portal.ts'
import { loadSql } from './tools/sql.ts'
import { statementOf } from './tools/statements.ts'

const CONNECTIONS = 16
const MAX_READY_MS = 5_000
/** More questions than a round can use, so that none is repeated. */
const UNSEEN_A_SECOND = 12_000
/** Number of different statements for the database: each is a pgbench script, and pgbench accepts at most 128. */
const STATEMENTS = 100
const REPEATED = 20

/** How one kind of question is sent to the portal and to the database. */
interface Kind {
  what: string
  /** Minimum ratio of responses per second to those of the database. */
  least: number
  paths: () => string[]
  statements: string[]
}

/** Church search among 100,000 locales over HTTP, compared with the same questions as SQL on PostgreSQL. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await ground.database()
  await seeded(openPostgres(url, { poolSize: 2 }))
  const folder = await ground.dataDirectory()
  await seeded(await openPglite(folder))
  const { questions, rows } = await compareWithTruth({ url })
  rows.push(...(await compareWithTruth({ folder })).rows)
  for (const [engine, environment] of [
    ['PostgreSQL', { DATABASE_URL: url }],
    ['embedded', { DATA_DIR: folder }],
  ] as const) {
    // The first start seeds the reference data.
    await (await startPortal(environment)).stop()
    const bare = median(await bareStarts(3))
    const portal = await startPortal(environment)
    try {
      rows.push(...startRows(engine, portal, bare), idleRow(engine, await portal.waitUntilIdle()))
      for (const kind of kindsOf(questions, ground.options.seconds))
        rows.push(...(await compare(ground, engine, portal, url, kind)))
    } finally {
      await portal.stop()
    }
  }
  return rows
}

async function seeded(database: Database): Promise<void> {
  await seedLocales(database)
  await database.close()
}

function kindsOf(questions: Questions, seconds: number): Kind[] {
  const unseen = Math.ceil(UNSEEN_A_SECOND * (seconds + 1))
  const many = <T>(n: number, make: () => T) => Array.from({ length: n }, make)
  const textFilters = (): Filters => ({ search: questions.text(4, 12) })
  const near = (): Filters => {
    const { latitude: lat, longitude: lng } = questions.point()
    return { lat, lng, radius: 50 }
  }
  const repeated = many(REPEATED, textFilters)
  return [
    {
      what: 'text never searched for before',
      least: 1,
      paths: () => [...new Set(many(unseen, () => pathOf(textFilters())))],
      statements: many(STATEMENTS, () => sqlOf(textFilters())),
    },
    {
      what: 'within 50 km of a point never asked for before',
      least: 2.5,
      paths: () => many(unseen, () => pathOf(near())),
      statements: many(STATEMENTS, () => sqlOf(near())),
    },
    { what: 'text searched for again', least: 8, paths: () => repeated.map(pathOf), statements: repeated.map(sqlOf) },
  ]
}

const pathOf = (filters: Filters) =>
  `/api/public/locales?${new URLSearchParams(Object.entries({ ...filters, limit: 20 }).map(([name, value]): [string, string] => [name, String(value)]))}`

/** The page of ids with the total, then the rows as published. */
function sqlOf(filters: Filters): string {
  const page = { limit: 20, offset: 0 }
  const question = readQuestion(filters, countries)
  const { point, radiusKm } = question
  const found = point ? within(question, point, radiusKm!, page) : byName(question, page)
  return `select f.total, l.* from (${statementOf(found)}) f
    cross join lateral unnest(f.ids) with ordinality as i (id, at) join public_locales l on l.id = i.id order by i.at`
}

async function compare(
  ground: BenchEnvironment,
  engine: string,
  portal: Portal,
  url: string,
  kind: Kind,
): Promise<Row[]> {
  const { seconds, rounds } = ground.options
  const headers = { 'accept-encoding': 'identity' }
  const task = { origin: portal.url, headers, connections: CONNECTIONS, seconds }
  const ours: Awaited<ReturnType<typeof load>>[] = []
  const theirs: Awaited<ReturnType<typeof loadSql>>[] = []
  for (let round = 0; round < rounds; round += 3) {
    ours.push(await load({ ...task, paths: kind.paths() }))
    theirs.push(
      await loadSql({ url, statements: kind.statements, connections: CONNECTIONS, seconds }, ground.temporary),
    )
  }
  const errors = ours.reduce((sum, { errors }) => sum + errors, 0)
  const rate = median(ours.map(({ perSecond }, i) => perSecond / theirs[i]!.perSecond))
  const p99 = median(ours.map(({ p99 }, i) => p99 / theirs[i]!.p99))
  return [
    {
      what: `${engine}, ${kind.what}: answers/s, ${CONNECTIONS} connections${errors > 0 ? `, **${errors} errors**` : ''}`,
      budget: `≥ ${kind.least} × the same SQL by ${theirs[0]!.by}`,
      measured: count(median(ours.map(({ perSecond }) => perSecond))),
      baseline: count(median(theirs.map(({ perSecond }) => perSecond))),
      ratio: times(rate),
      isMet: rate >= kind.least && errors === 0,
    },
    {
      what: `${engine}, ${kind.what}: p99`,
      budget: '≤ that of the SQL',
      measured: milliseconds(median(ours.map(({ p99 }) => p99))),
      baseline: milliseconds(median(theirs.map(({ p99 }) => p99))),
      ratio: times(p99),
      isMet: p99 <= 1,
    },
  ]
}

/** Until then public locale data is loaded on demand, and responses are slower. */
function idleRow(engine: string, ms: number): Row {
  return {
    what: `${engine}, 100,000 locales: from ready until all is read and learnt that was left for later`,
    budget: '',
    measured: milliseconds(ms),
    baseline: '',
    ratio: '',
    isMet: null,
  }
}

function startRows(engine: string, portal: Portal, bareMs: number): Row[] {
  const bytes = portal.residentBytes()
  return [
    {
      what: `${engine}, 100,000 locales: ready, beside a Node process that only listens`,
      budget: '≤ 5 s',
      measured: milliseconds(portal.readyMs),
      baseline: milliseconds(bareMs),
      ratio: times(portal.readyMs / bareMs),
      isMet: portal.readyMs <= MAX_READY_MS,
    },
    {
      what: `${engine}, 100,000 locales: resident memory`,
      budget: '',
      measured: bytes === undefined ? 'not known here' : `${Math.round(bytes / 2 ** 20)} MB`,
      baseline: '',
      ratio: '',
      isMet: null,
    },
  ]
}
