const BYTES = Symbol('bytes')

/** A response whose bytes are in memory: a `Response` would copy them and return them only through a stream. */
export interface BufferedResponse {
  status: number
  headers: Record<string, string>
  bytes: Uint8Array<ArrayBuffer>
}

/** Reads a response completely. */
export const bufferedResponseOf = async (response: Response): Promise<BufferedResponse> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  bytes: new Uint8Array(await response.arrayBuffer()),
})

export const responseOf = (answer: Response | BufferedResponse): Response =>
  answer instanceof Response ? answer : new Response(answer.bytes, answer)

/** A JSON response. */
export const bufferedJson = (
  status: number,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): BufferedResponse => ({ status, headers: { 'content-type': 'application/json', ...headers }, bytes })

/**
 * A response that is faster to write directly than to stringify: in-process callers get the object, HTTP callers the
 * bytes, which must be the JSON of the object with `"success":true` before it.
 */
export function writtenAs<T extends object>(answer: T, bytes: () => Buffer<ArrayBuffer>): T {
  return Object.defineProperty(answer, BYTES, { value: bytes })
}

/** The bytes of a response that has them. */
export const bytesOf = (answer: object): Buffer<ArrayBuffer> | undefined =>
  (answer as { [BYTES]?: () => Buffer<ArrayBuffer> })[BYTES]?.()

/** A range of UTF-8 bytes in a larger buffer: first byte, and the one after the last. */
export interface Stretch {
  bytes: Buffer
  from: number
  to: number
}

/** Concatenates texts and ranges of UTF-8 bytes. */
export function joined(chunks: (string | Stretch)[]): Buffer<ArrayBuffer> {
  let size = 0
  for (const chunk of chunks) size += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.to - chunk.from
  const joint = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const chunk of chunks)
    at += typeof chunk === 'string' ? joint.write(chunk, at) : chunk.bytes.copy(joint, at, chunk.from, chunk.to)
  return joint
}
