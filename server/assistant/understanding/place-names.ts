import { OTHER_CITY_NAMES } from '#server/churches/city-names.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { ASSISTANT_LANGUAGE_CODES } from '#shared/assistant/languages.ts'
import type { Country } from '#shared/countries/country.ts'
import type { Lexicon } from '../lexicon/lexicon.ts'
import citiesFile from './cities.json' with { type: 'json' }
import cityNamesFile from './city-names.json' with { type: 'json' }
import { COMMON_WORDS } from './common-words.ts'
import { citySpellings, plain, spellings } from './spellings.ts'
import { clean } from './tokenizer.ts'

type NamedPlace = { country: string } | { city: string; in: string }
/** A name is valid in these languages only; where it is also a common word, only if it is written as a name. */
export type PlaceLabel = NamedPlace & { languages: ReadonlySet<AssistantLanguage> | null; needsCapital: boolean }

/**
 * A further city by its English name and country, as in the portal's churches. Ranked after the large ones: a church in
 * another Manila does not change what Manila means.
 */
export interface City {
  name: string
  country: string
}

export interface PlaceDeps {
  countries: readonly Country[]
  lexicons: Partial<Record<AssistantLanguage, Lexicon>>
  cities?: readonly City[]
  /** Is a common word of some language, too. */
  isWord: (word: string) => boolean
  isSpeltWell: (word: string) => boolean
}

type Entry = readonly [PlaceLabel, string]

/** Every name of every country and city, without duplicates, since many languages share a spelling. */
export function* namesOfPlaces(deps: PlaceDeps): Generator<Entry> {
  const known = new Set<string>()
  for (const entries of [countryEntries(deps), cityEntries(deps)]) {
    for (const entry of entries) {
      const key = keyOf(entry)
      if (known.has(key)) continue
      known.add(key)
      yield entry
    }
  }
}

const keyOf = ([label, name]: Entry) =>
  [
    name,
    'city' in label ? `${label.city} ${label.in}` : label.country,
    ...(label.languages ?? []),
    label.needsCapital,
  ].join('|')

function* countryEntries({ countries, lexicons, isWord }: PlaceDeps): Generator<Entry> {
  const entry = (country: string, name: string, language: AssistantLanguage | null): Entry => {
    const languages = language && isLatin(name) ? new Set([language]) : null
    return [{ country, languages, needsCapital: isDoubtful(name, isWord) }, name]
  }
  for (const language of ASSISTANT_LANGUAGE_CODES) {
    const names = new Intl.DisplayNames(language === 'tl' ? 'fil' : language, { type: 'region', fallback: 'none' })
    for (const { code } of countries) {
      for (const name of spellings(names.of(code) ?? ''))
        for (const each of [name, ...inHiragana(name)]) yield entry(code, each, language)
    }
    for (const [code, list] of Object.entries(lexicons[language]?.countries ?? {})) {
      for (const name of list) {
        yield [{ country: code, languages: isLatin(name) ? new Set([language]) : null, needsCapital: false }, name]
      }
    }
  }
  for (const { code, name, fullName, names, localNames, aliases } of countries) {
    for (const known of [name, fullName, names.ar, ...localNames, ...aliases].flatMap(spellings)) {
      if (!NEVER_MEANT.has(known)) yield entry(code, known, null)
    }
  }
}

function* cityEntries({ countries, lexicons, cities = [], isWord }: PlaceDeps): Generator<Entry> {
  const listed = [...citiesFile, ...IN_ENGLISH].map((city) => ({ name: city.slice(3), country: city.slice(0, 2) }))
  const capitals = countries
    .filter(({ capital }) => capital)
    .map(({ code, capital }) => ({ name: capital, country: code }))
  const byName = new Map<string, string>()
  // The largest city of a name first.
  for (const { name, country } of [...listed, ...capitals, ...cities]) {
    for (const spelling of citySpellings(name)) {
      const key = clean(spelling)
      if (!byName.has(key)) byName.set(key, country)
      const needsCapital = isDoubtful(spelling, isWord)
      yield [{ city: plain(name), in: country, languages: null, needsCapital }, spelling] as Entry
    }
  }
  for (const [key, names] of Object.entries(OTHER_CITY_NAMES)) {
    const city = key.slice(3)
    for (const name of names) {
      yield [{ city, in: key.slice(0, 2), languages: null, needsCapital: isDoubtful(name, isWord) }, name] as Entry
    }
  }
  for (const [key, byLanguage] of Object.entries(cityNamesFile as Record<string, Record<string, string[]>>)) {
    const named = { city: key.slice(3).replace(/, .*/, ''), in: key.slice(0, 2) }
    for (const [code, names] of Object.entries(byLanguage)) {
      const language = ASSISTANT_LANGUAGE_CODES.find((known) => known === code)
      for (const name of names) {
        const languages = language && isLatin(name) ? new Set([language]) : null
        yield [{ ...named, languages, needsCapital: isDoubtful(name, isWord) }, name] as Entry
      }
    }
    // "Lima, Peru": the bare name is a common word somewhere.
    if (!key.includes(','))
      yield [{ ...named, languages: null, needsCapital: isDoubtful(named.city, isWord) }, named.city] as Entry
  }
  for (const language of ASSISTANT_LANGUAGE_CODES) {
    for (const [city, names] of Object.entries(lexicons[language]?.cities ?? {})) {
      const country = byName.get(clean(city))
      if (!country) continue
      for (const name of [city, ...names, ...names.flatMap(inHiragana)]) {
        const languages = isLatin(name) && name !== city ? new Set([language]) : null
        yield [{ city, in: country, languages, needsCapital: false }, name] as Entry
      }
    }
  }
}

/** Cities listed under their local name, by their English names in the lexicons. */
const IN_ENGLISH =
  `CH Geneva|CH Zurich|CH Lucerne|DE Cologne|DE Frankfurt|DE Nuremberg|DE Hanover|GR Thessaloniki|BE Antwerp|US New York
|SA Al Khobar|SA Taif|AE Ajman|AE Ras Al Khaimah|AE Al Ain|OM Salalah|PH Cebu|CA Montreal|TW New Taipei|TW Taoyuan
|KR Ansan|KR Seongnam|KR Gimhae|KR Cheongju|KR Pyeongtaek`
    .split('|')
    .map((city) => city.trim())

const KATAKANA = /^[\p{sc=Katakana}ー]{5,}$/u

/** Foreign names are written in katakana, informally also in hiragana, where short ones coincide with words. */
const inHiragana = (name: string) =>
  KATAKANA.test(name) ? [name.replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))] : []

const isLatin = (name: string) => /^[\p{sc=Latin}\p{M}\P{L}]+$/u.test(name)

const SMALL_WORDS = new Set(Object.values(COMMON_WORDS).flatMap((words) => words.split(/\s+/)))

/** A name that is also a common word or a short code counts only if it is written as a name. */
function isDoubtful(name: string, isWord: (word: string) => boolean): boolean {
  const folded = clean(name)
  return isLatin(name) && (folded.length <= 3 || SMALL_WORDS.has(folded) || ALSO_WORDS.has(folded) || isWord(folded))
}

/** The local name of the Isle of Man, but in German the noun for "man", always capitalised. */
const NEVER_MEANT = new Set(['Mann'])

// A country or city in one language, a common word or a given name in another.
const ALSO_WORDS = new Set(
  `chad mali ira oma male nice bath reading mobile orange split mission victoria santiago angeles mary salvador hamilton
   orlando florence charlotte lincoln austin independence enterprise liberty mercedes santos santol rosario granada leon
   lucena calamba imus santa latina`.split(/\s+/),
)
