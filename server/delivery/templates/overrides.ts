import type { Language } from '#shared/language.ts'

/** The parts of a template that an administrator changed; the rest stays built-in. */
export interface TemplateOverride {
  subject: string
  lines: string[]
  button?: string | undefined
  sms?: string | undefined
}

const keyOf = (template: string, language: Language) => `${template} ${language}`
let overrides: ReadonlyMap<string, TemplateOverride> = new Map()
let report = (_template: string, _reason: string): void => {}

/** Replaces the overrides of this node. `onInvalid` receives those that could not be used. */
export function setOverrides(
  rows: readonly { name: string; language: Language; content: TemplateOverride }[],
  onInvalid: (template: string, reason: string) => void,
): void {
  overrides = new Map(rows.map((row) => [keyOf(row.name, row.language), row.content]))
  report = onInvalid
}

export const overrideOf = (template: string, language: Language): TemplateOverride | undefined =>
  overrides.get(keyOf(template, language))

/** Reports an override that could not be filled; the built-in text is sent instead. */
export const reportInvalidOverride = (template: string, reason: string): void => report(template, reason)
