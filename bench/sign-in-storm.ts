import { setTimeout as pause } from 'node:timers/promises'
import { milliseconds, type Row, times } from './report.ts'
import { createUsers, emailOf, SPECIMEN_PASSWORD } from './sign-ins.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { load } from './tools/load.ts'
import { type Portal, startPortal } from './tools/portal.ts'

/** Sign-in rate after a meeting: this many users within a minute. */
const USERS_PER_MINUTE = 200
const SECONDS = 20
const USER_COUNT = Math.round((USERS_PER_MINUTE * SECONDS) / 60)
const GUESSES_PER_SECOND = 50

/** Users behind one network sign in while others read, with and without a storm of wrong passwords from elsewhere. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await ground.database()
  await createUsers(url, USER_COUNT)
  const portal = await startPortal({ DATABASE_URL: url, TRUSTED_PROXIES: '1' })
  try {
    const calm = await round(portal, false)
    const stormy = await round(portal, true)
    const ratio = stormy.p99 / calm.p99
    const readRatio = stormy.reads.p99 / calm.reads.p99
    const { reads, failed } = stormy
    return [
      {
        what: `a sign-in, ${USERS_PER_MINUTE} a minute from one address, beside ${GUESSES_PER_SECOND} wrong passwords a second: median, p99, failed`,
        budget: 'p99 ≤ 5 s, 0 failed',
        measured: `${milliseconds(stormy.p50)}, ${milliseconds(stormy.p99)}, ${failed}`,
        baseline: `${milliseconds(calm.p50)}, ${milliseconds(calm.p99)}, ${calm.failed} without the storm`,
        ratio: times(ratio),
        isMet: stormy.p99 <= 5_000 && failed + calm.failed === 0,
      },
      {
        what: 'public pages beside that storm: p99, errors',
        budget: '≤ 3 × without, 0 errors',
        measured: `${milliseconds(reads.p99)}, ${reads.errors}`,
        baseline: milliseconds(calm.reads.p99),
        ratio: times(readRatio),
        isMet: readRatio <= 3 && reads.errors === 0,
      },
    ]
  } finally {
    await portal.stop()
  }
}

async function round(portal: Portal, hasStorm: boolean) {
  const read = load({
    origin: portal.url,
    paths: ['/', '/travel-advisories', '/api/public/travel-advisories?limit=50'],
    headers: { 'accept-encoding': 'br' },
    connections: 8,
    pace: 200,
    seconds: SECONDS,
  })
  const over = new AbortController()
  const storm = hasStorm ? guess(portal, over.signal) : Promise.resolve()
  const waits = await Promise.all(
    Array.from({ length: USER_COUNT }, async (_, index) => {
      await pause((SECONDS * 1000 * index) / USER_COUNT)
      const began = performance.now()
      const status = await signIn(portal, emailOf(index), SPECIMEN_PASSWORD, '198.51.100.1')
      return { status, wait: performance.now() - began }
    }),
  )
  // Do not wait for guesses that are still queued.
  over.abort()
  const [reads] = await Promise.all([read, storm])
  const sorted = waits.map(({ wait }) => wait).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { reads, p50: at(0.5), p99: at(0.99), failed: waits.filter(({ status }) => status !== 200).length }
}

/** Each guess targets a different account, from one of 40 networks. */
async function guess(portal: Portal, signal: AbortSignal): Promise<void> {
  const guesses = Array.from({ length: GUESSES_PER_SECOND * SECONDS }, async (_, at) => {
    await pause((1000 * at) / GUESSES_PER_SECOND)
    if (signal.aborted) return
    await signIn(portal, `guessed-${at}@example.org`, 'a wrong password', `10.${at % 40}.0.1`, signal).catch(() => 0)
  })
  await Promise.all(guesses)
}

async function signIn(portal: Portal, email: string, password: string, address: string, signal?: AbortSignal) {
  const response = await fetch(`${portal.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password }),
    ...(signal ? { signal } : {}),
  })
  await response.body?.cancel()
  return response.status
}
