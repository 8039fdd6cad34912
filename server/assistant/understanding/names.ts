import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { tellApart } from './alike.ts'
import { compiling, type Hit, type Matcher } from './matching.ts'
import { type Labelled, namesOfPlaces, type PlaceParts } from './placeNames.ts'
import type { Steps } from './steps.ts'
import { clean, type Words } from './words.ts'

/** A country or a city that a question names. */
export interface Place {
  start: number
  end: number
  /** English name, where a city is named. */
  city: string | null
  /** Every country it may be in, the likeliest first. */
  countries: readonly string[]
  /** Nothing says which of them: whoever asks has to. */
  isEither?: boolean
}

/** Names are found in these languages; in Latin letters one language's country is another's word ("irá", "mali"). */
export interface PlaceFinder {
  find(raw: string, words: Words, languages: ReadonlySet<AssistantLanguage>): Place[]
}

/** Knows the countries of the reference and the larger cities by their names in the twelve languages. */
export function* learnPlaces(parts: PlaceParts): Steps<PlaceFinder> {
  const matcher = yield* compiling(namesOfPlaces(parts), {
    areNames: true,
    typos: { isKnown: (word) => parts.isWord(word) || parts.isSpeltWell(word), leastLetters: 6, leastAlone: 6 },
  })
  return { find: (raw, words, languages) => tellApart(findPlaces(matcher, raw, words, languages), words.text, raw) }
}

function findPlaces(
  matcher: Matcher<Labelled>,
  raw: string,
  words: Words,
  languages: ReadonlySet<AssistantLanguage>,
): Place[] {
  const written = writtenAsNames(raw)
  const isMeant = ({ label, isGuess, start, end, entry }: Hit<Labelled>) =>
    (!label.languages || [...label.languages].some((language) => languages.has(language))) &&
    (!label.needsCapital || (!isGuess && written.has(entry.length <= 3 ? entry : words.text.slice(start, end))))
  const hits = matcher
    .find(words)
    .filter(isMeant)
    // What is written right before what is guessed, the longest before its parts.
    .sort((a, b) => Number(a.isGuess) - Number(b.isGuess) || b.end - b.start - (a.end - a.start) || a.start - b.start)
  const places: { start: number; end: number; hits: Hit<Labelled>[] }[] = []
  for (const hit of hits) {
    const same = places.find(({ start, end }) => start === hit.start && end === hit.end)
    if (same) same.hits.push(hit)
    else if (!places.some(({ start, end }) => hit.start < end && start < hit.end)) {
      places.push({ start: hit.start, end: hit.end, hits: [hit] })
    }
  }
  return places.sort((a, b) => a.start - b.start).map(({ start, end, hits }) => ({ start, end, ...placeOf(hits) }))
}

/** Singapore is a country before it is a city; Dubai, which some lists call a country, is a city. */
function placeOf(hits: readonly Hit<Labelled>[]): Pick<Place, 'city' | 'countries'> {
  const countries = [...new Set(hits.flatMap(({ label }) => ('country' in label ? [label.country] : [])))]
  const cities = hits.flatMap(({ label }) => ('city' in label ? [label] : []))
  const city = cities.find(({ in: country }) => countries.length === 0 || countries.includes(country))
  const isNamedAlike = cities.some(({ city }) => NAMED_AS_COUNTRY.has(city))
  if (!city || (countries.length > 0 && isNamedAlike)) return { city: null, countries }
  return { city: city.city, countries: countries.length > 0 ? countries : [...new Set(cities.map((each) => each.in))] }
}

const NAMED_AS_COUNTRY = new Set(
  'Singapore|Hong Kong|Macau|Kuwait City|Luxembourg|Monaco|Djibouti|Panamá|Panama City|Guatemala City|San Marino|Gibraltar|Mexico City'.split(
    '|',
  ),
)

/** Words with a capital that no sentence begins with, folded; short ones as they stand ("US"). */
function writtenAsNames(raw: string): ReadonlySet<string> {
  const set = new Set<string>()
  if (raw === raw.toUpperCase() && raw.length > 8) return set
  for (const match of raw.matchAll(/(?<=[^.!?¿¡\s]["'’]?\s+|[('"«“-])\p{Lu}[\p{L}\p{M}]*/gu)) {
    set.add(match[0].length <= 3 ? match[0] : clean(match[0]))
  }
  return set
}
