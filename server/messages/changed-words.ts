import type { Language } from '#shared/language.ts'

/** What an administrator changes of a message; all else stays the portal's own. */
export interface ChangedWords {
  subject: string
  lines: string[]
  button?: string | undefined
  sms?: string | undefined
}

const keyOf = (template: string, language: Language) => `${template} ${language}`
let words: ReadonlyMap<string, ChangedWords> = new Map()
let report = (_template: string, _reason: string): void => {}

/** The words in force on this node, in place of those before. `tell` is told of words that could not be used. */
export function keepChangedWords(
  rows: readonly { name: string; language: Language; words: ChangedWords }[],
  tell: (template: string, reason: string) => void,
): void {
  words = new Map(rows.map((row) => [keyOf(row.name, row.language), row.words]))
  report = tell
}

export const changedWords = (template: string, language: Language): ChangedWords | undefined =>
  words.get(keyOf(template, language))

/** Words that could not be filled: the portal's own are sent in their place. */
export const reportWords = (template: string, reason: string): void => report(template, reason)
