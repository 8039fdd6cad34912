import { LRUCache } from 'lru-cache'
import { findPlaces } from '#server/churches/places.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Point } from '#shared/churches/distance.ts'
import { within } from '../deadline.ts'
import type { Waits } from '../timeouts.ts'

/** How long the location of a city is cached (000 §9). */
const REMEMBERED_MS = 600_000
const MAX_PLACES = 1_000

/** Coordinates of cities from the database: the largest of that name, within the country if one is named. */
export function createPlaceFinder(database: Database, { lookUp }: Pick<Waits, 'lookUp'>) {
  const known = new LRUCache<string, { point: Point | null }>({ max: MAX_PLACES, ttl: REMEMBERED_MS, perf: Date })
  return async (city: string, country: string | null, caller: AbortSignal): Promise<Point | null> => {
    const key = `${country ?? ''} ${city}`
    const remembered = known.get(key)
    if (remembered) return remembered.point
    const [place] = await within(lookUp, caller, () =>
      withClaims(database, { as: 'anonymous' }, (db) => findPlaces(db, city, country ? [country] : null, 1)),
    )
    const point = place ? { latitude: place.latitude, longitude: place.longitude } : null
    known.set(key, { point })
    return point
  }
}
