import { type Answer, ask } from './portal.ts'
import { answerOf, helper } from './processes.ts'

export interface StoredAnswer {
  headers: Record<string, string>
  body: Buffer
}

/**
 * Requests each path twice (the second response comes from the cache) and returns the bytes. Fails on any status but
 * 200.
 */
export async function capture(
  origin: string,
  paths: string[],
  headers: Record<string, string>,
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const path of paths) {
    await ask(origin, path, { headers })
    const answer = await ask(origin, path, { headers })
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`)
    answers.set(path, answer)
  }
  return answers
}

/** Lower bound for a server: node:http in a separate process that writes the same bodies from a Map. */
export async function serveBytes(answers: Map<string, Answer>) {
  const stored = new Map<string, StoredAnswer>(
    [...answers].map(([path, answer]) => [path, { headers: leastHeaders(answer), body: answer.body }]),
  )
  const child = helper('bytes-server.ts', stored)
  const port = await answerOf<number>(child)
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

function leastHeaders({ headers, body }: Answer): Record<string, string> {
  const encoding = headers['content-encoding']
  return {
    'content-type': headers['content-type']!,
    'content-length': String(body.byteLength),
    ...(encoding ? { 'content-encoding': encoding } : {}),
  }
}
