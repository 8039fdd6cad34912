// A process that acknowledges advisories at a fixed rate, as the users of the given tokens, over keep-alive
// connections.
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export interface AcknowledgeTask {
  origin: string
  advisories: string[]
  tokens: string[]
  connections: number
  seconds: number
  /** Acknowledgments per second over all connections. */
  pace: number
}

export interface AcknowledgeResult {
  perSecond: number
  errors: number
}

process.once('message', async (task: AcknowledgeTask) => {
  process.send!(await run(task), () => process.disconnect())
})

async function run({ origin, advisories, tokens, connections, seconds, pace }: AcknowledgeTask) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const everyMs = (1000 * connections) / pace
  const until = performance.now() + seconds * 1000
  const result = { done: 0, errors: 0 }
  let next = 0

  function acknowledge(): Promise<boolean> {
    const at = next++
    const id = advisories[Math.floor(at / tokens.length) % advisories.length]
    return new Promise((resolve) => {
      const request = http.request(
        `${origin}/api/travel-advisories/${id}/acknowledge`,
        {
          method: 'POST',
          agent,
          headers: { authorization: `Bearer ${tokens[at % tokens.length]}`, 'content-length': 0 },
        },
        (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode === 200))
        },
      )
      request.on('error', () => resolve(false))
      request.end()
    })
  }

  await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      await pause((everyMs * at) / connections)
      for (let due = performance.now(); due < until; due += everyMs) {
        const waitMs = due - performance.now()
        if (waitMs > 0) await pause(waitMs)
        if (performance.now() >= until) return
        if (await acknowledge()) result.done++
        else result.errors++
      }
    }),
  )
  agent.destroy()
  return { perSecond: result.done / seconds, errors: result.errors } satisfies AcknowledgeResult
}
