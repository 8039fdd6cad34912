// A worker thread that encrypts push messages, so that requests are not blocked.
import { parentPort } from 'node:worker_threads'
import { encryptForBrowser } from './encryption.ts'
import type { Encrypted, Encrypting } from './encryption-pool.ts'

parentPort!.on('message', ({ id, items }: Encrypting) => {
  const bodies = items.map(({ keys, payload }) => {
    try {
      return encryptForBrowser(keys, Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength))
    } catch {
      return null
    }
  })
  const made: Encrypted = { id, lengths: bodies.map((body) => body?.length ?? -1), bytes: whole(bodies) }
  parentPort!.postMessage(made, [made.bytes.buffer as ArrayBuffer])
})

/** Concatenated in a buffer of its own, so that it can be transferred instead of copied. */
function whole(bodies: (Buffer | null)[]): Uint8Array {
  const bytes = new Uint8Array(bodies.reduce((sum, body) => sum + (body?.length ?? 0), 0))
  let at = 0
  for (const body of bodies) {
    if (!body) continue
    bytes.set(body, at)
    at += body.length
  }
  return bytes
}
