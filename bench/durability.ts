import { median, milliseconds, percentile, type Row, times } from './report.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { type Portal, startPortal } from './tools/portal.ts'

const TRAVELER = 'traveler@sample.invalid'
const PASSWORD = 'portal-sample'
/** Low enough to stay below the sign-in rate limits. */
const PER_ROUND = 5
const PAGE = '/travel-advisories'

/** Cost to users of the embedded database's fsync: with and without it, alternately. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const durable = await startPortal({ DATA_DIR: await ground.dataDirectory() })
  try {
    const fast = await startPortal({ DATA_DIR: await ground.dataDirectory(), DATABASE_SYNC: 'off' })
    try {
      return await compare(await visitor(durable), await visitor(fast), ground.options.rounds)
    } finally {
      await fast.stop()
    }
  } finally {
    await durable.stop()
  }
}

type Visitor = Awaited<ReturnType<typeof visitor>>
type Action = Exclude<keyof Visitor, 'url'>

const ACTIONS: Record<Action, string> = {
  acknowledge: 'an acknowledgement',
  signIn: 'a sign-in (most of it the hash)',
  keep: 'a message that is kept in a conversation',
  page: 'a public page, while another visitor writes',
}

async function compare(durable: Visitor, fast: Visitor, rounds: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const [action, what] of Object.entries(ACTIONS) as [Action, string][]) {
    const took: [number[], number[]] = [[], []]
    // Warm-up: the first requests compile code and fill caches.
    for (const visitor of [durable, fast]) await repeat(visitor, action, 3)
    for (let round = 0; round < rounds; round++)
      for (const [i, visitor] of [durable, fast].entries()) took[i]!.push(...(await repeat(visitor, action, PER_ROUND)))
    const [p50, base50] = took.map((all) => median(all)) as [number, number]
    const [p95, base95] = took.map((all) => percentile(all, 0.95)) as [number, number]
    rows.push({
      what: `embedded, on the disk before it is answered: ${what} (p50, p95)`,
      budget: '',
      measured: `${milliseconds(p50)}, ${milliseconds(p95)}`,
      baseline: `${milliseconds(base50)}, ${milliseconds(base95)} with DATABASE_SYNC=off`,
      ratio: times(p50 / base50),
      isMet: null,
    })
  }
  return rows
}

async function repeat(visitor: Visitor, action: Action, count: number): Promise<number[]> {
  const took: number[] = []
  for (let i = 0; i < count; i++) {
    const writing = action === 'page' ? visitor.acknowledge() : undefined
    const began = performance.now()
    await visitor[action]()
    took.push(performance.now() - began)
    await writing
  }
  return took
}

async function visitor(portal: Portal) {
  const { url } = portal
  let cookie = ''
  const post = async (path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { origin: url, cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text.slice(0, 300)}`)
    return answer
  }
  const signIn = async () => {
    const answer = await post('/api/auth/login', { email: TRAVELER, password: PASSWORD })
    cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
  }
  await signIn()
  const list = await fetch(`${url}/api/public/travel-advisories?limit=100`)
  const ids = ((await list.json()) as { advisories: { id: string }[] }).advisories.map(({ id }) => id)
  let next = 0
  return {
    url,
    signIn,
    acknowledge: () => post(`/api/travel-advisories/${ids[next++ % ids.length]}/acknowledge`),
    keep: () => post('/api/ai/conversations', { messages: [{ sender_type: 'user', content: 'Is it safe in Japan?' }] }),
    page: async () => void (await (await fetch(url + PAGE)).text()),
  }
}
