import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import { type Database, openPostgres } from '#server/db/connection.ts'
import { spawnSender } from '#server/testing/sender.ts'
import { count, type Row } from './report.ts'
import type { Counted } from './tools/counting-sink.ts'
import type { Ground } from './tools/ground.ts'
import { answerOf, helper, sleep } from './tools/processes.ts'

const MESSAGES = 10_000
const KILLS = 60
/** So that they do not all go before the first kill: the mail server takes its time with each. */
const SLOWLY_MS = 100
const SETTLED_WITHIN_MS = 180_000

/** Two workers of which a random one is killed (SIGKILL) every second for a minute. */
export async function measure(ground: Ground): Promise<Row[]> {
  const url = await ground.database()
  const sink = helper('counting-sink.ts', `ports ${SLOWLY_MS}`)
  const ports = await answerOf<{ mail: number }>(sink)
  const database = openPostgres(url, { poolSize: 2 })
  const mail = { SMTP_URL: `smtp://127.0.0.1:${ports.mail}`, MAIL_FROM: 'MFA <portal@church.example>' }
  const workers = [spawnSender(url, mail), spawnSender(url, mail)]
  try {
    await queueMessages(database)
    let killed = 0
    for (; killed < KILLS; killed++) {
      await sleep(1_000)
      const victim = Math.floor(Math.random() * workers.length)
      await workers[victim]!.kill()
      workers[victim] = spawnSender(url, mail)
    }
    const states = await settled(database)
    sink.send('count')
    const { messages, different } = await answerOf<Counted>(sink)
    const lost = MESSAGES - different
    return [
      {
        what: `two workers, ${killed} × SIGKILL in a minute: of ${count(MESSAGES)} mails handed over, lost, not written as sent`,
        budget: `${count(MESSAGES)}, 0, 0`,
        measured: `${count(different)}, ${lost}, ${MESSAGES - (states.sent ?? 0)}`,
        baseline: '',
        ratio: '',
        isMet: lost === 0 && states.sent === MESSAGES,
      },
      {
        what: `two workers, ${killed} × SIGKILL in a minute: handed over twice, each under the same Message-ID`,
        budget: 'those in hand at a kill',
        measured: `${count(messages - different)}`,
        baseline: '',
        ratio: `${((messages - different) / killed).toFixed(1)} a kill`,
        isMet: null,
      },
    ]
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()))
    await database.close()
    sink.kill()
  }
}

const queueMessages = (database: Database) =>
  inBackground(database, 'bench', (db) =>
    sql`insert into messages (message_key, channel, recipient, template, subject, body_text)
      select 'killed ' || n, 'email', 'person' || n || '@example.org', 'notice', 'Subject ' || n, 'Text'
      from generate_series(1, ${MESSAGES}::int) n`.execute(db),
  )

/** How many messages are in which state, when none is on its way any more. */
async function settled(database: Database): Promise<Record<string, number>> {
  const until = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    const { rows } = await inBackground(database, 'bench', (db) =>
      sql<{ status: string; n: number }>`select status, count(*)::int as n from messages group by 1`.execute(db),
    )
    const states = Object.fromEntries(rows.map(({ status, n }) => [status, n]))
    if (!(states.pending || states.sending) || Date.now() > until) return states
    await sleep(500)
  }
}
