import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import type { AppError } from '#shared/errors.ts'
import type { FileKind, ReadingMessage } from './file-reader-process.ts'
import { fileProblem } from './table.ts'

const TIME_LIMIT_MS = 120_000
const HEAP_MB = 900

/**
 * The lines of a file, read in a child process with limited memory and time and low priority: whatever the file
 * contains, the portal stays responsive. The process ends when the consumer stops reading.
 */
export async function* linesElsewhere(kind: FileKind, bytes: Uint8Array): AsyncGenerator<string[]> {
  const child = start(kind)
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS)
  try {
    // It may end before it has read everything.
    child.stdin?.on('error', () => {})
    child.stdin?.end(bytes)
    for (;;) {
      const message = await nextMessage(child)
      if (!message) throw tooLarge(kind)
      if ('done' in message) return
      if ('problem' in message) throw fileProblem(message.problem.code, message.problem.text)
      yield* message.lines
      child.send('more')
    }
  } finally {
    clearTimeout(timer)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}

function start(kind: FileKind): ChildProcess {
  const child = fork(new URL('./file-reader-process.ts', import.meta.url), [kind], {
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', () => {})
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where the system does not allow it, the process runs at normal priority.
  }
  return child
}

/** Undefined when the process ended without a result: killed for its memory or time. */
function nextMessage(child: ChildProcess): Promise<ReadingMessage | undefined> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const receive = (message: unknown) => {
      child.off('exit', end)
      resolve(message as ReadingMessage)
    }
    const end = () => {
      child.off('message', receive)
      resolve(undefined)
    }
    child.once('message', receive)
    child.once('exit', end)
  })
}

const tooLarge = (kind: FileKind): AppError =>
  kind === 'workbook'
    ? fileProblem('too_large_inside', 'Unpacked, this workbook is too large to be read. Save it as CSV UTF-8.')
    : fileProblem('too_large_inside', 'This file is too large to be read. Split it into several files.')
