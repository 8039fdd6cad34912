import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import { type Database, openPostgres } from '#server/db/connection.ts'
import { spawnDeliveryProcess } from '#server/testing/delivery-process.ts'
import { count, type Row } from './report.ts'
import type { Ports, SinkCounts } from './tools/counting-sink.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { answerOf, helper, sleep } from './tools/processes.ts'

const MESSAGES = 10_000
const KILLS = 60
/** Delay of the mail server per message, so that the queue is not empty before the first kill. */
const SLOWLY_MS = 100
const QUEUE_DRAIN_TIMEOUT_MS = 180_000

/** Two workers, of which a random one is killed (SIGKILL) every second for a minute, for each kind of mail provider. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  return [...(await bySmtp(ground)), ...(await byKey(ground))]
}

async function bySmtp(ground: BenchEnvironment): Promise<Row[]> {
  const { killed, handedOver, counted } = await killing(ground, ({ mail }) => ({
    SMTP_URL: `smtp://127.0.0.1:${mail}`,
  }))
  const again = counted.messages - counted.different
  return [
    handedOver,
    {
      ...NO_BASELINE,
      what: `two workers, ${killed} × SIGKILL in a minute: handed over twice, each under the same Message-ID`,
      budget: 'those in hand at a kill',
      measured: count(again),
      ratio: `${(again / killed).toFixed(1)} a kill`,
      isMet: null,
    },
  ]
}

/** A provider with idempotency keys: a repeated send is not accepted twice. */
async function byKey(ground: BenchEnvironment): Promise<Row[]> {
  const { killed, handedOver, counted } = await killing(ground, ({ posts }) => ({
    RESEND_URL: `http://127.0.0.1:${posts}`,
    RESEND_API_KEY: 're_bench',
  }))
  const twice = counted.accepted - counted.different
  return [
    { ...handedOver, what: `by a provider that takes a key, ${handedOver.what}` },
    {
      ...NO_BASELINE,
      what: `by a provider that takes a key, ${killed} × SIGKILL in a minute: accepted twice (of ${count(counted.messages)} times it was asked)`,
      budget: '0',
      measured: count(twice),
      isMet: twice === 0 && counted.accepted === MESSAGES,
    },
  ]
}

const NO_BASELINE = { baseline: '', ratio: '' }

async function killing(ground: BenchEnvironment, providerAt: (ports: Ports) => Record<string, string>) {
  const url = await ground.database()
  const sink = helper('counting-sink.ts', `ports ${SLOWLY_MS}`)
  const provider = { ...providerAt(await answerOf<Ports>(sink)), MAIL_FROM: 'MFA <portal@church.example>' }
  const database = openPostgres(url, { poolSize: 2 })
  const workers = [spawnDeliveryProcess(url, provider), spawnDeliveryProcess(url, provider)]
  try {
    await queueMessages(database)
    let killed = 0
    for (; killed < KILLS; killed++) {
      await sleep(1_000)
      const victim = Math.floor(Math.random() * workers.length)
      await workers[victim]!.kill()
      workers[victim] = spawnDeliveryProcess(url, provider)
    }
    const states = await waitUntilDrained(database)
    sink.send('count')
    const counted = await answerOf<SinkCounts>(sink)
    const [lost, notWritten] = [MESSAGES - counted.different, MESSAGES - (states.sent ?? 0)]
    const handedOver: Row = {
      ...NO_BASELINE,
      what: `two workers, ${killed} × SIGKILL in a minute: of ${count(MESSAGES)} mails handed over, lost, not written as sent`,
      budget: `${count(MESSAGES)}, 0, 0`,
      measured: `${count(counted.different)}, ${lost}, ${notWritten}`,
      isMet: lost === 0 && notWritten === 0,
    }
    return { killed, handedOver, counted }
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()))
    await database.close()
    sink.kill()
  }
}

const queueMessages = (database: Database) =>
  inBackground(database, 'bench', (db) =>
    sql`insert into messages (message_key, channel, recipient, template, subject, body_text)
      select 'killed ' || n, 'email', 'person' || n || '@example.org', 'announcement', 'Subject ' || n, 'Text'
      from generate_series(1, ${MESSAGES}::int) n`.execute(db),
  )

/** Number of messages per status, once none is being sent any more. */
async function waitUntilDrained(database: Database): Promise<Record<string, number>> {
  const until = Date.now() + QUEUE_DRAIN_TIMEOUT_MS
  for (;;) {
    const { rows } = await inBackground(database, 'bench', (db) =>
      sql<{ status: string; n: number }>`select status, count(*)::int as n from messages group by 1`.execute(db),
    )
    const states = Object.fromEntries(rows.map(({ status, n }) => [status, n]))
    if (!(states.pending || states.sending) || Date.now() > until) return states
    await sleep(500)
  }
}
