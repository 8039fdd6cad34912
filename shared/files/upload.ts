import * as z from 'zod'

/** A file being uploaded, not read yet. */
export interface Upload {
  /** Reads the whole file; throws a 413 error once it exceeds the limit. */
  read(maxBytes: number): Promise<{ bytes: Uint8Array; name?: string }>
}

export const Upload = z.custom<Upload>(
  (value) => typeof (value as Upload | undefined)?.read === 'function',
  'Choose a file',
)
