import { type Entities, NO_ENTITIES } from '#shared/assistant/intents.ts'
import type { Place } from './ambiguous-places.ts'
import { findDate, type Relative, relativeDate } from './dates.ts'
import { type Route, routeOf } from './routes.ts'
import { hitsOf, type Sense, type SenseHit } from './senses.ts'
import type { Words } from './tokenizer.ts'

/** Entities of a question, and its relative date. */
export interface EntityResult {
  entities: Entities
  relative: Relative | null
  /** Further countries with a city of this name, if the question does not say which. */
  otherCountries: readonly string[]
}

/** The twelve entities of a question (CHAT-INTENT-03). */
export function findEntities(
  words: Words,
  hits: readonly SenseHit[],
  places: readonly Place[],
  now: Date,
): EntityResult {
  const route = routeOf(words, hits, places)
  const about = route.to ? places : placesInQuestion(words, hits, places)
  const relative = best(hits, 'dates') as Relative | null
  const { otherCountries, ...placed } = placesOf(route, about)
  return {
    relative,
    otherCountries,
    entities: {
      ...NO_ENTITIES,
      ...placed,
      serviceType: best(hits, 'serviceType') as Entities['serviceType'],
      dayOfWeek: best(hits, 'dayOfWeek') as Entities['dayOfWeek'],
      contactType: best(hits, 'contactType') as Entities['contactType'],
      role: best(hits, 'role') as Entities['role'],
      purpose: best(hits, 'purpose') as Entities['purpose'],
      documentType: best(hits, 'documentType') as Entities['documentType'],
      emergencyType: best(hits, 'emergencyType') as Entities['emergencyType'],
      travelDate: findDate(words.text, now) ?? (relative && relativeDate(relative, now)),
      applicationId: findReference(words.text),
    },
  }
}

/** The most specific part of a list: exact matches before corrected ones, and the first among equals. */
export function best(hits: readonly SenseHit[], list: Sense['list']): string | null {
  const found = hitsOf(hits, list).toSorted(
    (a, b) => Number(a.isGuess) - Number(b.isGuess) || b.weight - a.weight || a.start - b.start,
  )
  return found[0]?.label.value ?? null
}

/** "I don't like it in Dubai. Is Japan safe?": of several places, those in the sentence with the question. */
function placesInQuestion({ list }: Words, hits: readonly SenseHit[], places: readonly Place[]): readonly Place[] {
  const sentenceAt = (at: number) => list.findLast(({ start }) => start <= at)?.sentence
  const asking = new Set(hitsOf(hits, 'intents').map(({ start }) => sentenceAt(start)))
  const inQuestion = places.filter(({ start }) => asking.has(sentenceAt(start)))
  return inQuestion.length > 0 ? inQuestion : places
}

/** The home country of most users: if another country is named as well, the question is about that one. */
const HOME = 'PH'

function placesOf(
  { from, to }: Route,
  places: readonly Place[],
): Pick<Entities, 'city' | 'country' | 'destination'> & { otherCountries: readonly string[] } {
  const others = places.filter((place) => place !== to)
  const city = others.find((place) => place.city !== null) ?? null
  const countries = others.filter((place) => place.city === null)
  const place = from ?? countries.find(({ countries }) => countries[0] !== HOME) ?? countries[0] ?? null
  const named = new Set(places.flatMap(({ countries, city }) => (countries.length === 1 && !city ? countries : [])))
  const destination = to ? countryOf(to, named) : null
  if (city) {
    const country = countryOf(city, named)
    return { city: city.city, country, destination, otherCountries: othersOf(city, country, named) }
  }
  // "I go to Dubai": the question is about that city, too.
  if (to?.city && !place)
    return { city: to.city, country: null, destination, otherCountries: othersOf(to, destination, named) }
  return { city: null, country: place ? countryOf(place, new Set()) : null, destination, otherCountries: [] }
}

/** "Somewhere in Laos … Essen": a country and a city elsewhere. Ask which is meant before showing numbers to call. */
export function namesTwoCountries(places: readonly Place[]): boolean {
  const countries = places.filter(({ city }) => city === null).flatMap(({ countries }) => countries)
  const others = countries.filter((code) => code !== HOME)
  return places.some(
    ({ city, countries: its }) => city !== null && others.length > 0 && !its.some((code) => others.includes(code)),
  )
}

/** Other countries that have the city; none if the question names its country. */
const othersOf = ({ countries, isEither }: Place, taken: string | null, named: ReadonlySet<string>) =>
  isEither || (taken && named.has(taken)) ? [] : countries.filter((code) => code !== taken)

/** Of several possible countries, the one named in the question; null if only the user can decide. */
const countryOf = ({ countries, isEither }: Place, named: ReadonlySet<string>): string | null =>
  countries.find((code) => named.has(code)) ?? (isEither ? null : (countries[0] ?? null))

/** "PDOS-2026-001", "app 2026 0001" (CHAT-INTENT-11). */
export function findReference(text: string): string | null {
  const [, kind, year, number] =
    /(?<![a-z0-9])(pdos|app)[\s\p{Pd}_.#:/]{0,3}(20\d\d)[\s\p{Pd}_./]{0,3}(\d{3,4})(?!\d)/u.exec(text) ?? []
  return kind ? `${kind.toUpperCase()}-${year}-${number}` : null
}
