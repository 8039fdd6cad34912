import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import { migrate } from '#server/db/migrate.ts'
import { Queue } from '#server/jobs/queue.ts'
import { createLog } from '#server/log.ts'
import { accountApp, createBrowser, createPasswordAccount, PASSWORD } from '#server/testing/accounts.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { backupPlaces, openPlace } from '#server/testing/backups.ts'
import { createTestUser } from '#server/testing/users.ts'
import { ROLES } from '#shared/roles.ts'
import { readLines } from './backup-files.ts'
import { makeDueBackup, runBackup, startBackups, testDueBackup } from './job.ts'
import { openBackup, tablePath } from './manifest.ts'

const { temporaryFolder, emptyPlace, onEnd } = backupPlaces()
// A folder on disk, as in operation, rather than an in-memory database.
const place = await emptyPlace()
const database = await openPlace(place)
await migrate(database)
onEnd(() => database.close())
const to = temporaryFolder('scheduled')
const passphraseFile = path.join(temporaryFolder('passphrase'), 'passphrase')
writeFileSync(passphraseFile, 'correct horse battery staple\n')
const backup = { to, everyHours: 24, keep: 2, withSecrets: false, passphraseFile }
const where = { ...place, files: undefined, backup, runsWorker: true }
const deps = { database, log: createLog('silent') }
const email = 'ruth@example.org'
await createPasswordAccount(database, { email, role: 'admin' })

const runs = () =>
  inBackground(database, 'test', (db) =>
    db
      .selectFrom('backup_runs')
      .select(['kind', 'status', 'error', 'missing_files', 'is_encrypted'])
      .orderBy('id')
      .execute(),
  )
const age = (hours: number) =>
  inBackground(database, 'test', (db) =>
    db
      .updateTable('backup_runs')
      .set({ started_at: new Date(Date.now() - hours * 3_600_000) })
      .execute(),
  )
const insertRunning = () =>
  inBackground(database, 'test', (db) =>
    db.insertInto('backup_runs').values({ kind: 'backup', status: 'running' }).execute(),
  )
const clear = () => inBackground(database, 'test', (db) => db.deleteFrom('backup_runs').execute())

test('makes a due backup during concurrent writes, and tests it by restoring it', {
  timeout: 240_000,
}, async () => {
  await database.background.pool.query(
    `insert into rate_limits (key, used, resets_at) values ('left', 1000, now()), ('right', 1000, now())`,
  )
  let isWriting = true
  let moved = 0
  const writer = (async () => {
    while (isWriting) {
      const client = await database.background.pool.connect()
      try {
        await client.query('begin')
        await client.query(`update rate_limits set used = used - 1 where key = 'left'`)
        await client.query(`update rate_limits set used = used + 1 where key = 'right'`)
        await client.query('commit')
        moved++
      } finally {
        client.release()
      }
      await setTimeout(10)
    }
  })()
  await expect.poll(() => moved).toBeGreaterThan(5)
  await makeDueBackup(deps, where)
  const seen = moved
  await expect.poll(() => moved).toBeGreaterThan(seen + 5)
  isWriting = false
  await writer
  expect(await runs()).toEqual([{ kind: 'backup', status: 'done', error: null, missing_files: 0, is_encrypted: true }])
  const [folder, ...others] = readdirSync(to)
  expect(others).toEqual([])

  // A consistent snapshot: an amount that left one row has arrived in the other.
  const { encryption } = await openBackup(path.join(to, folder!), 'correct horse battery staple')
  const used: Record<string, number> = {}
  for await (const line of readLines(path.join(to, folder!), tablePath('rate_limits'), encryption)) {
    const [key, count] = JSON.parse(line)
    used[key] = Number(count)
  }
  expect(used.left! + used.right!).toBe(2000)
  expect(used.right).toBeGreaterThan(1000)
  expect(used.right).toBeLessThan(1000 + moved)

  await makeDueBackup(deps, where)
  await testDueBackup(deps, where)
  await testDueBackup(deps, where)
  expect((await runs()).map(({ kind, status }) => `${kind} ${status}`)).toEqual(['backup done', 'check done'])
})

