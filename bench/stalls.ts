import { median, milliseconds, type Row, times } from './report.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { load } from './tools/load.ts'
import type { LoadResult } from './tools/loader.ts'
import { withLocales } from './tools/locales.ts'
import { ask, startPortal } from './tools/portal.ts'
import { sleep } from './tools/processes.ts'

const CONNECTIONS = 16
const SEARCHES = 60
const LOCALES = 2_000
const SECONDS = 3
const CACHED_PATHS = ['/', '/travel-advisories', '/church-locator', '/api/public/travel-advisories?limit=50']

/** Latency of cached pages while one visitor sends uncached searches, all at once. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await withLocales(await ground.database(), LOCALES)
  const portal = await startPortal({ DATABASE_URL: url, TRUSTED_PROXIES: '1' })
  try {
    await portal.waitUntilIdle()
    const quiet: LoadResult[] = []
    const busy: LoadResult[] = []
    const others: number[] = []
    const all: number[] = []
    const read = () =>
      load({
        origin: portal.url,
        paths: CACHED_PATHS,
        headers: { 'accept-encoding': 'br' },
        connections: CONNECTIONS,
        seconds: SECONDS,
      })
    let made = 0
    const search = async (address: string) => {
      made += 1
      const path = made % 2 ? '/travel-advisories?search=' : '/church-locator?search='
      const headers = { 'x-forwarded-for': address, 'accept-encoding': 'br' }
      const { status, milliseconds } = await ask(portal.url, `${path}border+${made}`, { headers, timeoutMs: 60_000 })
      if (status !== 200 && status !== 503) throw new Error(`A search was answered ${status}.`)
      return { status, milliseconds }
    }
    let refused = 0
    await read()
    for (let round = 0; round < ground.options.rounds; round++) {
      quiet.push(await read())
      const reading = read()
      // Wait until the readers have started.
      await sleep(500)
      const began = performance.now()
      const searches = Array.from({ length: SEARCHES }, () => search('192.0.2.1'))
      const other = await search('198.51.100.7')
      others.push(other.milliseconds)
      refused += (await Promise.all(searches)).filter(({ status }) => status === 503).length
      all.push(performance.now() - began)
      busy.push(await reading)
    }
    const ratio = median(busy.map((run, i) => run.p99 / quiet[i]!.p99))
    const errors = busy.reduce((sum, run) => sum + run.errors, 0)
    return [
      {
        what: `cached answers while one visitor makes ${SEARCHES} unseen searches at once: p99, errors`,
        budget: '≤ 2 × alone, 0 errors',
        measured: `${milliseconds(median(busy.map(({ p99 }) => p99)))}, ${errors}`,
        baseline: milliseconds(median(quiet.map(({ p99 }) => p99))),
        ratio: times(ratio),
        isMet: ratio <= 2 && errors === 0,
      },
      {
        what: 'the same: median',
        budget: '',
        measured: milliseconds(median(busy.map(({ p50 }) => p50))),
        baseline: milliseconds(median(quiet.map(({ p50 }) => p50))),
        ratio: times(median(busy.map((run, i) => run.p50 / quiet[i]!.p50))),
        isMet: null,
      },
      {
        what: `an unseen search of another visitor meanwhile; all ${SEARCHES}; turned away of them`,
        budget: '',
        measured: `${milliseconds(median(others))}; ${milliseconds(median(all))}; ${refused / ground.options.rounds}`,
        baseline: '',
        ratio: '',
        isMet: null,
      },
    ]
  } finally {
    await portal.stop()
  }
}
