import * as z from 'zod'
import type { AdminLanguage, Localized } from './language.ts'

/** User input: trimmed, limited in length, and without NUL, the one character that PostgreSQL cannot store. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Must be at most ${max} characters`)
    .refine(
      (value) => !value.includes('\0'),
      'The text contains a character we cannot save. Delete it or type the text again.',
    )

/** The same, and not empty. */
export const required = (max: number) => text(max).min(1, 'This field is required')

/** A text in every language of the administration, and perhaps in others. */
export type Translated = Record<AdminLanguage, string> & Localized<string>

/**
 * Input in every language, stored in one `jsonb` column, so that another language needs no migration. Those of the
 * administration are required, others may be empty: their readers see English.
 */
export const translated = <S extends z.ZodType<string, string>>(schema: S) =>
  z.strictObject({ en: schema, ar: schema, tl: z.union([schema, z.literal('')]).optional() })
