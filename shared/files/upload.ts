import * as z from 'zod'

/** A file on its way in, not read yet. */
export interface Upload {
  /** Reads it whole; throws a failure with 413 as soon as it is larger. */
  read(maxBytes: number): Promise<{ bytes: Uint8Array; name?: string }>
}

export const Upload = z.custom<Upload>(
  (value) => typeof (value as Upload | undefined)?.read === 'function',
  'Choose a file',
)
