import type { Language } from '#shared/language.ts'

/** What an administrator changes of a message; all else stays the portal's own. */
export interface TemplateOverride {
  subject: string
  lines: string[]
  button?: string | undefined
  sms?: string | undefined
}

const keyOf = (template: string, language: Language) => `${template} ${language}`
let overrides: ReadonlyMap<string, TemplateOverride> = new Map()
let report = (_template: string, _reason: string): void => {}

/** The words in force on this node, in place of those before. `tell` is told of words that could not be used. */
export function setOverrides(
  rows: readonly { name: string; language: Language; words: TemplateOverride }[],
  onInvalid: (template: string, reason: string) => void,
): void {
  overrides = new Map(rows.map((row) => [keyOf(row.name, row.language), row.words]))
  report = onInvalid
}

export const overrideOf = (template: string, language: Language): TemplateOverride | undefined =>
  overrides.get(keyOf(template, language))

/** Words that could not be filled: the portal's own are sent in their place. */
export const reportInvalidOverride = (template: string, reason: string): void => report(template, reason)
