import type { Country } from '#shared/countries/country.ts'
import type { Language } from '#shared/language.ts'

export interface Facts {
  capital: string
  languages: string[]
  currency: string
  /** Zone of the capital, or the only zone; null if no single time would be right. */
  clock: { zone: string; place: string } | null
}

type FactSource = Pick<Country, 'capital' | 'languages' | 'currency' | 'timeZones'>

/** Facts of a country in the user's language, as far as the platform knows their names. Server only. */
export function factsOf({ capital, languages, currency, timeZones }: FactSource, language: Language): Facts {
  return {
    capital,
    languages: language === 'en' ? languages : languages.map((name) => languageNames(language).get(name) ?? name),
    currency: currency ? `${currencyName(currency, language)} (${currency.code})` : '',
    clock: clockOf(capital, timeZones),
  }
}

/** The first zone of the list is the most populous one; it is named only if it is the capital's. */
function clockOf(capital: string, timeZones: readonly string[]): Facts['clock'] {
  const named = timeZones.find((zone) => placeOf(zone) === capital)
  if (named) return { zone: named, place: capital }
  const [only] = timeZones
  return only && timeZones.length === 1 ? { zone: only, place: capital || placeOf(only) } : null
}

const placeOf = (zone: string) => zone.replace(/^.*\//, '').replaceAll('_', ' ')

function currencyName(currency: { code: string; name: string }, language: Language): string {
  if (language === 'en') return currency.name
  return new Intl.DisplayNames([language], { type: 'currency', fallback: 'none' }).of(currency.code) ?? currency.name
}

// In addition to all two-letter codes; trying every three-letter code would take half a second.
const THREE_LETTERS = ['fil', 'gsw', 'kea', 'mfe', 'niu', 'nso', 'pap', 'pau', 'swb', 'tet', 'tkl', 'tpi', 'tvl']
const made = new Map<Language, Map<string, string>>()

/** Localised language names by English name: the reference data has only names, the platform only codes. */
function languageNames(language: Language): Map<string, string> {
  let names = made.get(language)
  if (!names) {
    const english = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
    const own = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' })
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const codes = [...letters.flatMap((a) => letters.map((b) => a + b)), ...THREE_LETTERS]
    names = new Map(codes.map((code) => [english.of(code), own.of(code)] as const).filter(isNamed))
    made.set(language, names)
  }
  return names
}

const isNamed = (pair: readonly [string | undefined, string | undefined]): pair is readonly [string, string] =>
  pair[0] !== undefined && pair[1] !== undefined
