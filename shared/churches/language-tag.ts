import * as z from 'zod'

/** Canonical BCP 47 tag ('pt-br' becomes 'pt-BR'), or undefined. */
function languageTagOf(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

export const LanguageTag = z
  .string()
  .trim()
  .max(35, 'Write a language as its code: en, tl, pt-BR.')
  .refine((tag) => languageTagOf(tag) !== undefined, 'Write a language as its code: en, tl, pt-BR.')
  .transform((tag) => languageTagOf(tag)!)
