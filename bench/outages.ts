import pg from 'pg'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { median, milliseconds, type Row, times } from './report.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { type Fault, startFaultProxy } from './tools/fault-proxy.ts'
import { load } from './tools/load.ts'
import type { LoadResult } from './tools/loader.ts'
import { ask, type Portal, startPortal } from './tools/portal.ts'
import { sleep } from './tools/processes.ts'

const FAULTS: Fault[] = ['hang', 'blackhole', 'reset']
const CONNECTIONS = 16
const WRITE_WITHIN_MS = 2_000
const RECOVERED_WITHIN_MS = 1_000
const GIVE_UP_MS = 15_000
/** Public, and impossible to answer without the database. */
const WRITE = '/api/travel-advisories/refresh'

/** The database behind a failing network: what the public sees, the response to a write, and the time to recovery. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = new URL(await ground.database())
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port || 5432) })
  const through = new URL(url)
  through.port = String(proxy.port)
  const editor = new pg.Client({ connectionString: url.href })
  await editor.connect()
  try {
    const rows: Row[] = []
    for (const fault of FAULTS) {
      // A new node each time, so that one failure does not affect the next measurement.
      const portal = await startPortal({ DATABASE_URL: through.href })
      const set = (to: Fault) => proxy.set(to)
      rows.push(...(await readRows(portal, fault, set, ground)))
      rows.push(...(await writeRows(portal, fault, set, editor)))
      set('pass')
      await portal.stop()
    }
    return rows
  } finally {
    await editor.end()
    proxy.stop()
  }
}

async function readRows(
  portal: Portal,
  fault: Fault,
  set: (to: Fault) => void,
  ground: BenchEnvironment,
): Promise<Row[]> {
  const queries = SEVERITIES.map((severity) => `severity_level=${severity}`)
  const kinds: [string, (round: number) => string[]][] = [
    ['lists', () => queries.map((query) => `/api/public/travel-advisories?${query}`)],
    ['pages', () => ['/', ...queries.map((query) => `/travel-advisories?${query}`)]],
    ['lists never asked before', (round) => uncachedPaths(`${fault}${round}`)],
  ]
  const rows: Row[] = []
  for (const [what, paths] of kinds) {
    const healthy: LoadResult[] = []
    const failing: LoadResult[] = []
    const run = (round: number) =>
      load({
        origin: portal.url,
        paths: paths(round),
        headers: { 'accept-encoding': 'br' },
        connections: CONNECTIONS,
        seconds: ground.options.seconds,
      })
    for (let round = 0; round < ground.options.rounds; round += 2) {
      healthy.push(await run(round))
      set(fault)
      failing.push(await run(round + 1))
      set('pass')
      await untilReady(portal)
    }
    rows.push(readRow(`database ${fault}: ${what}`, healthy, failing))
  }
  return rows
}

function readRow(what: string, healthy: LoadResult[], failing: LoadResult[]): Row {
  const errors = failing.reduce((sum, run) => sum + run.errors, 0)
  const ratio = median(failing.map((run, i) => run.p99 / healthy[i]!.p99))
  return {
    what: `${what}: p99, errors`,
    budget: '≤ 2 × healthy, 0 errors',
    measured: `${milliseconds(median(failing.map(({ p99 }) => p99)))}, ${errors}`,
    baseline: milliseconds(median(healthy.map(({ p99 }) => p99))),
    ratio: times(ratio),
    isMet: ratio <= 2 && errors === 0,
  }
}

/** Unique searches, so that no cached response is used. */
function uncachedPaths(seed: string): string[] {
  return Array.from({ length: 20_000 }, (_, i) => `/api/public/travel-advisories?limit=5&search=road%20${seed}x${i}`)
}

async function writeRows(portal: Portal, fault: Fault, set: (to: Fault) => void, editor: pg.Client): Promise<Row[]> {
  const writes: string[] = []
  const waits: number[] = []
  set(fault)
  // One at once, on connections that worked a moment ago, and one after the failure was detected.
  for (const pause of [0, 1_000]) {
    await sleep(pause)
    const { status, milliseconds: took } = await write(portal)
    writes.push(`${status} in ${milliseconds(took)}`)
    waits.push(status === 503 ? took : Number.POSITIVE_INFINITY)
  }
  set('pass')
  const since = performance.now()
  const title = `Specimen edited when the database was back from ${fault}`
  const { rows } = await editor.query(
    `update travel_advisories set title = $1, updated_at = now() where id = (
      select id from travel_advisories where is_active and is_urgent and severity_rank = 5 order by last_updated desc limit 1
    ) returning id`,
    [title],
  )
  const [ready, shown] = await Promise.all([untilReady(portal), untilShown(portal, rows[0].id, title, since)])
  const written = await write(portal)
  return [
    {
      what: `database ${fault}: what a write is told`,
      budget: '503 within 2 s',
      measured: writes.join(', '),
      baseline: '',
      ratio: '',
      isMet: Math.max(...waits) <= WRITE_WITHIN_MS,
    },
    {
      what: `database back after ${fault}: ready, an edit shown, a write`,
      budget: '≤ 1 s',
      measured: `${milliseconds(ready)}, ${milliseconds(shown)}, ${written.status}`,
      baseline: '',
      ratio: '',
      isMet: Math.max(ready, shown) <= RECOVERED_WITHIN_MS && written.status === 200,
    },
  ]
}

async function write(portal: Portal): Promise<{ status: number; milliseconds: number }> {
  const began = performance.now()
  return ask(portal.url, WRITE, { method: 'POST' }).catch(() => ({
    status: 0,
    milliseconds: performance.now() - began,
  }))
}

async function untilReady(portal: Portal): Promise<number> {
  return until(async () => {
    const { body } = await ask(portal.url, '/ready', { timeoutMs: 1_000 })
    return JSON.parse(body.toString()).status === 'ready'
  }, performance.now())
}

async function untilShown(portal: Portal, id: string, title: string, since: number): Promise<number> {
  return until(async () => (await ask(portal.url, `/api/travel-advisories/${id}`)).body.includes(title), since)
}

async function until(isSo: () => Promise<boolean>, since: number): Promise<number> {
  while (performance.now() - since < GIVE_UP_MS) {
    if (await isSo().catch(() => false)) return performance.now() - since
    await sleep(10)
  }
  return Number.POSITIVE_INFINITY
}
