import type { Point } from './distance.ts'

/** Degrees. With west greater than east it goes over the 180th meridian. */
export interface Box {
  south: number
  north: number
  west: number
  east: number
}

/** Of latitude everywhere, of longitude at the equator (CHAPTERS-12). */
export const KM_PER_DEGREE = 111

/** Holds everything within so many kilometres; near a pole all the way round. */
export function boxAround({ latitude, longitude }: Point, km: number): Box {
  const degrees = km / KM_PER_DEGREE
  const south = Math.max(-90, latitude - degrees)
  const north = Math.min(90, latitude + degrees)
  // A degree of longitude is shortest at the edge that is nearer to a pole.
  const width = degrees / Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180)
  if (south === -90 || north === 90 || width >= 180) return { south, north, west: -180, east: 180 }
  return { south, north, west: wrap(longitude - width), east: wrap(longitude + width) }
}

const wrap = (longitude: number) => (longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude)
