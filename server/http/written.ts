const BYTES = Symbol('bytes')

/** An answer whose bytes are at hand: a `Response` would copy them, and give them back only through a stream. */
export interface Written {
  status: number
  headers: Record<string, string>
  bytes: Uint8Array<ArrayBuffer>
}

/** Reads a response to its end. */
export const writtenOf = async (response: Response): Promise<Written> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  bytes: new Uint8Array(await response.arrayBuffer()),
})

export const responseOf = (answer: Response | Written): Response =>
  answer instanceof Response ? answer : new Response(answer.bytes, answer)

/** An answer in JSON. */
export const writtenJson = (
  status: number,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Written => ({ status, headers: { 'content-type': 'application/json', ...headers }, bytes })

/**
 * An answer that is quicker to write by hand than to stringify: callers in process get the object, callers over HTTP the
 * bytes, which have to be the JSON of the object with `"success":true` before it.
 */
export function writtenAs<T extends object>(answer: T, bytes: () => Buffer<ArrayBuffer>): T {
  return Object.defineProperty(answer, BYTES, { value: bytes })
}

/** The bytes of an answer that has them. */
export const bytesOf = (answer: object): Buffer<ArrayBuffer> | undefined =>
  (answer as { [BYTES]?: () => Buffer<ArrayBuffer> })[BYTES]?.()

/** A stretch of UTF-8 among more, from its first byte to the one after its last. */
export interface Stretch {
  bytes: Buffer
  from: number
  to: number
}

/** Texts and stretches of UTF-8, one after the other. */
export function joined(parts: (string | Stretch)[]): Buffer<ArrayBuffer> {
  let size = 0
  for (const part of parts) size += typeof part === 'string' ? Buffer.byteLength(part) : part.to - part.from
  const joint = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const part of parts)
    at += typeof part === 'string' ? joint.write(part, at) : part.bytes.copy(joint, at, part.from, part.to)
  return joint
}
