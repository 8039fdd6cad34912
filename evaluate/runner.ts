import type { App } from '#server/app.ts'
import type { ChatReply } from '#shared/assistant/chat.ts'
import type { EvaluatedQuestion } from './questions.ts'

/** Result of a question. */
export interface RunResult {
  question: EvaluatedQuestion
  reply: ChatReply
  /** Each streamed text, and the complete answer. */
  seen: string[]
  milliseconds: number
}

/** Records cited by an answer, without the record of a help line above it. */
export const answerRecords = ({ metadata: { records, help_line } }: ChatReply): string[] =>
  records.filter((record) => record !== help_line?.hotline?.record)

interface AskOptions {
  atOnce: number
  /** Ask every other question as a stream, as the page does. */
  streams: boolean
}

/** Asks all questions over HTTP, as the page does, with limited concurrency. */
export async function askAll(
  app: App,
  all: readonly EvaluatedQuestion[],
  { atOnce, streams }: AskOptions,
): Promise<RunResult[]> {
  const came: RunResult[] = []
  const waiting = all.entries()
  const worker = async () => {
    for (const [i, question] of waiting) came[i] = await ask(app, question, streams && i % 2 === 1)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return came
}

async function ask(app: App, question: EvaluatedQuestion, isStream: boolean): Promise<RunResult> {
  const began = performance.now()
  const messages = [
    ...question.before.flatMap((content) => [
      { role: 'user', content },
      { role: 'assistant', content: '…' },
    ]),
    { role: 'user', content: question.question },
  ]
  const response = await app.request(`http://portal.invalid/api/public/chat${isStream ? '/stream' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages }),
  })
  const { reply, seen } = isStream
    ? await readStream(response)
    : { reply: (await response.json()) as ChatReply, seen: [] }
  const milliseconds = performance.now() - began
  if (response.status !== 200 || !reply?.metadata)
    throw new Error(`${question.language} ${question.id}: ${response.status} ${JSON.stringify(reply)}`)
  return { question, reply, seen: [...seen, reply.content], milliseconds }
}

async function readStream(response: Response): Promise<{ reply: ChatReply; seen: string[] }> {
  const events = (await response.text()).split('\n\n').filter((block) => block.startsWith('event: '))
  let shown = ''
  let reply: ChatReply | undefined
  for (const block of events) {
    const [head = '', body = ''] = block.split('\n')
    const data = JSON.parse(body.slice('data: '.length))
    if (head === 'event: words') shown += data.text
    if (head === 'event: answer') reply = data
    if (head === 'event: failure') throw new Error(`A stream failed: ${body}`)
  }
  return { reply: reply!, seen: [shown] }
}
