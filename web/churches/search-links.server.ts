import type { Language } from '#shared/language.ts'
import { namesInLine } from '#web/lib/format.ts'
import { translator } from '#web/lib/i18n.tsx'
import { addressOf, type Point, type Search } from './search.ts'

/** Another search, by what it is called. */
export interface SearchLink {
  text: string
  to: string
}

/** So many countries are named; the rest is counted. */
const NAMED_COUNTRIES = 5

interface Names {
  countryNames: readonly string[]
  countryName: string
  languageName: string
}

/** Active filters, each with the search without it. */
export function chipsOf(
  search: Search,
  { countryNames, countryName, languageName }: Names,
  language: Language,
): SearchLink[] {
  const t = translator(language, 'churches')
  const rest = countryNames.length - NAMED_COUNTRIES
  const names = namesInLine(language, [...countryNames.slice(0, NAMED_COUNTRIES), rest > 0 ? `+${rest}` : null])
  const chips: [isActive: unknown, text: string, without: Partial<Search>][] = [
    [search.point && !search.near, t('near_me'), { point: null }],
    // Otherwise it is in the field.
    [search.search && (search.near || search.point), search.search, { search: '' }],
    [search.country, countryName, { country: '', state_province: '' }],
    [names, t('filter_countries', { names }), { countries: [] }],
    [search.state_province, t('filter_state', { name: search.state_province }), { state_province: '' }],
    [search.city, t('filter_city', { name: search.city }), { city: '' }],
    [search.language, t('filter_language', { name: languageName }), { language: '' }],
    [search.online, t('filter_online'), { online: false }],
  ]
  return chips.flatMap(([isActive, text, without]) => (isActive ? [{ text, to: addressOf(search, without) }] : []))
}

interface NamedPlace {
  name: string
  text: string
  point: Point
}

/** Similar names to be asked about: cities with their point, and words of churches. */
export function guessesOf(search: Search, cities: readonly NamedPlace[], corrected: string | null): SearchLink[] {
  const isCity = cities.some(({ name }) => name.toLowerCase() === corrected)
  return [
    ...cities.map(({ name, text, point }) => ({ text, to: addressOf(search, { near: name, point, search: '' }) })),
    ...(corrected && !isCity ? [{ text: corrected, to: addressOf(search, { near: '', search: corrected }) }] : []),
  ]
}
