import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { AppError } from '#shared/errors.ts'
import { createHashQueue, type HashOrder } from './hash-queue.ts'
import type { HashAnswer, HashQuestion } from './hash-worker-process.ts'

export type { HashOrder } from './hash-queue.ts'

interface Waiting {
  question: HashQuestion
  resolve: (tag: Buffer) => void
  reject: (error: Error) => void
}

/** Signed in, or the portal itself: no stranger brings these in numbers. */
const OWN_ORDER: HashOrder = { key: '', isKnown: true }

let child: ChildProcess | undefined
let next = 0
let current: Waiting | undefined
const queue = createHashQueue<Waiting>()
const orders = new AsyncLocalStorage<HashOrder>()

/** How many passwords this process has had hashed: the answer for an unknown address must cost as much as for a known. */
export const hashed = () => next

/** Runs what hashes passwords in its turn; everything else hashes among the callers that are known. */
export const inHashOrder = <T>(order: HashOrder, run: () => Promise<T>): Promise<T> => orders.run(order, run)

/**
 * Hashes with argon2id in a process of its own that gives way to everything else on the machine: twenty people who
 * sign in together must not slow down everybody who reads. One at a time, by turns of the networks they come from: a
 * storm of wrong passwords must not keep others waiting. Started with the first password.
 */
export function argon2id(password: string, nonce: Uint8Array): Promise<Buffer> {
  const question = { id: next++, password, nonce: Buffer.from(nonce).toString('base64') }
  return new Promise<Buffer>((resolve, reject) => {
    if (!queue.add({ question, resolve, reject }, orders.getStore() ?? OWN_ORDER))
      return reject(
        new AppError(503, 'busy', 'Too many people sign in at this moment. Please try again in 10 seconds.', {
          headers: { 'retry-after': '10' },
        }),
      )
    if (!current) hashNext()
  })
}

function hashNext(): void {
  current = queue.take()
  if (!current) {
    if (child) rest(child)
    return
  }
  child ??= start()
  child.ref()
  child.channel?.ref()
  child.send(current.question)
}

function start(): ChildProcess {
  const started = fork(new URL('./hash-worker-process.ts', import.meta.url), { execArgv: [] })
  try {
    setPriority(started.pid!, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where the system does not allow it, it hashes at the common pace.
  }
  started.on('message', ({ id, tag }: HashAnswer) => {
    if (current?.question.id !== id) return
    current.resolve(Buffer.from(tag, 'base64'))
    hashNext()
  })
  const end = () => {
    if (child !== started) return
    child = undefined
    current?.reject(new Error('The hashing of passwords was interrupted.'))
    // The others did nothing wrong: a new process takes them.
    hashNext()
  }
  started.on('exit', end)
  started.on('error', end)
  rest(started)
  return started
}

/** Nothing to do: it does not keep the portal from ending. */
function rest(idle: ChildProcess): void {
  idle.unref()
  idle.channel?.unref()
}
