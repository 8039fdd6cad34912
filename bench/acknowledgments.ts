import pg from 'pg'
import { count, median, milliseconds, type Row, times } from './report.ts'
import type { AcknowledgeResult, AcknowledgeTask } from './tools/acknowledger.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { load } from './tools/load.ts'
import type { LoadResult } from './tools/loader.ts'
import { startPortal } from './tools/portal.ts'
import { answerOf, helper, sleep } from './tools/processes.ts'

const USER_COUNT = 5_000
const PACE = 1_000
const CONNECTIONS = 16
const READS_PER_SECOND = 1_000
const SECONDS = 12
const CACHED_PATHS = ['/', '/travel-advisories', '/api/public/travel-advisories?limit=50']

/** Latency of cached pages while a thousand users per second acknowledge advisories. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await ground.database()
  const { tokens, advisories } = await prepare(url)
  const portal = await startPortal({ DATABASE_URL: url })
  try {
    await portal.waitUntilIdle()
    const quiet: LoadResult[] = []
    const busy: LoadResult[] = []
    const acknowledged: AcknowledgeResult[] = []
    const read = (seconds = SECONDS) =>
      load({
        origin: portal.url,
        paths: CACHED_PATHS,
        headers: { 'accept-encoding': 'br' },
        connections: CONNECTIONS,
        seconds,
        pace: READS_PER_SECOND,
      })
    const acknowledge = (round: number) => {
      const mine = advisories.slice(round * 4, round * 4 + 4)
      const task: AcknowledgeTask = {
        origin: portal.url,
        advisories: mine,
        tokens,
        connections: CONNECTIONS,
        seconds: SECONDS + 0.5,
        pace: PACE,
      }
      return answerOf<AcknowledgeResult>(helper('acknowledger.ts', task))
    }
    for (let round = 0; round < ground.options.rounds; round++) {
      // Counts of the previous round are updated within ten seconds; that work must not affect the read-only baseline.
      await sleep(11_000)
      await read(1)
      quiet.push(await read())
      const [reads, acknowledgments] = await Promise.all([read(), acknowledge(round)])
      busy.push(reads)
      acknowledged.push(acknowledgments)
    }
    const ratio = median(busy.map((run, i) => run.p99 / quiet[i]!.p99))
    const errors = [...busy, ...acknowledged].reduce((sum, run) => sum + run.errors, 0)
    const rate = count(median(acknowledged.map(({ perSecond }) => perSecond)))
    return [
      {
        what: `cached answers, ${count(READS_PER_SECOND)} a second, while ${rate} acknowledgments a second are written: p99, errors`,
        budget: '≤ 1.5 × alone, 0 errors',
        measured: `${milliseconds(median(busy.map(({ p99 }) => p99)))}, ${errors}`,
        baseline: milliseconds(median(quiet.map(({ p99 }) => p99))),
        ratio: times(ratio),
        isMet: ratio <= 1.5 && errors === 0,
      },
      {
        what: 'the same: median',
        budget: '',
        measured: milliseconds(median(busy.map(({ p50 }) => p50))),
        baseline: milliseconds(median(quiet.map(({ p50 }) => p50))),
        ratio: times(median(busy.map((run, i) => run.p50 / quiet[i]!.p50))),
        isMet: null,
      },
    ]
  } finally {
    await portal.stop()
  }
}

/**
 * Session tokens of signed-in users (with their ids, since the table stores only token hashes), and advisories they can
 * acknowledge.
 */
async function prepare(url: string): Promise<{ tokens: string[]; advisories: string[] }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `with made as (
       insert into auth_users (id, name, email, email_verified)
       select gen_random_uuid(), 'Specimen', 'specimen-' || n || '@example.org', true from generate_series(1, $1::int) n
       returning id
     )
     insert into auth_sessions (id, user_id, token, expires_at, second_factor_at)
       select gen_random_uuid(), id, translate(rtrim(encode(sha256(id::text::bytea), 'base64'), '='), '+/', '-_'),
         now() + interval '1 day', now() from made`,
    [USER_COUNT],
  )
  const tokens = await client.query<{ token: string }>('select user_id as token from auth_sessions')
  const advisories = await client.query<{ id: string }>(
    'select id from travel_advisories where is_active order by is_urgent desc, severity_rank desc, last_updated desc limit 100',
  )
  await client.query('vacuum analyze').finally(() => client.end())
  return { tokens: tokens.rows.map(({ token }) => token), advisories: advisories.rows.map(({ id }) => id) }
}
