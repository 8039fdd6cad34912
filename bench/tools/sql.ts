import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { percentile } from '../report.ts'
import { answerOf, helper, ours } from './processes.ts'

interface SqlTask {
  url: string
  statements: string[]
  connections: number
  seconds: number
}

export type SqlLoopTask = SqlTask

export interface SqlResult {
  perSecond: number
  /** Milliseconds. */
  p99: number
}

/** Statements per second of the database, measured by pgbench if it is installed, otherwise by a loop in Node. */
export async function loadSql(task: SqlTask, folder: string): Promise<SqlResult & { by: string }> {
  const pgbench = findPgbench()
  if (pgbench) return { ...(await runPgbench(pgbench, task, folder)), by: 'pgbench' }
  return { ...(await answerOf<SqlResult>(helper('sql-loop.ts', task))), by: 'a Node loop' }
}

async function runPgbench(pgbench: string, task: SqlTask, folder: string): Promise<SqlResult> {
  const log = mkdtempSync(path.join(folder, 'pgbench-'))
  const files = task.statements.flatMap((statement, i) => {
    const file = path.join(folder, `statement-${i}.sql`)
    // pgbench ends a statement at the line's semicolon and reads a colon as a variable.
    writeFileSync(file, `${statement.replaceAll(/\s+/g, ' ')};\n`)
    return ['-f', file]
  })
  const how = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(task.connections),
    '-j',
    '1',
    '-T',
    String(Math.ceil(task.seconds)),
    '-l',
    '--log-prefix',
    path.join(log, 'log'),
  ]
  const child = ours(spawn(pgbench, [...how, ...files, task.url], { stdio: ['ignore', 'pipe', 'pipe'] }))
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  await new Promise((done) => child.once('close', done))
  const rate = /tps = ([\d.]+)/.exec(output)?.[1]
  if (!rate) throw new Error(`pgbench failed: ${output}`)
  // One line per transaction; the third field is its duration in microseconds.
  const took = readdirSync(log).flatMap((file) => readFileSync(path.join(log, file), 'utf8').trim().split('\n'))
  rmSync(log, { recursive: true })
  return {
    perSecond: Number(rate),
    p99: percentile(
      took.map((line) => Number(line.split(' ')[2]) / 1000),
      0.99,
    ),
  }
}

function findPgbench(): string | undefined {
  if (spawnSync('pgbench', ['--version']).status === 0) return 'pgbench'
  const installed = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
  return installed.map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`).find(existsSync)
}
