import Flatbush from 'flatbush'
import { around, within } from 'geoflatbush'
import type { Point } from '#shared/churches/distance.ts'

export interface Placed {
  ordinal: number
  latitude: number
  longitude: number
}

export type Tree = ReturnType<typeof createTree>

// What the tree's own arithmetic, by cosines, may be off by: more than that of haversines, and most of all near to 0.
const BLUR_KM = 0.002
const BLUR = 1 + 1e-9

/** The points of some locales, for those within a distance and for the nearest. Right at the poles and the date line. */
export function createTree(points: readonly Placed[]) {
  const ordinals = Uint32Array.from(points, ({ ordinal }) => ordinal)
  const index = points.length > 0 ? new Flatbush(points.length) : null
  for (const { longitude, latitude } of points) index!.add(longitude, latitude)
  index?.finish()
  const named = (found: number[]) => found.map((i) => ordinals[i]!)

  return {
    size: points.length,

    /** All within the distance, and some just beyond it: the caller measures each. In no order. */
    within({ latitude, longitude }: Point, km: number): number[] {
      return index ? named(within(index, longitude, latitude, km * BLUR + BLUR_KM)) : []
    },

    /**
     * The `count` nearest among those that are wanted, with all that are as far as the last of them: first so many are
     * looked for, then everything within the greatest of their distances.
     */
    nearest(
      { latitude, longitude }: Point,
      count: number,
      kmTo: (ordinal: number) => number,
      isWanted?: (ordinal: number) => boolean,
    ): number[] {
      if (!index || count < 1) return []
      const filter = isWanted && ((i: number) => isWanted(ordinals[i]!))
      const first = named(around(index, longitude, latitude, count, Number.POSITIVE_INFINITY, filter))
      if (first.length < count) return first
      const furthest = first.reduce((most, ordinal) => Math.max(most, kmTo(ordinal)), 0)
      return named(within(index, longitude, latitude, furthest * BLUR + BLUR_KM, filter))
    },
  }
}
