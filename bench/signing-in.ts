import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { hashPassword } from '#server/accounts/passwords.ts'
import { median, milliseconds, type Row, times } from './report.ts'
import type { Ground } from './tools/ground.ts'
import { load } from './tools/load.ts'
import type { LoadResult } from './tools/loader.ts'
import { type Portal, startPortal } from './tools/portal.ts'

const PEOPLE = 20
export const SPECIMEN_PASSWORD = 'seven purple lanterns'
const CONNECTIONS = 16

/** Those who read while twenty people sign in with their passwords in the same moment. */
export async function measure(ground: Ground): Promise<Row[]> {
  const url = await ground.database()
  await makePeople(url, PEOPLE)
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
      const [result, signedIn] = await Promise.all([read(), everybodySignsIn(portal, round)])
      busy.push(result)
      waits.push(...signedIn)
    }
    const ratio = median(busy.map((one, i) => one.p99 / quiet[i]!.p99))
    const errors = busy.reduce((sum, one) => sum + one.errors, 0)
    return [
      {
        what: `public pages while ${PEOPLE} people sign in: p99, errors`,
        budget: '≤ 2 × quiet, 0 errors',
        measured: `${milliseconds(median(busy.map(({ p99 }) => p99)))}, ${errors}`,
        baseline: milliseconds(median(quiet.map(({ p99 }) => p99))),
        ratio: times(ratio),
        isMet: ratio <= 2 && errors === 0,
      },
      {
        what: `a sign-in among ${PEOPLE}, with ${CONNECTIONS} connections reading (median, slowest)`,
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

/** Accounts with one password, which is hashed once. */
export async function makePeople(url: string, people: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const hash = await hashPassword(SPECIMEN_PASSWORD)
  for (let i = 0; i < people; i++) {
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

export const emailOf = (person: number) => `specimen-${person}@example.org`

/** How long each waited, in milliseconds. Each comes from an address of its own, as people do. */
function everybodySignsIn(portal: Portal, round: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: PEOPLE }, async (_, person) => {
      const began = performance.now()
      const response = await fetch(`${portal.url}/api/auth/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `192.0.2.${person + 1}, 198.51.100.${round + 1}`,
        },
        body: JSON.stringify({ email: emailOf(person), password: SPECIMEN_PASSWORD }),
      })
      if (response.status !== 200)
        throw new Error(`A sign-in was answered ${response.status}: ${await response.text()}`)
      return performance.now() - began
    }),
  )
}
