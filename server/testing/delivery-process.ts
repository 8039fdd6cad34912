import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'

const FILE = path.join(import.meta.dirname, 'delivery-process-main.ts')

/** Starts a process that sends waiting messages of a PostgreSQL database, until it is killed. */
export function spawnDeliveryProcess(databaseUrl: string, environment: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, [FILE], {
    env: { ...process.env, NODE_ENV: 'development', DATABASE_URL: databaseUrl, ...environment },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  return {
    pid: child.pid!,
    async kill(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** The URL of a test database on the server of TEST_DATABASE_URL. */
export async function urlOf(database: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.background.kysely)
  const url = new URL(process.env.TEST_DATABASE_URL!)
  url.pathname = `/${rows[0]!.name}`
  return url.href
}
