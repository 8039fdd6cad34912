import * as z from 'zod'

/** Text a person typed: trimmed, bounded, and without the one character that PostgreSQL cannot hold. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((value) => !value.includes('\0'), 'Remove the NUL character.')
