import * as z from 'zod'

/** User input: trimmed, limited in length, and without NUL, the one character that PostgreSQL cannot store. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine(
      (value) => !value.includes('\0'),
      'The text contains a character we cannot save. Delete it or type the text again.',
    )
