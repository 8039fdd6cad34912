const TEXT = Symbol('text')

/**
 * An answer that is quicker to write by hand than to stringify: callers in process get the object, callers over HTTP the
 * text, which has to be the JSON of the object with `"success":true` before it.
 */
export function writtenAs<T extends object>(answer: T, text: () => string): T {
  return Object.defineProperty(answer, TEXT, { value: text })
}

/** The text of an answer that has one. */
export const textOf = (answer: object): string | undefined => (answer as { [TEXT]?: () => string })[TEXT]?.()
