import * as z from 'zod'

/** Canonical BCP 47 tag ('pt-br' becomes 'pt-BR'), or undefined. */
function languageTagOf(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

const REFUSAL = 'Enter a language code, such as en or pt-BR'

export const LanguageTag = z
  .string()
  .trim()
  .max(35, REFUSAL)
  .transform((tag, context) => {
    const canonical = languageTagOf(tag)
    if (canonical === undefined) context.issues.push({ code: 'custom', input: tag, message: REFUSAL })
    return canonical ?? z.NEVER
  })
