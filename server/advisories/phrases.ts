import type { PhraseKey } from '#shared/advisories/phrases.ts'
import type { Language } from '#shared/language.ts'
import arabic from '../../public/locales/ar/phrases.json' with { type: 'json' }
import english from '../../public/locales/en/phrases.json' with { type: 'json' }

const TEXTS: Record<Language, Record<PhraseKey, string>> = { en: english, ar: arabic }

/** Says the set words of the sources in a language, by people's own translation. */
export const phrasesIn = (language: Language) => (key: PhraseKey, parameters?: { phrase: string }) =>
  TEXTS[language][key].replace('{{phrase}}', parameters?.phrase ?? '')
