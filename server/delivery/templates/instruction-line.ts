import { directionOf, type Language } from '#shared/language.ts'

/** What to do in one line of plain text: its lead, the instruction in its own words, whom to ask. Empty without one. */
export function instructionLine(texts: Record<string, string | undefined>, language: Language): string {
  const { instruction, instruction_lead: lead = '', instruction_language: own = language, ask = '' } = texts
  if (!instruction) return ''
  return [lead, isolated(sentence(instruction), own, language), ask].filter(Boolean).join(' ')
}

/** Only where the directions differ: the marks would make a text message in English one of 70 characters. */
export const isolated = (text: string, textLanguage: string, language: Language): string =>
  directionOf(textLanguage) === directionOf(language) ? text : `\u2068${text}\u2069`

/** With a full stop, where a text ends without any sign. */
export const sentence = (text: string): string => (/[.!?…:؟。"”»\u2069]$/u.test(text) ? text : `${text}.`)
