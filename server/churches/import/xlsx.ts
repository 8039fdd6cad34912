import { fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { type FileTable, fileProblem, tableOf } from './table.ts'
import type { SheetMessage } from './xlsx-process.ts'

const TIME_LIMIT_MS = 120_000
const HEAP_MB = 900

/**
 * The first sheet of a workbook. Unpacked in a process of its own that may take so much memory and time and gives way
 * to everything else: whatever is in the archive, the portal goes on answering.
 */
export function readXlsx(bytes: Uint8Array): Promise<FileTable> {
  return tableOf(linesOf(bytes))
}

async function* linesOf(bytes: Uint8Array): AsyncGenerator<string[]> {
  const child = fork(new URL('./xlsx-process.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where the system does not allow it, it reads at the common pace.
  }
  const waiting: SheetMessage[] = []
  let wake = () => {}
  const add = (message: SheetMessage) => {
    waiting.push(message)
    wake()
  }
  child.on('message', add)
  // Killed for its memory or its time, it has not said so itself.
  child.on('exit', () => add({ problem: 'too_large' }))
  child.on('error', () => add({ problem: 'unreadable' }))
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS)
  try {
    child.send(bytes)
    for (;;) {
      const message = waiting.shift()
      if (!message) {
        await new Promise<void>((awake) => {
          wake = awake
        })
        continue
      }
      if ('lines' in message) yield* message.lines
      else if ('done' in message) return
      else throw problemOf(message.problem)
    }
  } finally {
    clearTimeout(timer)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}

function problemOf(problem: 'unreadable' | 'too_large') {
  return problem === 'too_large'
    ? fileProblem('too_large_inside', 'Unpacked, this workbook is too large to be read. Save it as CSV UTF-8.')
    : fileProblem('unreadable', 'This workbook cannot be read. It may not have been transferred whole.')
}
