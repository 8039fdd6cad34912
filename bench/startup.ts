import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { median, milliseconds, type Row, times } from './report.ts'
import { serveBytes } from './tools/bytes.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { startPortal } from './tools/portal.ts'

const MAX_MS = 5_000
const MAX_BYTES = 600 * 2 ** 20

/** Time from process start until the portal reports ready, and its memory at that point. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const { repeat } = ground.options
  const embedded = await starts({ DATA_DIR: await ground.dataDirectory() }, repeat)
  const postgres = await starts({ DATABASE_URL: await ground.database() }, repeat)
  const empty = mkdtempSync(path.join(ground.temporary, 'empty-'))
  const first = await starts({ DATA_DIR: empty }, 1)
  const bare = median(await bareStarts(repeat))
  return [
    readyRow('embedded, existing data: ready', embedded, bare, '≤ 5 s'),
    memoryRow('embedded: resident memory', embedded, '≤ 600 MB'),
    readyRow('PostgreSQL, existing data: ready', postgres, bare, '≤ 5 s'),
    memoryRow('PostgreSQL: resident memory', postgres, ''),
    readyRow('embedded, first start in an empty directory: ready', first, bare, ''),
  ]
}

interface Start {
  readyMs: number
  bytes: number | undefined
}

async function starts(environment: Record<string, string>, repeat: number): Promise<Start[]> {
  const all: Start[] = []
  for (let i = 0; i < repeat; i++) {
    const portal = await startPortal(environment)
    all.push({ readyMs: portal.readyMs, bytes: portal.residentBytes() })
    await portal.stop()
  }
  return all
}

/** Milliseconds until a bare Node server listens, as a baseline for the load of the machine. */
export async function bareStarts(repeat: number): Promise<number[]> {
  const all: number[] = []
  for (let i = 0; i < repeat; i++) {
    const began = performance.now()
    const bytes = await serveBytes(new Map())
    all.push(performance.now() - began)
    bytes.stop()
  }
  return all
}

function readyRow(what: string, all: Start[], bare: number, budget: string): Row {
  const ready = median(all.map(({ readyMs }) => readyMs))
  return {
    what,
    budget,
    measured: milliseconds(ready),
    baseline: milliseconds(bare),
    ratio: times(ready / bare),
    isMet: budget ? ready <= MAX_MS : null,
  }
}

function memoryRow(what: string, all: Start[], budget: string): Row {
  const bytes = median(all.map((start) => start.bytes ?? Number.NaN))
  const measured = Number.isNaN(bytes) ? 'not known here' : `${Math.round(bytes / 2 ** 20)} MB`
  return {
    what,
    budget,
    measured,
    baseline: '',
    ratio: '',
    isMet: budget && !Number.isNaN(bytes) ? bytes <= MAX_BYTES : null,
  }
}
