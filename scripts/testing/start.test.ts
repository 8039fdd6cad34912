import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { fillDataDirectory } from '#server/testing/database.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'portal-start-'))
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

interface Run {
  child: ChildProcess
  output: () => string
  code: Promise<number | null>
}

function run(command: string, args: string[], environment: Record<string, string> = {}): Run {
  const { TEST_DATABASE_URL: _, NODE_ENV: __, npm_lifecycle_event: ___, ...inherited } = process.env
  const env = { ...inherited, FEEDS: 'off', CITIES: '0', ...environment }
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const code = once(child, 'exit').then(([exit]) => {
    running.delete(child)
    return exit as number | null
  })
  return { child, output: () => output, code }
}

const script = (args: string[], environment?: Record<string, string>) =>
  run(process.execPath, ['scripts/start.mjs', ...args], environment)

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

const ready = (port: number) =>
  fetch(`http://127.0.0.1:${port}/ready`).then(
    async (answer) => ((await answer.json()) as { status: string }).status,
    () => 'away',
  )
const WAITS = { timeout: 120_000, interval: 100 }
const becomes = (port: number, status: string) => expect.poll(() => ready(port), WAITS).toBe(status)

test('help is printed without building; an unknown option is rejected and prints help', async () => {
  const help = script(['--help'])
  expect(await help.code).toBe(0)
  expect(help.output()).toMatch(/^Usage: npm start[\s\S]*DATA_DIR[\s\S]*docs\/operating\.md/)
  const unknown = script(['--port', '80'])
  expect(await unknown.code).toBe(2)
  expect(unknown.output()).toContain('There is no option --port 80')
})

test('an occupied port is detected before anything is created', async () => {
  const holder = net.createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const place = path.join(folder, 'never')
  const start = script([], { PORT: String(port), DATA_DIR: place })
  expect(await start.code).toBe(1)
  expect(start.output()).toContain(`Port ${port} on 127.0.0.1 is in use`)
  expect(existsSync(place)).toBe(false)
  holder.close()
}, 240_000)

test.skipIf(process.platform === 'win32')(
  'npm start ends with its server, and starts again after a kill',
  async () => {
    const [port, other] = [await freePort(), await freePort()]
    const place = path.join(folder, 'data')
    const lock = path.join(place, 'portal.lock')
    // The journeys start portals in empty directories.
    await fillDataDirectory(place)
    const holder = () => JSON.parse(readFileSync(lock, 'utf8')).pid as number

    const npm = run('npm', ['start'], { PORT: String(port), DATA_DIR: place })
    await becomes(port, 'ready')
    const second = script([], { PORT: String(other), DATA_DIR: place })
    expect(await second.code).toBe(1)
    expect(second.output()).toContain(`in use by process ${holder()}`)
    npm.child.kill('SIGTERM')
    await npm.code
    await becomes(port, 'away')
    await expect.poll(() => existsSync(lock), WAITS).toBe(false)

    const killed = script([], { PORT: String(port), DATA_DIR: place })
    await becomes(port, 'ready')
    process.kill(holder(), 'SIGKILL')
    expect(await killed.code).toBe(1)
    expect(existsSync(lock)).toBe(true)

    const orphaned = script([], { PORT: String(port), DATA_DIR: place })
    await becomes(port, 'ready')
    orphaned.child.kill('SIGKILL')
    await becomes(port, 'away')
    await expect.poll(() => existsSync(lock), WAITS).toBe(false)
  },
  400_000,
)
