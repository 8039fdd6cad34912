import { LANGUAGE_NAMES, LANGUAGE_TAGS, LANGUAGES } from '#shared/language.ts'

/** Options of the interface languages, each by its own name. */
export const LanguageOptions = () =>
  LANGUAGES.map((language) => (
    <option key={language} value={language} lang={LANGUAGE_TAGS[language]}>
      {LANGUAGE_NAMES[language]}
    </option>
  ))
