import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import type { HashAnswer, HashQuestion } from './hashing-process.ts'

interface Waiting {
  resolve: (tag: Buffer) => void
  reject: (error: Error) => void
}

let child: ChildProcess | undefined
let next = 0
const waiting = new Map<number, Waiting>()

/** How many passwords this process has had hashed: the answer for an unknown address must cost as much as for a known. */
export const hashed = () => next

/**
 * Hashes with argon2id in a process of its own that gives way to everything else on the machine: twenty people who
 * sign in together must not slow down everybody who reads. One at a time, in order. Started with the first password.
 */
export function argon2id(password: string, nonce: Uint8Array): Promise<Buffer> {
  child ??= start()
  const process = child
  const id = next++
  return new Promise<Buffer>((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    if (waiting.size === 1) {
      process.ref()
      process.channel?.ref()
    }
    process.send({ id, password, nonce: Buffer.from(nonce).toString('base64') } satisfies HashQuestion)
  })
}

function start(): ChildProcess {
  const started = fork(new URL('./hashing-process.ts', import.meta.url), { execArgv: [] })
  try {
    setPriority(started.pid!, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Where the system does not allow it, it hashes at the common pace.
  }
  started.on('message', ({ id, tag }: HashAnswer) => {
    waiting.get(id)?.resolve(Buffer.from(tag, 'base64'))
    waiting.delete(id)
    if (waiting.size === 0) rest(started)
  })
  const end = () => {
    if (child === started) child = undefined
    for (const { reject } of waiting.values()) reject(new Error('The hashing of passwords was interrupted.'))
    waiting.clear()
  }
  started.on('exit', end)
  started.on('error', end)
  rest(started)
  return started
}

/** Nothing in hand: it does not keep the portal from ending. */
function rest(idle: ChildProcess): void {
  idle.unref()
  idle.channel?.unref()
}
