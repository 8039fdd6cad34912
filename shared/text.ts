import * as z from 'zod'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from './language.ts'

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

/** A text in every language of the portal, in one `jsonb` column: another language needs no migration. */
export type Translated = Record<Language, string>

/** The text in a language, or in English while it is not translated. */
export const textIn = (texts: Partial<Translated>, language: Language): string =>
  texts[language] ?? texts[DEFAULT_LANGUAGE] ?? ''

/** Input in every language: `translated(required(200))` is `{ en, ar }`. */
export const translated = <S extends z.ZodType>(schema: S) =>
  z.strictObject(Object.fromEntries(LANGUAGES.map((language) => [language, schema])) as Record<Language, S>)
