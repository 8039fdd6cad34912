/** A point on the earth, in degrees. */
export interface Point {
  latitude: number
  longitude: number
}

const EARTH_RADIUS_KM = 6371
const RADIANS = Math.PI / 180

/**
 * Great-circle distance in km (LOC-DATA-19), rounded to the metre: two implementations differ in the last digits, and
 * rounding gives both the same order and the same answer to "within 50 km".
 */
export function distanceKm(a: Point, b: Point): number {
  const south = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2)
  const east = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2)
  const h = south * south + Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * east * east
  return Math.round(2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h))) * 1000) / 1000
}
