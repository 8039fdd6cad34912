import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'

/** The languages of the assistant under their own names, to choose from. */
export const LanguageOptions = () =>
  Object.entries(ASSISTANT_LANGUAGES).map(([code, { native_name }]) => (
    <option key={code} value={code} lang={code}>
      {native_name}
    </option>
  ))
