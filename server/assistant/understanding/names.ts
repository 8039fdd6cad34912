import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { disambiguate, type Place } from './ambiguous-places.ts'
import { compiling, type Hit, type Matcher } from './matcher.ts'
import { namesOfPlaces, type PlaceDeps, type PlaceLabel } from './place-names.ts'
import type { Steps } from './steps.ts'
import { clean, type Words } from './tokenizer.ts'

/** A possible correction of a misspelt name. It is offered, never assumed. */
export interface Guess {
  start: number
  end: number
  city: string | null
  country: string
}

export interface FoundPlaces {
  places: Place[]
  guesses: Guess[]
}

/**
 * Finds names in certain languages only: in Latin script, a country in one language is a common word in another ("irá",
 * "mali").
 */
export interface PlaceFinder {
  find(raw: string, words: Words, languages: ReadonlySet<AssistantLanguage>): FoundPlaces
}

/** Loads the reference countries and the larger cities with their names in the twelve languages. */
export function* learnPlaces(deps: PlaceDeps): Steps<PlaceFinder> {
  const matcher = yield* compiling(namesOfPlaces(deps), {
    areNames: true,
    typos: { isKnown: (word) => deps.isWord(word) || deps.isSpeltWell(word), leastLetters: 4, leastAlone: 4 },
  })
  return {
    find(raw, words, languages) {
      const { places, guesses } = findPlaces(matcher, raw, words, languages)
      return { places: disambiguate(places, words.text, raw), guesses }
    },
  }
}

function findPlaces(
  matcher: Matcher<PlaceLabel>,
  raw: string,
  words: Words,
  languages: ReadonlySet<AssistantLanguage>,
): FoundPlaces {
  const written = writtenAsNames(raw)
  const isMeant = ({ label, isGuess, start, end, entry }: Hit<PlaceLabel>) =>
    (!label.languages || [...label.languages].some((language) => languages.has(language))) &&
    (!label.needsCapital || (!isGuess && written.has(entry.length <= 3 ? entry : words.text.slice(start, end))))
  const hits = matcher.find(words).filter(isMeant)
  const spans = spansOf(hits.filter(({ isGuess }) => !isGuess))
  const guessed = spansOf(hits.filter(({ isGuess }) => isGuess)).flatMap((span): Guess[] => {
    const { city, countries } = placeOf(span.hits)
    return countries.slice(0, MAX_GUESSES).map((country) => ({ start: span.start, end: span.end, city, country }))
  })
  const named = spans.map(({ start, end, hits }) => ({ start, end, ...placeOf(hits) }))
  // "Guinea Bisau" is not Guinea, but "Saudi Arabai" is Saudi Arabia.
  const isPartOf = (place: Place, guess: Guess) =>
    guess.end - guess.start > place.end - place.start &&
    guess.start <= place.start &&
    place.end <= guess.end &&
    !place.countries.includes(guess.country)
  const places = named.filter((place) => !guessed.some((guess) => isPartOf(place, guess)))
  const guesses = guessed.filter(({ start, end }) => !places.some((place) => start < place.end && place.start < end))
  return { places, guesses }
}

const MAX_GUESSES = 2

interface Hits {
  start: number
  end: number
  hits: Hit<PlaceLabel>[]
}

/** Longest matches first; matches of the same span are grouped. */
function spansOf(hits: readonly Hit<PlaceLabel>[]): Hits[] {
  const spans: Hits[] = []
  for (const hit of hits.toSorted((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)) {
    const same = spans.find(({ start, end }) => start === hit.start && end === hit.end)
    if (same) same.hits.push(hit)
    else if (!spans.some(({ start, end }) => hit.start < end && start < hit.end))
      spans.push({ start: hit.start, end: hit.end, hits: [hit] })
  }
  return spans.toSorted((a, b) => a.start - b.start)
}

/** Singapore is primarily a country; Dubai, which some lists call a country, is a city. */
function placeOf(hits: readonly Hit<PlaceLabel>[]): Pick<Place, 'city' | 'countries'> {
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

/** Capitalised words that do not start a sentence, folded; short ones verbatim ("US"). */
function writtenAsNames(raw: string): ReadonlySet<string> {
  const set = new Set<string>()
  if (raw === raw.toUpperCase() && raw.length > 8) return set
  for (const match of raw.matchAll(/(?<=[^.!?¿¡\s]["'’]?\s+|[('"«“-])\p{Lu}[\p{L}\p{M}]*/gu)) {
    set.add(match[0].length <= 3 ? match[0] : clean(match[0]))
  }
  return set
}
