import { type AdvisoryCardData, cardOf } from '#shared/advisories/cards.ts'
import { localTitle } from '#shared/advisories/phrases.ts'
import countries from '#shared/countries/countries.json' with { type: 'json' }
import { nameOfCountry } from '#shared/countries/country.ts'
import { inEachLanguage, type Language } from '#shared/language.ts'
import { translator } from '#web/lib/i18n.tsx'

const names: Record<string, Record<Language, string>> = Object.fromEntries(
  countries.map((country) => [country.code, inEachLanguage((language) => nameOfCountry(country, language))]),
)

/** Country name in the user's language. Only in loaders: the list is too large for the browser. */
export const nameIn =
  (language: Language) =>
  (code: string, english = code): string =>
    names[code]?.[language] ?? english

/** All countries with their names in a language. */
export const allNames = (language: Language): { code: string; name: string }[] =>
  Object.entries(names).map(([code, name]) => ({ code, name: name[language] }))

/** A title in the user's language where available. */
export const titleIn = (language: Language) => {
  const translate = translator(language, 'phrases')
  return (advisory: { title: string; language: string }, countryNames: readonly string[]) =>
    localTitle(advisory, { language, countries: countryNames, translate })
}

/** Advisories as cards in the user's language. */
export function cardsIn(language: Language, advisories: readonly Parameters<typeof cardOf>[0][]): AdvisoryCardData[] {
  const reader = { nameOf: nameIn(language), titleOf: titleIn(language) }
  return advisories.map((advisory) => cardOf(advisory, reader))
}
