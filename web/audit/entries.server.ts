import type { AuditEntry } from '#shared/audit/endpoints.ts'
import countries from '#shared/countries/countries.json' with { type: 'json' }
import { nameOfCountry } from '#shared/countries/country.ts'
import type { Language } from '#shared/language.ts'
import { translator } from '#web/lib/i18n.tsx'
import { type SentencePart, sentenceOf } from './sentence.ts'
import { changesOf, type Names, type ShownChange } from './values.ts'

/** An entry of the audit log as people read it. */
export interface ShownEntry {
  id: number
  at: string
  /** 'user:0b5f…', to find the other entries about it. */
  subject: string
  actor_id: string | null
  sentence: SentencePart[]
  changes: ShownChange[]
  reason: string | null
}

const COMMA: Record<Language, string> = { en: ', ', ar: '، ', tl: ', ' }

/** Writes entries for a reader. Only in loaders: the texts and the names of all countries are large. */
export function readableEntries(language: Language, entries: readonly AuditEntry[]): ShownEntry[] {
  const t = translator(language, 'audit')
  const names = namesIn(language)
  const texts = { t, settings: translator(language, 'settings'), admin: translator(language, 'admin'), names }
  return entries.map((entry) => ({
    id: entry.id,
    at: entry.at,
    subject: `${entry.subject_type}:${entry.subject_id}`,
    actor_id: entry.actor_id,
    sentence: sentenceOf(entry, texts),
    changes: changesOf(entry, t, names),
    reason: entry.reason,
  }))
}

export function namesIn(language: Language): Names {
  return {
    nameOf: (code) => {
      const country = countries.find((known) => known.code === code)
      return country ? nameOfCountry(country, language) : code
    },
    list: (names) => names.join(COMMA[language]),
  }
}
