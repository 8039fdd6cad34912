import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { hashPassword } from '#server/accounts/password-rules.ts'
import { median, milliseconds, type Row, times } from './report.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { load } from './tools/load.ts'
import type { LoadResult } from './tools/loader.ts'
import { type Portal, startPortal } from './tools/portal.ts'

const USER_COUNT = 20
export const SPECIMEN_PASSWORD = 'seven purple lanterns'
const CONNECTIONS = 16

/** Read latency while twenty users sign in with their passwords at the same moment. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await ground.database()
  await createUsers(url, USER_COUNT)
  const portal = await startPortal({ DATABASE_URL: url, TRUSTED_PROXIES: '1' })
  try {
    const quiet: LoadResult[] = []
    const busy: LoadResult[] = []
    const waits: number[] = []
    const read = () =>
      load({
        origin: portal.url,
        paths: ['/', '/travel-advisories', '/api/public/travel-advisories?limit=50'],
        headers: { 'accept-encoding': 'br' },
        connections: CONNECTIONS,
        seconds: ground.options.seconds,
      })
    for (let round = 0; round < ground.options.rounds; round++) {
      quiet.push(await read())
      const [result, signedIn] = await Promise.all([read(), signInAll(portal, round)])
      busy.push(result)
      waits.push(...signedIn)
    }
    const ratio = median(busy.map((run, i) => run.p99 / quiet[i]!.p99))
    const errors = busy.reduce((sum, run) => sum + run.errors, 0)
    return [
      {
        what: `public pages while ${USER_COUNT} people sign in: p99, errors`,
        budget: '≤ 2 × quiet, 0 errors',
        measured: `${milliseconds(median(busy.map(({ p99 }) => p99)))}, ${errors}`,
        baseline: milliseconds(median(quiet.map(({ p99 }) => p99))),
        ratio: times(ratio),
        isMet: ratio <= 2 && errors === 0,
      },
      {
        what: `a sign-in among ${USER_COUNT}, with ${CONNECTIONS} connections reading (median, slowest)`,
        budget: '',
        measured: `${milliseconds(median(waits))}, ${milliseconds(Math.max(...waits))}`,
        baseline: '',
        ratio: '',
        isMet: true,
      },
    ]
  } finally {
    await portal.stop()
  }
}

/** Accounts that share one password, which is hashed once. */
export async function createUsers(url: string, userCount: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const hash = await hashPassword(SPECIMEN_PASSWORD)
  for (let i = 0; i < userCount; i++) {
    const id = randomUUID()
    await client.query(
      `with made as (insert into auth_users (id, name, email, email_verified) values ($1, 'Specimen', $2, true)
         on conflict (email) do nothing returning id)
       insert into auth_accounts (id, user_id, provider_id, account_id, password)
         select gen_random_uuid(), id, 'credential', id::text, $3 from made`,
      [id, emailOf(i), hash],
    )
  }
  await client.end()
}

export const emailOf = (index: number) => `specimen-${index}@example.org`

/** Duration of each sign-in, in milliseconds. Each comes from a separate address. */
function signInAll(portal: Portal, round: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: USER_COUNT }, async (_, index) => {
      const began = performance.now()
      const response = await fetch(`${portal.url}/api/auth/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `192.0.2.${index + 1}, 198.51.100.${round + 1}`,
        },
        body: JSON.stringify({ email: emailOf(index), password: SPECIMEN_PASSWORD }),
      })
      if (response.status !== 200)
        throw new Error(`A sign-in was answered ${response.status}: ${await response.text()}`)
      return performance.now() - began
    }),
  )
}
