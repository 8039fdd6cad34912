import type { Language } from '#shared/language.ts'

/** What each template needs. Links are whole addresses; times are already in words. */
export interface TemplateValues {
  'verify-email': { brand: string; link: string }
  'already-registered': { brand: string; link: string }
  'reset-password': { brand: string; link: string }
  'sign-in-link': { brand: string; link: string; minutes: number }
  'sign-in-code': { brand: string; code: string; minutes: number }
  welcome: { brand: string; name: string; link: string }
}

export interface Rendered {
  subject: string
  text: string
  html: string
}

/** The message in the reader's language, as plain text and as HTML. */
export function render<T extends keyof TemplateValues>(
  template: T,
  _language: Language,
  values: TemplateValues[T],
): Rendered {
  const text = Object.values(values).join('\n')
  return { subject: template, text, html: text }
}
