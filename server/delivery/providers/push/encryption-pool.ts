import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { firstOf } from '#shared/assert.ts'
import type { BrowserKeys } from './encryption.ts'

interface Item {
  keys: BrowserKeys
  payload: Uint8Array
}
export interface Encrypting {
  id: number
  items: Item[]
}
export interface Encrypted {
  id: number
  /** Length of each body; -1 if the keys are invalid. */
  lengths: number[]
  bytes: Uint8Array
}

interface EncryptionJob extends Item {
  resolve: (body: Buffer | null) => void
  reject: (error: Error) => void
}

/** Messages per worker task: a single message would cost as much again for the round trip. */
const CHUNK = 64
const MAX_THREADS = 4

export interface Encrypter {
  /** The body for one subscription; null if its keys are invalid. */
  encrypt(keys: BrowserKeys, payload: Buffer): Promise<Buffer | null>
  close(): void
}

/** Encrypts in worker threads, at most one per core, started with the first message. */
export function createEncrypter(): Encrypter {
  const maxThreads = Math.min(MAX_THREADS, availableParallelism())
  const threads: ReturnType<typeof createThread>[] = []
  let waiting: EncryptionJob[] = []

  /** Requests of one event-loop turn are sent together. */
  function flush(): void {
    const jobs = waiting
    waiting = []
    for (let at = 0; at < jobs.length; at += CHUNK) {
      const idle = threads.find((thread) => thread.load() === 0)
      if (!idle && threads.length < maxThreads) {
        const thread: ReturnType<typeof createThread> = createThread(() => threads.splice(threads.indexOf(thread), 1))
        threads.push(thread)
      }
      firstOf(threads.toSorted((a, b) => a.load() - b.load())).ask(jobs.slice(at, at + CHUNK))
    }
  }

  return {
    encrypt: ({ p256dh, auth }, payload) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) queueMicrotask(flush)
        waiting.push({ keys: { p256dh, auth }, payload, resolve, reject })
      }),
    close: () => {
      for (const thread of [...threads]) thread.end()
    },
  }
}

function createThread(ended: () => void) {
  const worker = new Worker(new URL('./encryption-worker.ts', import.meta.url))
  const jobsById = new Map<number, EncryptionJob[]>()
  let made = 0
  worker.on('message', ({ id, lengths, bytes }: Encrypted) => {
    let at = 0
    for (const [index, { resolve }] of jobsById.get(id)!.entries()) {
      const length = lengths[index]!
      resolve(length < 0 ? null : Buffer.from(bytes.buffer, bytes.byteOffset + at, length))
      at += Math.max(length, 0)
    }
    jobsById.delete(id)
    if (jobsById.size === 0) worker.unref()
  })
  const fail = (error: Error) => {
    ended()
    for (const { reject } of [...jobsById.values()].flat()) reject(error)
    jobsById.clear()
  }
  worker.once('error', fail)
  worker.once('exit', () => fail(new Error('The thread that encrypts has ended')))
  return {
    load: () => jobsById.size,
    ask(items: EncryptionJob[]) {
      made += 1
      jobsById.set(made, items)
      // Pending work keeps the process alive; an idle worker does not.
      worker.ref()
      worker.postMessage({
        id: made,
        items: items.map(({ keys, payload }) => ({ keys, payload })),
      } satisfies Encrypting)
    },
    end: () => void worker.terminate(),
  }
}
