import http from 'node:http'
import { questions } from '../evaluate/questions.ts'
import { milliseconds, percentile, type Row, times } from './report.ts'
import { serveBytes } from './tools/bytes.ts'
import type { BenchEnvironment } from './tools/environment.ts'
import { withLocales } from './tools/locales.ts'
import { type Answer, ask, startPortal } from './tools/portal.ts'

const VISITORS = 50
const LOCALES = 2_000
const PAGE = '/plain'

/** Time to the first text of an answer for fifty simultaneous visitors, without a model, in twelve languages. */
export async function measure(ground: BenchEnvironment): Promise<Row[]> {
  const url = await withLocales(await ground.database(), LOCALES)
  const portal = await startPortal({ DATABASE_URL: url, TRUSTED_PROXIES: '1' })
  const samples = [...questions()].sort((a, b) => a.id.localeCompare(b.id))
  try {
    await timeFirstText(portal.url, { message: 'Is it safe in Japan?', visitor: 0 })
    const { length } = await timeFirstText(portal.url, { message: 'Is it safe in Canada?', visitor: 0 })
    const bytes = await serveBytes(new Map([[PAGE, plainPage(length)]]))
    const ours: number[] = []
    const plain: number[] = []
    for (let round = 0; round < ground.options.rounds; round++) {
      const all = await atOnce((i) => {
        const visitor = round * VISITORS + i
        return timeFirstText(portal.url, { message: samples[visitor % samples.length]!.question, visitor })
      })
      ours.push(...all.map((answer) => answer.milliseconds))
      plain.push(...(await atOnce(() => ask(bytes.url, PAGE))).map((answer) => answer.milliseconds))
    }
    bytes.stop()
    return [row('median', 0.5, ours, plain, null), row('p95', 0.95, ours, plain, 300)]
  } finally {
    await portal.stop()
  }
}

const atOnce = <T>(task: (visitor: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: VISITORS }, (_, i) => task(i)))

function row(name: string, share: number, ours: number[], plain: number[], budget: number | null): Row {
  const [measured, baseline] = [percentile(ours, share), percentile(plain, share)]
  return {
    what: `first words, ${VISITORS} visitors at once, no model: ${name}`,
    budget: budget === null ? '' : `≤ ${budget} ms`,
    measured: milliseconds(measured),
    baseline: milliseconds(baseline),
    ratio: times(measured / baseline),
    isMet: budget === null ? null : measured <= budget,
  }
}

/** A response with as many bytes as an answer, sent at once. */
const plainPage = (length: number): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.alloc(length, 'a'),
  milliseconds: 0,
})

/** Time to the first text of a stream; `length` is that of the whole stream. */
function timeFirstText(origin: string, { message, visitor }: { message: string; visitor: number }) {
  const began = performance.now()
  return new Promise<{ milliseconds: number; length: number }>((resolve, reject) => {
    const request = http.request(
      `${origin}/api/public/chat/stream`,
      {
        method: 'POST',
        agent: new http.Agent(),
        headers: {
          'content-type': 'application/json',
          // One address per visitor, because of the rate limit.
          'x-forwarded-for': `10.0.${visitor >> 8}.${visitor & 255}`,
        },
      },
      (response) => {
        let text = ''
        let milliseconds = Number.NaN
        response.on('data', (chunk: Buffer) => {
          text += chunk
          if (Number.isNaN(milliseconds) && text.includes('event: words')) milliseconds = performance.now() - began
        })
        response.on('error', reject)
        response.on('end', () =>
          Number.isNaN(milliseconds)
            ? reject(new Error(`No words came: ${response.statusCode} ${text.slice(0, 200)}`))
            : resolve({ milliseconds, length: Buffer.byteLength(text) }),
        )
      },
    )
    request.on('error', reject)
    request.end(JSON.stringify({ message }))
  })
}
