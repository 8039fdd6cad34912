import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { AppError } from '#shared/errors.ts'
import { createHashQueue, type HashOrder } from './hash-queue.ts'
import type { HashAnswer, HashParameters, HashQuestion } from './hash-worker-process.ts'

export type { HashOrder } from './hash-queue.ts'

interface PendingHash {
  question: HashQuestion
  resolve: (tag: Buffer) => void
  reject: (error: Error) => void
}

/** Calls with a session or from the portal itself: strangers cannot issue these in bulk. */
const OWN_ORDER: HashOrder = { key: '', isKnown: true }

let child: ChildProcess | undefined
let next = 0
let current: PendingHash | undefined
const queue = createHashQueue<PendingHash>()
const orders = new AsyncLocalStorage<HashOrder>()

/** Number of passwords this process has hashed: tests check that an unknown address costs as much as a known one. */
export const hashed = () => next

/** Runs `run` with its position in the hash queue; all other hashing counts as known callers. */
export const inHashOrder = <T>(order: HashOrder, run: () => Promise<T>): Promise<T> => orders.run(order, run)

/**
 * Hashes with argon2id in a separate low-priority process: twenty simultaneous sign-ins must not slow down readers. One
 * at a time, round robin by network: a storm of wrong passwords must not delay others. Started with the first password.
 */
export function argon2id(password: string, nonce: Uint8Array, parameters: HashParameters): Promise<Buffer> {
  const question = { id: next++, password, nonce: Buffer.from(nonce).toString('base64'), ...parameters }
  return new Promise<Buffer>((resolve, reject) => {
    if (!queue.add({ question, resolve, reject }, orders.getStore() ?? OWN_ORDER))
      return reject(
        new AppError(503, 'busy', 'Too many people are signing in right now. Please try again in 10 seconds.', {
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
    setPriority(started.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where the system does not allow it, hashing runs at normal priority.
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
    // The other requests are not at fault: a new process takes them.
    hashNext()
  }
  started.on('exit', end)
  started.on('error', end)
  rest(started)
  return started
}

/** Idle: the process must not keep the portal from exiting. */
function rest(idle: ChildProcess): void {
  idle.unref()
  idle.channel?.unref()
}
