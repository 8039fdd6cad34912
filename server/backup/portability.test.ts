import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { accountApp, createBrowser, createPasswordAccount, PASSWORD } from '#server/testing/accounts.ts'
import { backUp, backupPlaces, openPlace, type Place, restoreInto, rowsIn, storeOf } from '#server/testing/backups.ts'
import { testDatabase } from '#server/testing/database.ts'
import { makeBackup } from './backup.ts'
import { openSession } from './session.ts'

const { startOwnPostgres } = (await import(new URL('../../scripts/testing/postgres.mjs', import.meta.url).href)) as {
  startOwnPostgres: () => Promise<{ url: string | undefined; stop: () => void }>
}
// Once is enough: the PostgreSQL run also restores into the embedded database and back.
const cluster = process.env.TEST_DATABASE_URL ? await startOwnPostgres() : { url: undefined, stop: () => {} }

const { temporaryFolder, emptyPlace, onEnd } = backupPlaces()
onEnd(() => cluster.stop())
const database = await testDatabase()
const email = 'ruth@example.org'
await createPasswordAccount(database, { email, role: 'admin' })

async function signInStatus(place: Place): Promise<number> {
  const restored = await openPlace(place)
  try {
    const app = await accountApp(restored, {}, { needsSecondStep: false })
    return (await createBrowser(app).post('/auth/login', { email, password: PASSWORD })).status
  } finally {
    await restored.close()
  }
}

async function backUpPlace(place: Place, to = temporaryFolder('next')) {
  const session = await openSession(place)
  try {
    return await makeBackup({ session, store: await storeOf(place), to, withSecrets: true, passphrase: undefined })
  } finally {
    await session.close()
  }
}

test.skipIf(!cluster.url)(
  'a portal moves to a new cluster as an unprivileged user, from there to the embedded database, and back',
  { timeout: 240_000 },
  async () => {
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    expect((await client.query(`select from pg_roles where rolname like 'portal%'`)).rowCount).toBe(0)
    await client.query('create role portal_login login createrole')
    await client.end()

    const first = await backUp(database, {
      store: await storeOf({ dataDir: temporaryFolder('files') }),
      to: temporaryFolder('first'),
      withSecrets: true,
    })
    const places = [
      await emptyPlace(cluster.url, 'portal_login'),
      await emptyPlace(''),
      await emptyPlace(cluster.url, 'portal_login'),
    ]
    let { folder } = first
    for (const place of places) {
      const report = await restoreInto(place, folder, { preservesSessions: true })
      expect(report).toMatchObject({
        tables: first.manifest.tables.length,
        rulesLost: [],
        rulesAdded: [],
        administrators: 1,
      })
      // Forced row-level security applies to this owner; the next backup still contains every row.
      const made = await backUpPlace(place)
      const digests = (manifest: typeof made.manifest) =>
        manifest.tables
          .filter(({ name }) => name !== 'public_version' && name !== 'audit_log')
          .map(({ name, rows, digest }) => [name, rows, digest])
      // Except these two: each restore adds an audit entry and increments the version of public rows.
      expect(digests(made.manifest)).toEqual(digests(first.manifest))
      expect(await signInStatus(place)).toBe(200)
      folder = made.folder
    }
  },
)

test.skipIf(database.engine === 'pglite')(
  'a backup during concurrent writes is a consistent snapshot',
  { timeout: 240_000 },
  async () => {
    const { pool } = database.background
    await pool.query(
      `insert into rate_limits (key, used, resets_at) values ('left', 1000, now()), ('right', 1000, now())`,
    )
    let isWriting = true
    let written = 0
    const writers = [0, 1].map(async (writer) => {
      for (let at = 0; isWriting; at++) {
        const client = await pool.connect()
        try {
          await client.query('begin')
          await client.query(`update rate_limits set used = used - 1 where key = 'left'`)
          await client.query(
            `insert into auth_verifications (id, identifier, value, expires_at) values ($1, 'pair', '', now())`,
            [`${writer}-${at}`],
          )
          await client.query(`update rate_limits set used = used + 1 where key = 'right'`)
          await client.query('commit')
          written++
        } finally {
          client.release()
        }
        await setTimeout(10)
      }
    })
    await expect.poll(() => written).toBeGreaterThan(5)
    const before = written
    const made = await backUp(database, {
      store: await storeOf({ dataDir: temporaryFolder('files') }),
      to: temporaryFolder('load'),
    })
    await expect.poll(() => written).toBeGreaterThan(before + 5)
    isWriting = false
    await Promise.all(writers)
    const place = await emptyPlace()
    await restoreInto(place, made.folder, { preservesSessions: true })
    const [sums] = await rowsIn<{ total: number; moved: number; pairs: number; left: number }>(
      place,
      `
    select sum(used)::int as total, (select count(*)::int from auth_verifications where identifier = 'pair') as pairs,
      sum(used) filter (where key = 'right')::int - 1000 as moved from rate_limits`,
    )
    expect(sums!.total).toBe(2000)
    expect(sums!.pairs).toBe(sums!.moved)
    expect(sums!.moved).toBeGreaterThanOrEqual(before - 2)
    expect(sums!.moved).toBeLessThan(written)
    expect(made.manifest.tables.find(({ name }) => name === 'auth_verifications')!.rows).toBe(sums!.pairs)
  },
)
