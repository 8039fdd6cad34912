import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { keyOf } from '#server/files/store.ts'
import { saveFile } from '#server/files/stored-files.ts'
import { accountApp, createBrowser, createPasswordAccount, PASSWORD } from '#server/testing/accounts.ts'
import { backUp, backupPlaces, openPlace, restoreInto, rowsIn, storeOf } from '#server/testing/backups.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createSession, createTestUser } from '#server/testing/users.ts'
import { listBackups, pruneBackups } from './backup.ts'
import { testBackup } from './check.ts'
import { type Manifest, openBackup, sealOf } from './manifest.ts'
import { checkBackup } from './restore.ts'

const { temporaryFolder, emptyPlace } = backupPlaces()
const database = await testDatabase()
const store = await storeOf({ dataDir: temporaryFolder('source') })
const to = temporaryFolder('backups')
const target = await emptyPlace()
const ana = await createTestUser(database, 'member', {
  display_name: 'أمينة O\'Neil "the 1st"\n\\tab\u2028🕊',
  first_name: 'أمينة',
})
const email = 'ruth@example.org'
await createPasswordAccount(database, { email, role: 'admin' })
const long = 'x\\"\n'.repeat(1_000_000)
await database.background.pool.query(
  `insert into auth_verifications (id, identifier, value, expires_at, created_at) values
    ('a', 'long', $1, 'infinity', '2026-11-22 04:05:06.123456+00'), ('b', '', '', '-infinity', '0001-01-01 BC')`,
  [long],
)
await inBackground(database, 'test', async (db) => {
  await db
    .insertInto('audit_log')
    .values([
      // A JSON null is not an SQL null, and numbers keep every digit.
      {
        actor_id: null,
        actor_role: 'service',
        action: 'user.flag',
        subject_type: 'x',
        subject_id: '1',
        before: 'null',
        after: null,
      },
      {
        actor_id: null,
        actor_role: 'service',
        action: 'user.unflag',
        subject_type: 'x',
        subject_id: '2',
        before: '{"n": 123456789012345678901234567890.10, "a": [[], {}]}',
        after: '""',
      },
    ])
    .execute()
})
for (const status of ['pending', 'deferred', 'sent'] as const)
  await inBackground(database, 'test', (db) =>
    db
      .insertInto('messages')
      .values({
        message_key: status,
        channel: 'email',
        recipient: 'a@example.org',
        user_id: null,
        template: 'test',
        subject: '',
        body_text: 'Text',
        body_html: null,
        error: null,
        provider_message_id: null,
        announcement_id: null,
        subscription_id: null,
        provider: null,
        extras: null,
        status,
      })
      .execute(),
  )
const file = await saveFile(
  store,
  (fn) => inBackground(database, 'test', fn),
  { bytes: Buffer.from('%PDF-1.4 of Ana'), type: 'application/pdf' },
  { owner: ana.id, bucket: 'pdos-documents', path: undefined, name: 'Passport.pdf' },
)
const { folder, manifest } = await backUp(database, { store, to, withSecrets: true })

const TABLES = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
const statesOf = (from: Database) =>
  inBackground(from, 'test', (db) => db.selectFrom('messages').select(['status', 'error']).orderBy('status').execute())
/** Creates several embedded databases, possibly on a busy machine. */
const BUSY_MS = 240_000

/** A copy of the backup to damage. */
function harmed(harm: (copy: string) => void): string {
  const copy = path.join(temporaryFolder('harmed'), 'backup')
  cpSync(folder, copy, { recursive: true })
  harm(copy)
  return copy
}
/** The manifest as an attacker who knows the format would rewrite it. */
const withManifest = (change: (manifest: Manifest) => unknown) =>
  harmed((copy) => {
    const json = JSON.parse(readFileSync(path.join(copy, 'manifest.json'), 'utf8')) as Manifest
    change(json)
    const text = JSON.stringify(json)
    writeFileSync(path.join(copy, 'manifest.json'), text)
    writeFileSync(path.join(copy, 'manifest.sha256'), sealOf(text, null))
  })

test('backup files are readable by their owner only, and no partial backup is left behind', () => {
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const { mode } = statSync(path.join(folder, name))
    expect([name, mode & 0o077]).toEqual([name, 0])
  }
  expect(readdirSync(to)).toEqual([path.basename(folder)])
  expect(manifest.tables.find(({ name }) => name === 'user_profiles')).toMatchObject({ rows: 2 })
  expect(manifest.rules).toContain('rls user_profiles forced')
  expect(manifest.rules).toContain('policy user_profiles.profiles_own r to portal_user')
})

