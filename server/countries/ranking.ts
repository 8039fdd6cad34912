import type { Country } from '#shared/countries/country.ts'
import { fold } from '#shared/countries/fold.ts'
import { nameKey } from './names.ts'

/** The first five are from the specification; the rest rank other common inputs. The best match counts. */
export const SCORES = {
  name: 100,
  fullName: 95,
  code: 90,
  alias: 85,
  namePrefix: 80,
  /** The whole name in the country's own language, Arabic, German or French. */
  otherName: 75,
  /** An alias or the full name begins with the input. */
  aliasPrefix: 70,
  /** Every word typed begins a word of the name: "korea so". */
  nameWords: 65,
  otherNamePrefix: 60,
  capital: 55,
  /** Every word typed begins a word of an alias or of the full name. */
  aliasWords: 50,
  capitalPrefix: 45,
  nameContains: 40,
  anythingContains: 30,
  /** One letter too many, missing, wrong, or two swapped. Tried only when there is no other match. */
  typo: 20,
} as const

const SHORTEST_CONTAINED = 3
const SHORTEST_MISTYPED = 4

export interface CountryMatch {
  country: Country
  /** How well the text matches, one of SCORES; 0 for an empty text. */
  score: number
}

/** A country with every form of text by which it is searched. */
export interface Searchable {
  country: Country
  name: string[]
  fullName: string[]
  aliases: string[]
  otherNames: string[]
  capital: string[]
}

/** Prepared for `rank`: in the order for equal scores, popular destinations first, then by name. */
export function indexForSearch(
  countries: readonly Country[],
  foreignNames: Record<string, Record<string, string>>,
  extraAliases: readonly { alias: string; code: string }[],
  popular: readonly string[],
): Searchable[] {
  const foreign = Object.values(foreignNames).flatMap((names) => Object.entries(names))
  const place = new Map(popular.map((code, index) => [code, index]))
  const placeOf = ({ code }: Country) => place.get(code) ?? popular.length
  return countries
    .toSorted((a, b) => placeOf(a) - placeOf(b) || a.name.localeCompare(b.name, 'en'))
    .map((country) => {
      const { code } = country
      const extra = extraAliases.filter((entry) => entry.code === code).map(({ alias }) => alias)
      const translated = foreign.filter(([, owner]) => owner === code).map(([name]) => name)
      return {
        country,
        name: formsOf(country.name),
        fullName: formsOf(country.fullName),
        aliases: [...country.aliases, ...extra].flatMap(formsOf),
        otherNames: [country.names.ar, ...country.localNames, ...translated].flatMap(formsOf),
        capital: formsOf(country.capital),
      }
    })
}

/** All matches, best first. An empty text matches everything. */
export function rank(searchables: readonly Searchable[], text: string): CountryMatch[] {
  if (text.trim() === '') return searchables.map(({ country }) => ({ country, score: 0 }))
  const needles = formsOf(text)
  const best = (entry: Searchable) => Math.max(0, ...needles.map((needle) => scoreOf(entry, needle)))
  const mistyped = (entry: Searchable) => (needles.some((needle) => isMistyped(entry, needle)) ? SCORES.typo : 0)
  const found = matches(searchables, best)
  return found.length > 0 ? found : matches(searchables, mistyped)
}

/** "st lucia" and "saint lucia", so that "Sain" on the way to either finds it. */
function formsOf(text: string): string[] {
  return [...new Set([nameKey(text), fold(text)])].filter((form) => form !== '')
}

/** How well one form of a text matches one country; 0 for no match. Typing errors are left to `rank`. */
function scoreOf(entry: Searchable, needle: string): number {
  const { name, fullName, aliases, otherNames, capital } = entry
  const known = [...fullName, ...aliases]
  const begins = (text: string) => text.startsWith(needle)
  const beginsWords = (text: string) => beginsWordsOf(text, needle)
  const contains = (text: string) => text.includes(needle)
  if (name.includes(needle)) return SCORES.name
  if (fullName.includes(needle)) return SCORES.fullName
  if (needle === entry.country.code.toLowerCase()) return SCORES.code
  if (aliases.includes(needle)) return SCORES.alias
  if (name.some(begins)) return SCORES.namePrefix
  if (otherNames.includes(needle)) return SCORES.otherName
  if (known.some(begins)) return SCORES.aliasPrefix
  if (name.some(beginsWords)) return SCORES.nameWords
  if (otherNames.some(begins)) return SCORES.otherNamePrefix
  if (capital.includes(needle)) return SCORES.capital
  if (known.some(beginsWords)) return SCORES.aliasWords
  if (capital.some(begins)) return SCORES.capitalPrefix
  if ([...needle].length < SHORTEST_CONTAINED) return 0
  if (name.some(contains)) return SCORES.nameContains
  return [...known, ...otherNames, ...capital].some(contains) ? SCORES.anythingContains : 0
}

function matches(searchables: readonly Searchable[], score: (entry: Searchable) => number): CountryMatch[] {
  return searchables
    .map((entry) => ({ country: entry.country, score: score(entry) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
}

function beginsWordsOf(text: string, needle: string): boolean {
  const words = text.split(' ')
  return needle.split(' ').every((term) => words.some((word) => word.startsWith(term)))
}

function isMistyped(entry: Searchable, needle: string): boolean {
  if (needle.length < SHORTEST_MISTYPED) return false
  const names = [...entry.name, ...entry.fullName, ...entry.aliases, ...entry.otherNames, ...entry.capital]
  return names.some((name) => name.length >= SHORTEST_MISTYPED && isSingleEditApart(name, needle))
}

/** True when one letter added, dropped, replaced, or swapped with its neighbour makes one text of the other. */
function isSingleEditApart(a: string, b: string): boolean {
  if (a.length > b.length) return isSingleEditApart(b, a)
  if (b.length - a.length > 1) return false
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  if (b.length > a.length) return a.slice(same) === b.slice(same + 1)
  const isSwapped = a[same] === b[same + 1] && a[same + 1] === b[same] && a.slice(same + 2) === b.slice(same + 2)
  return isSwapped || a.slice(same + 1) === b.slice(same + 1)
}
