// Prerequisites of every command: the packages of the lockfile, the pinned Node, the built pages. Built-in modules
// only, since it runs before anything is installed, under any Node from 20 on.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const print = (text) => console.error(`› ${text}`)

/** Installs the packages of the lockfile unless they are already installed. */
export function install() {
  const stamp = path.join(ROOT, 'node_modules/.installed')
  const wanted = hash([path.join(ROOT, 'package-lock.json')])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  print('Installing packages (first time: about a minute) …')
  const { NODE_ENV: _, ...env } = process.env
  run(npm(), ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'], env)
  writeFileSync(stamp, wanted)
}

/** The pinned Node from the packages; the running Node if no package exists for the platform. */
export function node() {
  const pinned = readdirSync(path.join(ROOT, 'node_modules'))
    .filter((name) => /^node-(linux|darwin|win)-/.test(name))
    .map((name) => path.join(ROOT, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
    .find(existsSync)
  if (pinned) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new Error('No packaged Node 24 exists for this machine. Install Node 24 or newer and try again.')
}

/** Builds the pages and compresses them, unless the sources are unchanged. */
export function build() {
  const stamp = path.join(ROOT, 'build/.source')
  const wanted = hash(
    sources(['web', 'shared', 'public/locales', 'package-lock.json', 'vite.config.ts', 'react-router.config.ts']),
  )
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  print('Building the pages …')
  run(node(), ['node_modules/@react-router/dev/bin.cjs', 'build'], { ...process.env, NODE_ENV: 'production' }, 'quiet')
  run(node(), ['scripts/compress.mjs'])
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

export function run(command, args, env = process.env, output = 'inherit') {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    env,
    stdio: output === 'quiet' ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command === npm(),
  })
  if (result.status === 0) return
  if (output === 'quiet') console.error(String(result.stdout ?? ''), String(result.stderr ?? ''))
  if (result.error) throw result.error
  throw failure(command, args, result.signal ?? `exit ${result.status}`)
}

/** Runs programs in parallel; once all have finished, throws for the first that failed. */
export async function runTogether(command, lists) {
  const results = await Promise.allSettled(
    lists.map(async (args) => {
      const [status, signal] = await once(
        spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }),
        'exit',
      )
      if (status !== 0) throw failure(command, args, signal ?? `exit ${status}`)
    }),
  )
  for (const { reason } of results) if (reason) throw reason
}

const failure = (command, args, how) =>
  new Error(`${path.basename(command)} ${args.slice(0, 2).join(' ')} failed (${how})`)

const npm = () => (process.platform === 'win32' ? 'npm.cmd' : 'npm')

function sources(places) {
  return places.flatMap((place) => {
    const full = path.join(ROOT, place)
    if (!existsSync(full)) return []
    if (statSync(full).isFile()) return [full]
    return readdirSync(full, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
      .sort()
  })
}

function hash(files) {
  const sum = createHash('sha256')
  for (const file of files) sum.update(path.relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  return sum.digest('hex')
}