test.each<[string, () => string, RegExp]>([
  [
    'of which one byte is changed',
    () =>
      harmed((copy) => {
        const name = path.join(copy, 'tables/user_profiles.jsonl.gz')
        const bytes = readFileSync(name)
        bytes[bytes.length >> 1]! ^= 1
        writeFileSync(name, bytes)
      }),
    /user_profiles\.jsonl\.gz is damaged/,
  ],
  [
    'of which a table is missing',
    () => harmed((copy) => rmSync(path.join(copy, 'tables/persons.jsonl.gz'))),
    /persons\.jsonl\.gz is missing/,
  ],
  [
    'that was cut off',
    () => harmed((copy) => truncateSync(path.join(copy, 'tables/persons.jsonl.gz'), 30)),
    /persons\.jsonl\.gz has 30 bytes/,
  ],
  [
    'of which a file was changed',
    () => harmed((copy) => writeFileSync(path.join(copy, 'files', keyOf(file)), '%PDF-1.4 of Bob')),
    /is damaged/,
  ],
  [
    'whose manifest was changed',
    () =>
      harmed((copy) => {
        const name = path.join(copy, 'manifest.json')
        writeFileSync(name, readFileSync(name, 'utf8').replace('"rows": 2', '"rows": 3'))
      }),
    /manifest of this backup was changed/,
  ],
  [
    'whose manifest is no JSON',
    () => harmed((copy) => writeFileSync(path.join(copy, 'manifest.json'), '{')),
    /damaged: it is not JSON/,
  ],
  ['without a manifest', () => harmed((copy) => rmSync(path.join(copy, 'manifest.json'))), /holds no whole backup/],
  ['that is no folder', () => '/nowhere/at/all', /holds no whole backup/],
  [
    'with a table outside of it',
    () => withManifest((json) => Object.assign(json.tables[0]!, { name: '../../etc/passwd' })),
    /tables\.0\.name/,
  ],
  [
    'with a file outside of it',
    () => withManifest((json) => Object.assign(json.files[0]!, { key: '../../../etc/passwd' })),
    /files\.0\.key/,
  ],
  [
    'with SQL for a column',
    () => withManifest((json) => Object.assign(json.tables[0]!, { columns: ['id"; drop table x; --'] })),
    /tables\.0\.columns/,
  ],
  ['with the same table twice', () => withManifest((json) => json.tables.push(json.tables[0]!)), /contains duplicates/],
  [
    'of a newer version',
    () => withManifest((json) => json.migrations.push({ name: '9999_later.sql', checksum: '0'.repeat(64) })),
    /newer version of the portal, which has 9999_later\.sql/,
  ],
  [
    'from before the baseline of migrations',
    () => withManifest((json) => Object.assign(json, { format: 1, migrations: ['0001_ground.sql'] })),
    /older than the migration baseline.*Nothing was changed.*version that made it/s,
  ],
  [
    'of a version with another text of a migration',
    () => withManifest((json) => Object.assign(json.migrations[1]!, { checksum: '0'.repeat(64) })),
    /version of the portal with a different 0002_readmodel\.sql/,
  ],
  ['of a newer format', () => withManifest((json) => Object.assign(json, { format: 3 })), /newer version/],
  [
    'without a column',
    () => withManifest((json) => json.tables.find(({ name }) => name === 'persons')!.columns.pop()),
    /columns of table persons in this backup do not match/,
  ],
])('refuses a backup %s', async (_, make, message) => {
  await expect(restoreInto(target, make())).rejects.toThrow(message)
})

test('a refused backup writes nothing', async () => {
  expect(await rowsIn(target, TABLES)).toEqual([])
})

