import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { isAppError } from '#server/http/failure.ts'
import { csvLines } from './csv.ts'
import { jsonLines } from './json.ts'

export type FileKind = 'workbook' | 'json' | 'csv'

/** Messages of this process to the portal: lines in order, a batch per request; the end; or an error. */
export type ReadingMessage = { lines: string[][] } | { done: true } | { problem: { code: string; text: string } }

const LINES_AT_ONCE = 500
/** Memory limit for reading a file; beyond it, the file is a bomb or no list of locales. */
const MAX_MEMORY = 1_200 * 1024 * 1024
const READERS = { workbook: workbookLines, json: jsonLines, csv: csvLines }

/** The library that unpacks workbooks is slow to load. */
async function* workbookLines(bytes: Buffer) {
  const workbook = await import('./xlsx.ts')
  yield* workbook.workbookLines(bytes)
}

process.on('disconnect', () => process.exit(0))

// The sizes stated in an archive are untrusted: actual memory use is watched instead.
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY) process.exit(1)
}, 50)

await read(process.argv[2] as FileKind, await buffer(process.stdin))

async function read(kind: FileKind, bytes: Buffer): Promise<void> {
  try {
    let lines: string[][] = []
    for await (const line of READERS[kind](bytes)) {
      lines.push(line)
      if (lines.length < LINES_AT_ONCE) continue
      send({ lines })
      lines = []
      await once(process, 'message')
    }
    if (lines.length > 0) {
      send({ lines })
      await once(process, 'message')
    }
    send({ done: true })
  } catch (error) {
    // Any other error is a failure of this process, which the portal reports when it ends.
    if (!isAppError(error)) process.exit(1)
    send({ problem: { code: error.code, text: error.message } })
  }
}

function send(message: ReadingMessage): void {
  if (process.connected) process.send?.(message)
}
