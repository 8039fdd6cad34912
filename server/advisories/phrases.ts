import type { PhraseKey } from '#shared/advisories/phrases.ts'
import type { Language } from '#shared/language.ts'
import arabic from '../../public/locales/ar/phrases.json' with { type: 'json' }
import english from '../../public/locales/en/phrases.json' with { type: 'json' }
import tagalog from '../../public/locales/tl/phrases.json' with { type: 'json' }

const TEXTS: Record<Language, Record<PhraseKey, string>> = { en: english, ar: arabic, tl: tagalog }

/** Translates the sources' set phrases into a language, from human translations. */
export const phrasesIn = (language: Language) => (key: PhraseKey, parameters?: { phrase: string }) =>
  TEXTS[language][key].replace('{{phrase}}', parameters?.phrase ?? '')
