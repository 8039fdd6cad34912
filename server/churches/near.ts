import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { City } from '#shared/churches/endpoints.ts'
import { readPlaceNames } from './place-name.ts'
import { distinctPlaces, findNamedPlaces, findPlaces } from './places.ts'

const MAX_PLACES = 6
/** More, since many share a name and a country. */
const MAX_READ = 40

interface Deps {
  database: Database
  countries: () => Countries
  /** Whether a church matches the text, within the other filters. */
  isInText: (text: string) => boolean
}

/**
 * What the one search field means: the places of that name, the likeliest first, or none, where the text is to be
 * found in the churches. A city by its full name comes before churches, churches come before cities whose name only
 * begins with or contains the text, and of an address at least its city counts.
 */
export async function readNear(text: string, codes: string[] | null, deps: Deps): Promise<City[]> {
  return distinctPlaces(await placesOf(text, codes, deps)).slice(0, MAX_PLACES)
}

async function placesOf(text: string, codes: string[] | null, deps: Deps): Promise<City[]> {
  const parts = text.split(/[,،、]/)
  return withClaims(deps.database, { as: 'anonymous' }, async (db) => {
    const named = async (part: string): Promise<City[]> => {
      for (const meaning of readPlaceNames(part, deps.countries())) {
        const found = await findNamedPlaces(db, meaning, codes, MAX_READ)
        if (found.length > 0) return found
      }
      return []
    }
    const like = (part: string) => findPlaces(db, part, codes, MAX_READ)
    const country = deps.countries().resolve(text.trim())
    const exact = await named(text)
    // 'Jordan' is the country, though places of that name exist; Singapore is both.
    const meant = country ? exact.filter(({ country_code }) => country_code === country) : exact
    if (country) return meant
    if (meant.length > 0) return parts.length > 1 ? meant : [...meant, ...(await like(text))]
    if (deps.isInText(text)) return []
    for (let i = 1; i < parts.length; i++) {
      const found = await named(parts.slice(i).join(' '))
      if (found.length > 0) return found
    }
    return like(text)
  })
}
