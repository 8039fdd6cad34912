// node scripts/testing/upgrade.mjs <commit> [postgres://…]: starts the portal of that commit, lets it create its data
// and stop, starts the portal of this checkout on the same data, and compares: every row still exists, and a user who
// signed up before can sign in. Embedded without a URL; on PostgreSQL it creates a separate database there. Both
// commits must have the same dependencies, since those of this checkout are used for both, and the first must not be
// older than the baseline of migrations (docs/decisions/0037-one-baseline.md).
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build, install, node, ROOT } from '../setup.mjs'

const [commit, server] = process.argv.slice(2)
if (!commit) {
  console.error('Usage: node scripts/testing/upgrade.mjs <commit> [postgres://…]')
  process.exit(2)
}

/** Rows of these tables come and go by themselves. */
const PASSING = /^(rate_limits|public_changes|auth_verifications|auth_sessions)$/
const EMAIL = 'before@example.org'
const PASSWORD = 'kept over the upgrade 7'
const temporary = mkdtempSync(path.join(os.tmpdir(), 'portal-upgrade-'))
const old = path.join(temporary, 'before')
const data = path.join(temporary, 'data')
const name = `portal_upgrade_${process.pid}`

install()
build()
const { default: pg } = await import('pg')
const DATABASE_URL = server ? await ownDatabase() : undefined
const environment = {
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  DATA_DIR: data,
  FEEDS: 'off',
  CITIES: '0',
  LOG_LEVEL: 'error',
  SAMPLE_PASSWORD: PASSWORD,
  ...(DATABASE_URL ? { DATABASE_URL } : {}),
}
checkOut()
try {
  run(
    old,
    ['server/cli.ts', 'admin:create', '--email', EMAIL, '--name', 'Before Upgrade', '--password-stdin'],
    PASSWORD,
  )
  await lives(old, async (url) => signIn(url, 'before'))
  const before = await counts(old)
  await lives(ROOT, async (url) => {
    await signIn(url, 'after')
    // Churches that a migration withheld are published again by a job that runs every minute.
    await sleep(100_000)
  })
  const after = await counts(ROOT)
  const lost = Object.entries(before).filter(([table, count]) => !PASSING.test(table) && (after[table] ?? 0) < count)
  const rows = Object.values(before).reduce((sum, count) => sum + count, 0)
  console.log(
    `${Object.keys(before).length} tables with ${rows} rows before, ${Object.keys(after).length} tables after.`,
  )
  for (const [table, count] of lost)
    console.error(`${table}: ${count} rows before, ${after[table] ?? 'no table'} after`)
  process.exitCode = lost.length > 0 ? 1 : 0
} finally {
  if (DATABASE_URL) await administer(`drop database if exists ${name} with (force)`)
  rmSync(temporary, { recursive: true, force: true })
}

function checkOut() {
  mkdirSync(old)
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', old], { input: archive })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(old, 'node_modules'))
  run(old, ['--eval', "import('./scripts/setup.mjs').then(({ build }) => build())"])
}

function run(cwd, args, input = '') {
  return execFileSync(node(), args, { cwd, input, env: environment, encoding: 'utf8' })
}

/** Starts the portal of a folder, runs `use` once it is ready, and stops it. */
async function lives(cwd, use) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(node(), ['server/main.ts'], {
    cwd,
    env: { ...environment, PORT: String(port), PUBLIC_URL: url },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (
    let tries = 0;
    !(await fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    ));
    tries++
  ) {
    if (child.exitCode !== null || tries > 600) throw new Error(`The portal in ${cwd} did not become ready`)
    await sleep(100)
  }
  await use(url)
  child.kill('SIGTERM')
  const code = await ended
  if (code !== 0) throw new Error(`The portal in ${cwd} ended with ${code}`)
}

async function signIn(url, when) {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`Signing in ${when} the upgrade: ${answer.status} ${await answer.text()}`)
}

/** Row count of each table, read by the code of the folder that wrote them last. */
async function counts(cwd) {
  const script = `
    const modules = ['connection', 'embedded'].map((name) => import('./server/db/' + name + '.ts').catch(() => ({})))
    const { openPglite, openPostgres } = Object.assign({}, ...(await Promise.all(modules)))
    const database = ${DATABASE_URL ? `openPostgres(${JSON.stringify(DATABASE_URL)})` : `await openPglite(${JSON.stringify(data)})`}
    const { pool } = database.background
    const { rows } = await pool.query("select tablename from pg_tables where schemaname = 'public'")
    const all = {}
    const client = await pool.connect()
    for (const { tablename } of rows) {
      await client.query('begin')
      await client.query("select set_config('role', 'portal_service', true)")
      const answer = await client.query('select count(*)::int as n from "' + tablename + '"').catch(() => null)
      if (answer) all[tablename] = answer.rows[0].n
      await client.query('rollback')
    }
    client.release()
    await database.close()
    console.log(JSON.stringify(all))`
  return JSON.parse(run(cwd, ['--input-type=module', '--eval', script]))
}

async function ownDatabase() {
  await administer(`create database ${name} template template0 encoding 'UTF8'`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function administer(statement) {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
