import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'

/** Options of the assistant's languages by endonym. */
export const LanguageOptions = () =>
  Object.entries(ASSISTANT_LANGUAGES).map(([code, { native_name }]) => (
    <option key={code} value={code} lang={code}>
      {native_name}
    </option>
  ))
