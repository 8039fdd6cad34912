import Flatbush from 'flatbush'
import { around, within } from 'geoflatbush'
import { distanceKm, type Point } from '#shared/churches/distance.ts'

export interface PlacedLocale {
  ordinal: number
  latitude: number
  longitude: number
}

/** A match with its distance. */
export interface Near {
  ordinal: number
  km: number
}

export type Tree = ReturnType<typeof createTree>

// Error margin of the tree's own arithmetic, which uses cosines: larger than that of haversines, mostly near 0.
const BLUR_KM = 0.002
const BLUR = 1 + 1e-9

/** The points of some locales, for radius and nearest queries. Exact at the poles and the date line. */
export function createTree(points: readonly PlacedLocale[]) {
  const ordinals = new Uint32Array(points.length)
  // Adjacent in memory, so that measuring touches one location.
  const places = new Float64Array(points.length * 2)
  const index = points.length > 0 ? new Flatbush(points.length) : null
  points.forEach(({ ordinal, latitude, longitude }, i) => {
    ordinals[i] = ordinal
    places[2 * i] = latitude
    places[2 * i + 1] = longitude
    index?.add(longitude, latitude)
  })
  index?.finish()

  const kmTo = (point: Point, i: number) =>
    distanceKm(point, { latitude: places[2 * i]!, longitude: places[2 * i + 1]! })
  const measured = (point: Point, found: number[]): Near[] =>
    found.map((i) => ({ ordinal: ordinals[i]!, km: kmTo(point, i) }))

  return {
    size: points.length,

    /** Visits all within the distance, unordered. */
    within(point: Point, maxKm: number, visit: (ordinal: number, km: number) => void): void {
      if (!index) return
      for (const i of within(index, point.longitude, point.latitude, maxKm * BLUR + BLUR_KM)) {
        const km = kmTo(point, i)
        if (km <= maxKm) visit(ordinals[i]!, km)
      }
    },

    /**
     * The `count` nearest rows that match, with all at the same distance as the last: looks for that many first, then
     * for everything within the greatest of their distances.
     */
    nearest(point: Point, count: number, isWanted?: (ordinal: number) => boolean): Near[] {
      if (!index || count < 1) return []
      const { latitude, longitude } = point
      const filter = isWanted && ((i: number) => isWanted(ordinals[i]!))
      const first = measured(point, around(index, longitude, latitude, count, Number.POSITIVE_INFINITY, filter))
      if (first.length < count) return first
      const furthest = first.reduce((max, { km }) => Math.max(max, km), 0)
      return measured(point, within(index, longitude, latitude, furthest * BLUR + BLUR_KM, filter))
    },
  }
}
