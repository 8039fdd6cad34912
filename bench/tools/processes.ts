import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:net'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../..')
export const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds))

const running = new Set<ChildProcess>()
// A benchmark that fails half-way leaves no processes behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Registers a child process to be ended with this one. */
export function ours<T extends ChildProcess>(child: T): T {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Runs a file of this folder in a separate process, with the task as its first message. */
export function helper(file: string, task: unknown): ChildProcess {
  const child = ours(fork(path.join(import.meta.dirname, file), { serialization: 'advanced' }))
  child.send(task as object)
  return child
}

/** The next message of a helper; fails if it exits without one. */
export function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ${child.spawnargs.at(-1)} ended (${code})`)))
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve((address as { port: number }).port))
    })
  })
}
