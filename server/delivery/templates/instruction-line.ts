import { directionOf, type Language } from '#shared/language.ts'

/** The instruction as one line of plain text: lead, instruction, contact. Empty if there is none. */
export function instructionLine(texts: Record<string, string | undefined>, language: Language): string {
  const { instruction, instruction_lead: lead = '', instruction_language: own = language, ask = '' } = texts
  if (!instruction) return ''
  return [lead, isolated(sentence(instruction), own, language), ask].filter(Boolean).join(' ')
}

/**
 * Only if the text directions differ: isolation marks would force an English text message into 70-character segments.
 */
export const isolated = (text: string, textLanguage: string, language: Language): string =>
  directionOf(textLanguage) === directionOf(language) ? text : `\u2068${text}\u2069`

/** Adds a full stop if the text ends without punctuation. */
export const sentence = (text: string): string => (/[.!?…:؟。"”»\u2069]$/u.test(text) ? text : `${text}.`)
