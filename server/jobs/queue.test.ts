import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import { openStore } from '#server/files/store.ts'
import { pruneFeedRuns, prunePublicChanges, startSchedule } from '#server/schedule.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { feedServer, usRss } from '#server/testing/feed-server.ts'
import { Queue } from './queue.ts'

const database = await testDatabase()
const log = pino({ level: 'silent' })
const queue = new Queue(database, log)
await queue.start()
afterAll(() => queue.stop())

const quick = { pollSeconds: 0.5 }
const pollOptions = { timeout: 15_000, interval: 50 }
const traveler = { as: 'user', userId: '00000000-0000-4000-8000-000000000001', role: 'traveler' } as const

test('a job runs once the transaction that enqueued it has committed', async () => {
  const seen: object[] = []
  await queue.work('test.welcome', async (data) => void seen.push(data), quick)
  await withClaims(database, traveler, async (db) => {
    expect(await queue.enqueue(db, 'test.welcome', { to: 1 })).toEqual(expect.any(String))
    expect(seen).toEqual([])
  })
  await vi.waitFor(() => expect(seen).toEqual([{ to: 1 }]), pollOptions)
})

test('a transaction that fails leaves no job', async () => {
  await queue.define('test.never')
  const failing = withClaims(database, traveler, async (db) => {
    await queue.enqueue(db, 'test.never')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const { rows } = await database.background.pool.query(`select from pgboss.job where name = 'test.never'`)
  expect(rows).toEqual([])
})

test('after enqueueing the transaction has no more rights than before', async () => {
  await queue.define('test.rights')
  await withClaims(database, traveler, async (db) => {
    await queue.enqueue(db, 'test.rights')
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db)
    expect(rows).toEqual([{ role: 'portal_user' }])
  })
})

test('a failed job is retried', async () => {
  let attempts = 0
  const fails = async () => {
    attempts += 1
    if (attempts === 1) throw new Error('the first time')
  }
  await queue.work('test.retry', fails, { ...quick, retryDelay: 0, retryBackoff: false })
  await inBackground(database, 'test', (db) => queue.enqueue(db, 'test.retry'))
  await vi.waitFor(() => expect(attempts).toBe(2), pollOptions)
})

test('its health reports how many jobs wait', async () => {
  await queue.define('test.waiting')
  await inBackground(database, 'test', (db) => queue.enqueue(db, 'test.waiting'))
  const { running, waiting, oldest_waiting_seconds } = await queue.health()
  expect(running).toBe(true)
  expect(waiting).toBeGreaterThanOrEqual(1)
  expect(oldest_waiting_seconds).toBeGreaterThanOrEqual(0)
})

test('the schedule is registered, and one of its jobs fetches what is due', async () => {
  const server = await feedServer({ '/feed': usRss([{ country: 'Japan' }]) })
  const source = { id: 'us', url: `${server.url}/feed`, leased_until: null }
  await inBackground(database, 'test', (db) => insertSource(db, source))
  const feeds = { database, log, publicUrl: 'https://portal.example', allowsPrivateFeeds: true }
  const files = await openStore({ files: undefined, dataDir: '/nowhere' })
  const deps = { ...feeds, files, secret: 'a secret that only tests may know of', fetchesFeeds: true }
  await startSchedule(queue, deps)
  const { rows } = await database.background.pool.query('select name, cron from pgboss.schedule order by name')
  expect(rows).toEqual([
    { name: 'accounts.prune', cron: '37 * * * *' },
    { name: 'advisories.expire', cron: '*/10 * * * *' },
    { name: 'assistant.endBursts', cron: '* * * * *' },
    { name: 'assistant.escalateCases', cron: '* * * * *' },
    { name: 'assistant.prune', cron: '47 3 * * *' },
    { name: 'assistant.sendCaseDigests', cron: '* * * * *' },
    { name: 'backups.makeDue', cron: '*/10 * * * *' },
    { name: 'backups.testDue', cron: '41 * * * *' },
    { name: 'database.vacuum', cron: '11 3 * * *' },
    { name: 'deliveries.measure', cron: '*/5 * * * *' },
    { name: 'deliveryMonitor.check', cron: '* * * * *' },
    { name: 'feedRuns.prune', cron: '43 3 * * *' },
    { name: 'feeds.fetchDue', cron: '* * * * *' },
    { name: 'files.sweep', cron: '53 * * * *' },
    { name: 'knowledge.reread', cron: '29 4 * * 0' },
    { name: 'locales.askForConfirmation', cron: '7 * * * *' },
    { name: 'locales.check', cron: '13 2 * * *' },
    { name: 'locales.project', cron: '* * * * *' },
    { name: 'messages.prune', cron: '23 3 * * *' },
    { name: 'notifications.digest', cron: '*/15 * * * *' },
    { name: 'notifications.recordStatus', cron: '* * * * *' },
    { name: 'publicChanges.prune', cron: '17 * * * *' },
    { name: 'reminders.sendDue', cron: '*/5 * * * *' },
    { name: 'rollCalls.escalate', cron: '* * * * *' },
    { name: 'rollCalls.prune', cron: '33 3 * * *' },
  ])
  await inBackground(database, 'test', (db) => queue.enqueue(db, 'feeds.fetchDue'))
  const runs = () => inBackground(database, 'test', (db) => db.selectFrom('feed_runs').selectAll().execute())
  await vi.waitFor(
    async () => expect(await runs()).toMatchObject([{ cause: 'schedule', status: 'ok', added: 1 }]),
    pollOptions,
  )
})

test('old runs and old versions are deleted', async () => {
  await inBackground(database, 'test', async (db) => {
    const { id } = await insertSource(db)
    for (const days of [91, 89])
      await db
        .insertInto('feed_runs')
        .values({ source_id: id, cause: 'file', status: 'ok', started_at: new Date(Date.now() - days * 86_400_000) })
        .execute()
    await insertAdvisory(db, { source_id: id })
    await insertAdvisory(db, { source_id: id })
  })
  await pruneFeedRuns(database)
  const runs = await inBackground(database, 'test', (db) =>
    db.selectFrom('feed_runs').selectAll().where('cause', '=', 'file').execute(),
  )
  expect(runs).toHaveLength(1)
  await prunePublicChanges(database, 1)
  const { rows } = await database.background.pool.query('select distinct version from public_changes')
  expect(rows).toHaveLength(1)
})

test('an error of the queue is logged once, not thrown', async () => {
  const lines: string[] = []
  const recordingLog = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line).msg) })
  const away = { query: () => Promise.reject(new Error('the database is away')) }
  const pool = { ...database, background: { ...database.background, pool: away }, requests: { pool: away } }
  // Nothing else of a database is used by a queue that cannot start.
  const broken = new Queue(pool as unknown as typeof database, recordingLog)
  await expect(broken.start()).rejects.toThrow('the database is away')
  await expect(broken.health()).rejects.toThrow('the database is away')
  await broken.stop()
})
