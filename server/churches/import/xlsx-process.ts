import { readSheet } from 'read-excel-file/node'
import { MOST_COLUMNS, MOST_ROWS } from '#shared/churches/import-fields.ts'

/** What this process says to the portal: lines in order, then that it is done, or why it cannot be. */
export type SheetMessage = { lines: string[][] } | { done: true } | { problem: 'unreadable' | 'too_large' }

const LINES_AT_ONCE = 500
/** Unpacked a workbook may take this much memory; what wants more is a bomb or no list of locales. */
const MOST_MEMORY = 1_200 * 1024 * 1024

process.on('message', (bytes: Uint8Array) => void read(Buffer.from(bytes)))
process.on('disconnect', () => process.exit(0))

// The sizes that an archive states are not to be trusted: what is watched is the memory that it really takes.
setInterval(() => {
  if (process.memoryUsage.rss() > MOST_MEMORY) say({ problem: 'too_large' }, () => process.exit(1))
}, 50)

async function read(bytes: Buffer): Promise<void> {
  const sheet = await readSheet(bytes).catch(() => undefined)
  if (!sheet) return say({ problem: 'unreadable' })
  if (sheet.length > MOST_ROWS * 2 || (sheet[0]?.length ?? 0) > MOST_COLUMNS * 2) return say({ problem: 'too_large' })
  for (let at = 0; at < sheet.length; at += LINES_AT_ONCE) {
    const lines = sheet.slice(at, at + LINES_AT_ONCE).map((line) => line.map(textOf))
    await new Promise<void>((sent) => say({ lines }, sent))
  }
  say({ done: true })
}

/** Numbers as they are, days without their midnight. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '')
  return String(value)
}

function say(message: SheetMessage, then: () => void = () => {}): void {
  if (process.connected) process.send!(message, undefined, undefined, then)
}