test('an encrypted backup reveals no text and cannot be read without the right passphrase', {
  timeout: BUSY_MS,
}, async () => {
  const passphrase = 'correct horse battery staple'
  const secret = await backUp(database, { store, to: temporaryFolder('secret'), passphrase })
  for (const name of readdirSync(secret.folder, { recursive: true }) as string[])
    if (statSync(path.join(secret.folder, name)).isFile() && name !== 'manifest.json')
      expect(() => gunzipSync(readFileSync(path.join(secret.folder, name)))).toThrow()
  expect(readFileSync(path.join(secret.folder, 'files', keyOf(file))).includes('PDF')).toBe(false)
  await expect(restoreInto(target, secret.folder)).rejects.toThrow('--passphrase-file')
  await expect(restoreInto(target, secret.folder, { passphrase: 'correct horse battery' })).rejects.toThrow(
    'passphrase is wrong',
  )
  await expect(backUp(database, { store, to, passphrase: 'short' })).rejects.toThrow('must be at least')
  await checkBackup(await openBackup(secret.folder, passphrase))
  // Always restores into an embedded database, so one of the two runs is enough.
  if (database.engine === 'pglite') return
  const { report } = await testBackup(secret.folder, passphrase)
  expect(report).toMatchObject({ tables: manifest.tables.length, rulesLost: [], administrators: 1 })
})