test('a failure records its reason and is retried after an hour', { timeout: 240_000 }, async () => {
  await clear()
  const file = path.join(temporaryFolder('no-folder'), 'file')
  writeFileSync(file, '')
  const wrong = { ...where, backup: { ...backup, to: path.join(file, 'below') } }
  await makeDueBackup(deps, wrong)
  await makeDueBackup(deps, wrong)
  expect(await runs()).toMatchObject([{ status: 'failed', error: expect.stringContaining('it is not a folder') }])
  await age(2)
  await makeDueBackup(deps, wrong)
  expect(await runs()).toHaveLength(2)
  await clear()
  await runBackup(deps, { ...where, backup: { ...backup, passphraseFile: '/nowhere' } })
  expect(await runs()).toMatchObject([
    { status: 'failed', error: expect.stringMatching(/Cannot read the passphrase file/) },
  ])
})

test('runs one backup at a time', async () => {
  await clear()
  await insertRunning()
  await runBackup(deps, where)
  expect((await runs()).map(({ status }) => status)).toEqual(['running'])
})

test('only an administrator with the password starts a backup, also after an earlier run was abandoned', {
  timeout: 240_000,
}, async () => {
  await clear()
  await insertRunning()
  await age(7)
  const queue = new Queue(database, deps.log)
  await queue.start()
  try {
    await startBackups(queue, deps, where)
    const app = await accountApp(database, { backup, queue }, { needsSecondStep: false })
    const browser = createBrowser(app)
    await browser.post('/auth/login', { email, password: PASSWORD })
    await database.requests.pool.query(`update auth_sessions set created_at = now() - interval '1 day'`)
    const start = (body: object) => browser.post('/admin-operations/backups', body)
    expect(await start({})).toMatchObject({ status: 403, body: { code: 'confirm_first' } })
    expect(await start({ current_password: 'another one' })).toMatchObject({ status: 422 })
    expect(await start({ current_password: PASSWORD })).toMatchObject({ status: 202 })
    await expect
      .poll(async () => (await runs()).map(({ status }) => status), { timeout: 200_000 })
      .toEqual(['failed', 'done'])
    const { body } = await browser.get('/admin-operations/backups')
    expect(body).toMatchObject({
      is_scheduled: true,
      every_hours: 24,
      is_running: false,
      is_late: false,
      is_untested: true,
      last_backup: { missing_files: 0, error: null },
    })
    const unset = createBrowser(await accountApp(database, { queue }, { needsSecondStep: false }))
    await unset.post('/auth/login', { email, password: PASSWORD })
    expect(await unset.post('/admin-operations/backups', {})).toMatchObject({
      status: 409,
      body: { code: 'backup_not_configured' },
    })
  } finally {
    await queue.stop()
  }
})

test('only administrators see backups, through the endpoints and in the table itself', async () => {
  const app = await testApp(database, { backup })
  for (const role of ROLES) {
    const { as, id } = await createTestUser(database, role)
    for (const method of ['GET', 'POST'])
      expect(
        (
          await app.request('/api/admin-operations/backups', {
            method,
            headers: { [AS]: as, 'content-type': 'application/json' },
            ...(method === 'POST' ? { body: '{}' } : {}),
          })
        ).status,
        `${method} ${role}`,
      ).toBe(role !== 'admin' || method === 'POST' ? 403 : 200)
    const seen = await withClaims(database, { as: 'user', userId: id, role }, (db) =>
      db.selectFrom('backup_runs').selectAll().execute(),
    )
    expect([role, seen.length > 0]).toEqual([role, role === 'admin'])
    await expect(
      withClaims(database, { as: 'user', userId: id, role }, (db) => db.deleteFrom('backup_runs').execute()),
    ).rejects.toMatchObject({ code: '42501' })
  }
  expect((await app.request('/api/admin-operations/backups')).status).toBe(401)
  await expect(
    withClaims(database, { as: 'anonymous' }, (db) => db.selectFrom('backup_runs').selectAll().execute()),
  ).rejects.toMatchObject({ code: '42501' })
})
