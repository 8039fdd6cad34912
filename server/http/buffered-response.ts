const BYTES = Symbol('bytes')

/** An answer whose bytes are at hand: a `Response` would copy them, and give them back only through a stream. */
export interface BufferedResponse {
  status: number
  headers: Record<string, string>
  bytes: Uint8Array<ArrayBuffer>
}

/** Reads a response to its end. */
export const bufferedResponseOf = async (response: Response): Promise<BufferedResponse> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  bytes: new Uint8Array(await response.arrayBuffer()),
})

export const responseOf = (answer: Response | BufferedResponse): Response =>
  answer instanceof Response ? answer : new Response(answer.bytes, answer)

/** An answer in JSON. */
export const bufferedJson = (
  status: number,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): BufferedResponse => ({ status, headers: { 'content-type': 'application/json', ...headers }, bytes })

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
export function joined(chunks: (string | Stretch)[]): Buffer<ArrayBuffer> {
  let size = 0
  for (const chunk of chunks) size += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.to - chunk.from
  const joint = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const chunk of chunks)
    at += typeof chunk === 'string' ? joint.write(chunk, at) : chunk.bytes.copy(joint, at, chunk.from, chunk.to)
  return joint
}
