import type { Point } from './distance.ts'

/** Degrees. If west is greater than east, the box crosses the 180th meridian. */
export interface Box {
  south: number
  north: number
  west: number
  east: number
}

/** For latitude everywhere, for longitude at the equator (CHAPTERS-12). */
export const KM_PER_DEGREE = 111

/** Contains every point within `km` kilometres; near a pole it covers all longitudes. */
export function boxAround({ latitude, longitude }: Point, km: number): Box {
  const degrees = km / KM_PER_DEGREE
  const south = Math.max(-90, latitude - degrees)
  const north = Math.min(90, latitude + degrees)
  // A degree of longitude is shortest at the edge nearer to a pole.
  const width = degrees / Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180)
  if (south === -90 || north === 90 || width >= 180) return { south, north, west: -180, east: 180 }
  return { south, north, west: wrap(longitude - width), east: wrap(longitude + width) }
}

const wrap = (longitude: number) => (longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude)
