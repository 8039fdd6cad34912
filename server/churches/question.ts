import type { Countries } from '#server/countries/reference.ts'
import type { Point } from '#shared/churches/distance.ts'
import type { LocaleFilters } from '#shared/churches/endpoints.ts'
import { fold } from '#shared/countries/fold.ts'
import { countryAmong } from './country-in-text.ts'
import type { CachedLocale } from './rows.ts'

/** A search query with user input normalised: words folded, countries as codes. */
export interface Question {
  /** All must match. */
  terms: Term[]
  /** Null: any country. */
  codes: string[] | null
  city: string
  state: string
  language: string
  isBuilding: boolean | undefined
  isOnline: boolean | undefined
  /** Only churches that publish their address. */
  isPublished?: boolean
  point: Point | null
  radiusKm: number | null
}

/** Every word occurs in the text; or, where they are the name of a country, the locale is in it. */
export interface Term {
  words: string[]
  code: string | null
}

const MAX_WORDS = 12
/** From an alias upwards a match is a name of the country, not merely similar. */
const SHARED_NAME_SCORE = 85

/** Normalises user input for searching: C-45, then folded like the rows. */
export const cleanText = (text: string | undefined) => fold((text ?? '').replace(/[,()%]/g, ' '))

export const tokenize = (text: string | undefined): string[] =>
  cleanText(text).split(' ').filter(Boolean).slice(0, MAX_WORDS)

export type Filters = Partial<Omit<LocaleFilters, 'limit' | 'offset' | 'near'>>

/** Reads the filters. The radius applies only together with a point (LOC-DATA-17). */
export function readQuestion(filters: Filters, countries: Countries): Question {
  const { lat, lng, radius } = filters
  const point = lat === undefined || lng === undefined ? null : { latitude: lat, longitude: lng }
  return {
    terms: termsOf(tokenize(filters.search), countries),
    codes: inBoth(codesOf(filters.country, countries), filters.countries ?? null),
    city: cleanText(filters.city),
    state: cleanText(filters.state_province),
    language: (filters.language ?? '').toLowerCase(),
    isBuilding: filters.has_physical_building,
    isOnline: filters.online,
    point,
    radiusKm: point && radius !== undefined ? radius : null,
  }
}

/** Words that together name a country, at the beginning or end of the input, are one term. */
function termsOf(words: string[], countries: Countries): Term[] {
  const single = (word: string): Term => ({ words: [word], code: null })
  const country = countryAmong(words, countries)
  return country ? [...country.rest.map(single), { words: country.name, code: country.code }] : words.map(single)
}

/**
 * Countries by code, name or alias: a full name of one country matches it alone, so that Niger is not Nigeria (F-06).
 * Otherwise those with the text in a name: 'jap' is Japan (LOC-API-16).
 */
function codesOf(country: string | undefined, countries: Countries): string[] | null {
  const query = cleanText(country)
  if (!country || !query) return null
  const code = countries.find(country.trim())?.code ?? countries.resolve(country)
  if (code) return [code]
  const shared = countries.search(country, 5).filter(({ score }) => score >= SHARED_NAME_SCORE)
  if (shared.length > 0) return shared.map(({ country: { code } }) => code)
  const matchesTerm = (name: string) => fold(name).includes(query)
  return countries
    .all()
    .filter(({ name, names, localNames }) => [name, names.ar, ...localNames].some(matchesTerm))
    .map(({ code }) => code)
}

/** Null does not limit. */
const inBoth = (codes: string[] | null, others: string[] | null): string[] | null =>
  codes && others ? codes.filter((code) => others.includes(code)) : (codes ?? others)

/** Whether a locale matches everything except point and radius. */
export function createMatcher(question: Question): (locale: CachedLocale) => boolean {
  const { terms, codes, city, state, language, isBuilding, isOnline, isPublished } = question
  if (!codes && isCountryOnly(question)) return () => true
  return (locale) =>
    terms.every((term) => matchesTerm(term, locale)) &&
    (!isPublished || locale.discreet_mode === 'exact') &&
    (!codes || codes.includes(locale.country_code ?? '')) &&
    (isBuilding === undefined || locale.has_physical_locale === isBuilding) &&
    (isOnline === undefined || locale.isOnline === isOnline) &&
    (!language || speaks(locale, language)) &&
    (!city || fold(locale.city ?? '').includes(city)) &&
    (!state || fold(locale.state_province ?? '').includes(state))
}

/** Whether only the country and the location are filtered. */
export const isCountryOnly = (question: Question) =>
  question.terms.length === 0 && !question.city && !question.state && !hasMore(question)

/** Whether a filter is set that no index covers. */
export const hasMore = ({ language, isBuilding, isOnline, isPublished }: Question) =>
  Boolean(language) || isBuilding !== undefined || isOnline !== undefined || Boolean(isPublished)

const matchesTerm = ({ words, code }: Term, { text, country_code }: CachedLocale) =>
  (code !== null && country_code === code) || words.every((word) => text.includes(word))

/** 'en' matches 'en-GB'. */
const speaks = ({ tags }: CachedLocale, language: string) =>
  tags.some((tag) => tag === language || tag.startsWith(`${language}-`))