test('restores everything, lets an administrator sign in, and suspends pending work', {
  timeout: BUSY_MS,
}, async () => {
  await createSession(database, ana)
  const report = await restoreInto(target, folder)
  expect(report).toMatchObject({
    tables: manifest.tables.length,
    rulesLost: [],
    rulesAdded: [],
    administrators: 1,
    suspendedMessages: 2,
  })
  const restored = await openPlace(target)
  const theirs = await storeOf(target)
  try {
    const ask = async (text: string) => [
      (await database.background.pool.query(text)).rows,
      (await restored.background.pool.query(text)).rows,
    ]
    for (const text of [
      `select to_jsonb(p) from user_profiles p order by id`,
      `select name, value from auth_secrets order by name`,
      // The restore adds one more audit entry.
      `select last_value - (select count(*) from audit_log where action = 'backup.restore') as last_value from audit_log_id_seq`,
      `select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
      `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where contype <> 'n' order by 1, 2`,
      `select tablename, policyname, cmd, qual, with_check from pg_policies where schemaname = 'public' order by 1, 2`,
    ]) {
      const [was, is] = await ask(text)
      expect(is, text).toEqual(was)
    }
    const entries = (from: Database) =>
      inBackground(from, 'test', (db) =>
        db.selectFrom('audit_log').selectAll().where('action', '!=', 'backup.restore').orderBy('id').execute(),
      )
    expect(await entries(restored)).toEqual(await entries(database))
    expect(Buffer.from(await theirs.getBytes(keyOf(file))).toString()).toBe('%PDF-1.4 of Ana')
    // A restore ends sessions and pending codes and links; waiting messages are deferred.
    expect((await restored.background.pool.query('select from auth_sessions')).rowCount).toBe(0)
    expect((await restored.background.pool.query('select from auth_verifications')).rowCount).toBe(0)
    expect(await statesOf(restored)).toEqual([
      { status: 'failed', error: 'Held after a restore' },
      { status: 'failed', error: 'Held after a restore' },
      { status: 'sent', error: null },
    ])

    const app = await accountApp(restored, { files: theirs }, { needsSecondStep: false })
    const browser = createBrowser(app)
    expect((await browser.post('/auth/login', { email, password: 'another password' })).status).toBe(401)
    expect((await browser.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
    // Numbers of new entries continue after the existing ones.
    const { body } = await browser.get('/admin-operations/audit-log')
    expect((body.entries as { action: string }[]).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.flag', 'user.unflag', 'backup.restore']),
    )
    const stranger = createBrowser(app)
    expect((await stranger.get('/admin-operations/audit-log')).status).toBe(401)
  } finally {
    await restored.close()
  }
})

test('replaces existing data only if requested, and keeps it when the new restore fails', {
  timeout: BUSY_MS,
}, async () => {
  await expect(restoreInto(target, folder)).rejects.toThrow('This database contains data')
  const usersQuery = `select id, last_login_at is not null as has_signed_in from user_profiles order by id`
  const before = await rowsIn(target, usersQuery)
  const broken = restoreInto(target, folder, {
    replaces: true,
    wrap: (session) => ({
      ...session,
      async query(text, values) {
        // The server ends the connection during loading; the embedded database has no second session to end it.
        if (/^insert into "stored_files"/.test(text)) {
          if (session.engine === 'pglite') throw new Error('the machine went down')
          await rowsIn(
            target,
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
          )
        }
        return session.query(text, values)
      },
    }),
  })
  await expect(broken).rejects.toThrow()
  expect(await rowsIn(target, usersQuery)).toEqual(before)

  const options = { replaces: true, preservesSessions: true, sendsPending: true }
  expect(await restoreInto(target, folder, options)).toMatchObject({ rulesLost: [], suspendedMessages: 0 })
  expect(
    await rowsIn(
      target,
      `select identifier, value = $1 as is_long, created_at::text from auth_verifications where id in ('a', 'b') order by id`,
      [long],
    ),
  ).toEqual([
    { identifier: 'long', is_long: true, created_at: '2026-11-22 04:05:06.123456+00' },
    { identifier: '', is_long: false, created_at: '0001-01-01 00:00:00+00 BC' },
  ])
  const restored = await openPlace(target)
  expect((await statesOf(restored).finally(() => restored.close())).map(({ status }) => status)).toEqual([
    'deferred',
    'pending',
    'sent',
  ])
})

test.skipIf(database.engine === 'pglite' || process.platform !== 'linux')(
  'a full disk leaves no backup and nothing that looks like one',
  { timeout: BUSY_MS },
  async () => {
    const place = temporaryFolder('full')
    await database.background.pool.query(
      `insert into auth_verifications (id, identifier, value, expires_at) values ('noise', '', $1, now())`,
      [randomBytes(300_000).toString('base64')],
    )
    const [row] = (await database.background.pool.query('select current_database() as name')).rows
    const url = new URL(process.env.TEST_DATABASE_URL!)
    url.pathname = `/${row.name}`
    // Limits this process to files of 64 kB.
    const run = promisify(execFile)(
      'bash',
      ['-c', `ulimit -f 64; exec "${process.execPath}" server/cli.ts backup --to "${place}"`],
      { env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: url.href, DATA_DIR: place } },
    )
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('too large for that disk') })
    expect(readdirSync(place)).toEqual([])
  },
)

test('missing or changed files are listed and do not stop the backup', async () => {
  const own = await storeOf({ dataDir: temporaryFolder('own') })
  const save = (name: string) =>
    saveFile(
      own,
      (fn) => inBackground(database, 'test', fn),
      { bytes: Buffer.from(`%PDF-1.4 ${name}`), type: 'application/pdf' },
      { owner: ana.id, bucket: 'pdos-documents', path: undefined, name },
    )
  const [gone, changed] = [await save('gone'), await save('changed')]
  await own.delete(keyOf(gone))
  await own.put(keyOf(changed), 'other bytes')
  const made = await backUp(database, { store: own, to: temporaryFolder('missing') })
  expect(Object.fromEntries(made.manifest.missing_files.map(({ key, reason }) => [key, reason]))).toEqual({
    [keyOf(gone)]: 'missing',
    [keyOf(file)]: 'missing',
    [keyOf(changed)]: 'damaged',
  })
})

test('leaves secrets out unless requested', async () => {
  await database.background.pool.query(`insert into auth_secrets values ('test', 'hush') on conflict do nothing`)
  const rows = async (withSecrets: boolean) =>
    (await backUp(database, { store, to: temporaryFolder('secrets'), withSecrets })).manifest.tables.find(
      ({ name }) => name === 'auth_secrets',
    )!.rows
  expect([await rows(false), await rows(true)]).toEqual([0, 1])
})

test('keeps the latest backups and removes old partial ones', async () => {
  const place = temporaryFolder('pruned')
  for (const day of [1, 2, 3]) await backUp(database, { store, to: place, now: new Date(Date.UTC(2026, 10, day)) })
  await expect(backUp(database, { store, to: place, now: new Date(Date.UTC(2026, 10, 3)) })).rejects.toThrow('already')
  writeFileSync(path.join(place, 'letter.txt'), 'of somebody else')
  for (const [name, hours] of [
    ['backup-20261101T000000000Z-aaaa.partial', 25],
    ['backup-20261103T000000000Z-bbbb.partial', 1],
  ] as const) {
    mkdirSync(path.join(place, name))
    const then = new Date(Date.now() - hours * 3_600_000)
    utimesSync(path.join(place, name), then, then)
  }
  await pruneBackups(place, 2)
  expect((await listBackups(place)).map((name) => path.basename(name))).toEqual([
    'backup-20261103T000000000Z',
    'backup-20261102T000000000Z',
  ])
  expect(readdirSync(place).filter((name) => !/Z$/.test(name))).toEqual([
    'backup-20261103T000000000Z-bbbb.partial',
    'letter.txt',
  ])
})
