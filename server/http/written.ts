const BYTES = Symbol('bytes')

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

/** Texts and bytes of UTF-8, one after the other. */
export function joined(parts: (string | Buffer)[]): Buffer<ArrayBuffer> {
  const size = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const bytes = Buffer.from(new ArrayBuffer(size))
  let at = 0
  for (const part of parts) at += typeof part === 'string' ? bytes.write(part, at) : part.copy(bytes, at)
  return bytes
}

/** A response whose bytes are at hand for whoever keeps it; reading them out of any other goes through a stream. */
export class WrittenResponse extends Response {
  readonly written: Uint8Array<ArrayBuffer>

  constructor(bytes: Uint8Array<ArrayBuffer>, init: ResponseInit) {
    super(bytes, init)
    this.written = bytes
  }
}
