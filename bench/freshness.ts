import http from 'node:http'
import pg from 'pg'
import { median, milliseconds, type Row } from './report.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { ask, startPortal } from './tools/portal.ts'
import { sleep } from './tools/processes.ts'

const MAX_MS = 1_000
const GIVE_UP_MS = 10_000
const EDITS_EACH = 4

/** Two nodes on one database: time from the commit of an edit until no node returns the old text. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await ground.database()
  const nodes = [await startPortal({ DATABASE_URL: url }), await startPortal({ DATABASE_URL: url })]
  const editor = new pg.Client({ connectionString: url })
  await editor.connect()
  try {
    const { body } = await ask(nodes[0]!.url, '/api/public/travel-advisories?limit=1')
    const { id } = JSON.parse(body.toString()).advisories[0] as { id: string }
    const rows: Row[] = []
    for (const [what, path] of [
      ['list as data', '/api/public/travel-advisories?limit=50'],
      ['page of the list', '/travel-advisories'],
      ['page of the advisory', `/travel-advisories/${id}`],
    ] as const) {
      const waits: number[] = []
      for (let i = 0; i < ground.options.repeat * EDITS_EACH; i++) {
        const title = `Specimen edited ${path.length} times ${i}`
        await editor.query('update travel_advisories set title = $1, updated_at = now() where id = $2', [title, id])
        const since = performance.now()
        waits.push(...(await Promise.all(nodes.map((node) => untilShown(node.url, path, title, since)))))
      }
      rows.push(rowOf(`edit seen on both nodes: ${what} (median, slowest of ${waits.length})`, waits))
    }
    rows.push(await socketRow(nodes[1]!.url, editor, id, ground.options.repeat * EDITS_EACH))
    return rows
  } finally {
    await editor.end()
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

function rowOf(what: string, waits: number[]): Row {
  const slowest = Math.max(...waits)
  return {
    what,
    budget: '≤ 1 s',
    measured: `${milliseconds(median(waits))}, ${milliseconds(slowest)}`,
    baseline: '',
    ratio: '',
    isMet: slowest <= MAX_MS,
  }
}

async function untilShown(origin: string, path: string, text: string, since: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true })
  try {
    while (performance.now() - since < GIVE_UP_MS) {
      const { body } = await ask(origin, path, { agent })
      if (body.includes(text)) return performance.now() - since
      await sleep(2)
    }
    return Number.POSITIVE_INFINITY
  } finally {
    agent.destroy()
  }
}

/** The same for a browser connected to a different node than the one where the edit was made. */
async function socketRow(origin: string, editor: pg.Client, id: string, edits: number): Promise<Row> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/realtime`)
  const next = (type: string) =>
    new Promise<void>((heard) => {
      const listen = ({ data }: MessageEvent) => {
        if (JSON.parse(String(data)).type !== type) return
        socket.removeEventListener('message', listen)
        heard()
      }
      socket.addEventListener('message', listen)
    })
  await new Promise((open, failed) => {
    socket.addEventListener('open', open)
    socket.addEventListener('error', failed)
  })
  const joined = next('reply')
  socket.send(JSON.stringify({ type: 'join', room: 'advisories', ref: 1 }))
  await joined
  const waits: number[] = []
  for (let i = 0; i < edits; i++) {
    const nextEvent = next('event')
    await editor.query('update travel_advisories set title = $1, updated_at = now() where id = $2', [
      `Specimen told ${i}`,
      id,
    ])
    const since = performance.now()
    await Promise.race([nextEvent, sleep(GIVE_UP_MS)])
    waits.push(performance.now() - since)
    // One message per edit: a duplicate would be counted for the next edit.
    await sleep(50)
  }
  socket.close()
  return rowOf(`edit told to an open browser (median, slowest of ${waits.length})`, waits)
}
