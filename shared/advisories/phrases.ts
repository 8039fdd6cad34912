import type { Language } from '#shared/language.ts'

/**
 * Standard phrases of the sources for their levels, translated by people. The source's wording is always shown as well;
 * all other text stays as the source wrote it.
 */
const PHRASES = {
  'exercise normal precautions': 'normal_precautions',
  'take normal security precautions': 'normal_precautions',
  'exercise normal security precautions': 'normal_precautions',
  'normal security precautions': 'normal_precautions',
  'exercise normal safety precautions': 'normal_precautions',
  'exercise increased caution': 'increased_caution',
  'exercise a high degree of caution': 'high_caution',
  'high degree of caution': 'high_caution',
  'reconsider travel': 'reconsider',
  'reconsider your need to travel': 'reconsider',
  'avoid non-essential travel': 'avoid_non_essential',
  'avoid all travel': 'avoid_all',
  'do not travel': 'do_not_travel',
  'fcdo advises against all travel': 'against_all',
  'fcdo advises against all but essential travel': 'against_non_essential',
  'fcdo advises against all travel to parts of the country': 'against_all_parts',
  'fcdo advises against all but essential travel to parts of the country': 'against_non_essential_parts',
  'fcdo advises against all but essential travel to other parts': 'against_non_essential_other_parts',
  'no fcdo warning against travel': 'no_warning',
  reisewarnung: 'travel_warning',
  teilreisewarnung: 'partial_warning',
  'situationsbedingte reisewarnung': 'situation_warning',
  'situationsbedingte teilreisewarnung': 'situation_partial_warning',
  'reise- und sicherheitshinweise': 'travel_advice',
} as const

export type PhraseKey = `phrase_${(typeof PHRASES)[keyof typeof PHRASES] | 'regional'}`
type TranslatePhrase = (key: PhraseKey, parameters?: { phrase: string }) => string
interface PhraseReader {
  language: Language
  translate: TranslatePhrase
}

// With more countries the title is itself a list, so the source's title is used.
const MAX_COUNTRIES = 3

export interface LocalTitle {
  title: string
  title_language: string
}

/** "Niger: Do Not Travel" in the reader's language; the source's title if it contains no standard phrase. */
export function localTitle(
  advisory: { title: string; language: string },
  reader: PhraseReader & { countries: readonly string[] },
): LocalTitle {
  const own = { title: advisory.title, title_language: advisory.language }
  if (advisory.language.startsWith(reader.language)) return own
  const wording = advisory.title.slice(advisory.title.lastIndexOf(': ') + 2)
  const text = translateWording(wording, reader)
  const { countries, language } = reader
  if (!text || countries.length === 0 || countries.length > MAX_COUNTRIES) return own
  const names = new Intl.ListFormat(language).format(countries)
  return { title: `${names}: ${text}`, title_language: language }
}

/** A source's wording of its level ("Level 4: Do Not Travel") in another language, if it is a standard phrase. */
export const localWording = (wording: string, reader: PhraseReader): string | undefined =>
  translateWording(withoutLevel(wording), reader)

/** "Level 4: Do Not Travel" becomes "Do Not Travel". */
export const withoutLevel = (wording: string): string => wording.replace(/^level \d+\s*[:–-]\s*/i, '')

/** Whether a standard phrase is an instruction and not only a description of the situation. */
export function isInstruction(wording: string): boolean {
  const plain = withoutLevel(wording)
    .replace(/\s*\(with regional advisories\)$/i, '')
    .trim()
    .toLowerCase()
  if (plain.startsWith('fcdo advises against ')) return true
  const key = Object.hasOwn(PHRASES, plain) ? PHRASES[plain as keyof typeof PHRASES] : undefined
  return key !== undefined && !DESCRIPTIONS.has(key)
}
const DESCRIPTIONS: ReadonlySet<string> = new Set([
  'no_warning',
  'travel_warning',
  'partial_warning',
  'situation_warning',
  'situation_partial_warning',
  'travel_advice',
])

function translateWording(wording: string, reader: PhraseReader): string | undefined {
  const [, plain = '', regional] = /^(.*?)(\s*\(with regional advisories\))?$/i.exec(wording) ?? []
  const phrase = phraseIn(plain, reader) ?? severalIn(plain, reader)
  return phrase && regional ? reader.translate('phrase_regional', { phrase }) : phrase
}

function phraseIn(wording: string, { translate }: PhraseReader): string | undefined {
  const key = wording.trim().toLowerCase()
  return Object.hasOwn(PHRASES, key) ? translate(`phrase_${PHRASES[key as keyof typeof PHRASES]}`) : undefined
}

/** "FCDO advises against all travel to parts of the country, and all but essential travel to other parts". */
function severalIn(wording: string, reader: PhraseReader): string | undefined {
  const [, head, rest] = /^(fcdo advises against )(.+)$/i.exec(wording.trim()) ?? []
  const all = rest?.split(', and ').map((part) => phraseIn(`${head}${part}`, reader))
  return all?.every((phrase) => phrase !== undefined) ? all.join(reader.language === 'ar' ? '؛ ' : '; ') : undefined
}
