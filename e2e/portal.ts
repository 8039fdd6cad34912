import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '..')

export interface Portal {
  url: string
  process: ChildProcess
  /** The most recent log output. */
  output(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

/**
 * The prepared data directory that portals start from (see `prepareData`). Stored in the environment, which workers
 * inherit.
 */
const PREPARED = 'E2E_PREPARED_DATA'

/**
 * Creates the tables and sample content once; every portal then starts from a copy, in a tenth of the time. Returns a
 * function that removes it.
 */
export async function prepareData(): Promise<() => void> {
  const folder = newFolder()
  await (await startPortal({ DATA_DIR: folder })).stop()
  process.env[PREPARED] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Copies the prepared data into a data directory, if there is any. */
export function copyPreparedData(folder: string) {
  const prepared = process.env[PREPARED]
  if (prepared) cpSync(prepared, folder, { recursive: true })
}

/** Starts the built portal in a separate process on a free port, with its own embedded database. */
export async function startPortal(environment: Record<string, string> = {}): Promise<Portal> {
  const folder = newFolder()
  if (!environment.DATA_DIR && !environment.DATABASE_URL) copyPreparedData(folder)
  const port = environment.PORT ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'production',
      FEEDS: 'off',
      CITIES: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      ...environment,
      PORT: port,
    },
  })
  let output = ''
  const appendOutput = (chunk: Buffer) => {
    output = (output + chunk).slice(-8_000)
  }
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', appendOutput)
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The portal did not start:\n${output}`)
    const isReady = await fetch(`${url}/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) break
    await new Promise((wait) => setTimeout(wait, 100))
  }
  return {
    url,
    process: child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const newFolder = () => mkdtempSync(path.join(os.tmpdir(), 'portal-e2e-'))

/** Creates an account whose address is not confirmed yet; returns the address. */
export async function signUp(
  { url }: Portal,
  first_name: string,
  email = `${first_name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.org`,
): Promise<string> {
  const password = 'seven purple lanterns'
  const answer = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ first_name, last_name: 'Santos', email, password, country_code: 'PH', accept_terms: true }),
  })
  if (answer.status !== 202) throw new Error(`Signing up was answered with ${answer.status}`)
  return email
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
