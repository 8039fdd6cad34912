// Writes public/maps/outlines.json: the land and borders of the world, for maps without a tile server.
//
//   node scripts/make-outlines.ts
//
// From world-atlas (Natural Earth, public domain) at 1:50 million. Run it after updating world-atlas.
import { readFileSync, writeFileSync } from 'node:fs'
import { feature, mesh } from 'topojson-client'

/** Coordinates are integers in hundredths of a degree, about a kilometre: finer than the source. */
const PER_DEGREE = 100
type Point = [number, number]

const atlas = JSON.parse(readFileSync('node_modules/world-atlas/countries-50m.json', 'utf8'))
const land: {
  features: { geometry: { type: string; coordinates: Point[][][] | Point[][] } }[]
} = feature(atlas, atlas.objects.land)
const polygons = land.features.flatMap(({ geometry }) =>
  geometry.type === 'Polygon' ? [geometry.coordinates as Point[][]] : (geometry.coordinates as Point[][][]),
)
const borders: { coordinates: Point[][] } = mesh(atlas, atlas.objects.countries, (a, b) => a !== b)

const outlines = {
  land: polygons
    .flatMap((rings) => piecesOf(rings))
    .map((rings) => rings.map(encoded).filter((ring) => ring.length > 6))
    .filter((rings) => rings.length > 0),
  borders: borders.coordinates.flatMap(withoutJumps).map(encoded),
}
writeFileSync('public/maps/outlines.json', `${JSON.stringify(outlines)}\n`)

/**
 * Splits land at the 180th meridian: otherwise its rings jump from one side of the map to the other and would be drawn
 * right across it.
 */
function piecesOf(rings: Point[][]): Point[][][] {
  const whole = rings.map(unwrapped)
  return [-360, 0, 360]
    .map((shift) => whole.map((ring) => clipped(clipped(moved(ring, shift), -180, 1), 180, -1)))
    .map((piece) => piece.filter((ring) => ring.length > 3))
    .filter((piece) => piece.length > 0)
}

/** Longitudes without jumps; a ring around the pole is closed along it. */
function unwrapped(ring: Point[]): Point[] {
  const points: Point[] = [ring[0]!]
  for (const [lng, lat] of ring.slice(1)) {
    const before = points.at(-1)![0]
    points.push([lng + 360 * Math.round((before - lng) / 360), lat])
  }
  const [first, last] = [points[0]!, points.at(-1)!]
  if (Math.abs(last[0] - first[0]) > 180) points.push([last[0], -90], [first[0], -90], first)
  return points
}

function moved(ring: Point[], shift: number): Point[] {
  return ring.map(([lng, lat]) => [lng + shift, lat])
}

/** The part of a ring on one side of a meridian (Sutherland–Hodgman). */
function clipped(ring: Point[], meridian: number, side: 1 | -1): Point[] {
  const isInside = ([lng]: Point) => (lng - meridian) * side >= 0
  return ring.flatMap((point, i) => {
    const before = ring[(i + ring.length - 1) % ring.length]!
    const crossing = (): Point => {
      const share = (meridian - before[0]) / (point[0] - before[0])
      return [meridian, before[1] + share * (point[1] - before[1])]
    }
    if (isInside(point)) return isInside(before) ? [point] : [crossing(), point]
    return isInside(before) ? [crossing()] : []
  })
}

function withoutJumps(line: Point[]): Point[][] {
  const parts: Point[][] = [[]]
  for (const point of line) {
    const before = parts.at(-1)!.at(-1)
    if (before && Math.abs(before[0] - point[0]) > 180) parts.push([])
    parts.at(-1)!.push(point)
  }
  return parts.filter((part) => part.length > 1)
}

/** Alternating longitude and latitude, delta-encoded. */
function encoded(points: Point[]): number[] {
  const numbers: number[] = []
  let [x, y] = [0, 0]
  for (const [lng, lat] of points) {
    const [nextX, nextY] = [Math.round(lng * PER_DEGREE), Math.round(lat * PER_DEGREE)]
    if (numbers.length > 0 && nextX === x && nextY === y) continue
    numbers.push(nextX - x, nextY - y)
    ;[x, y] = [nextX, nextY]
  }
  return numbers
}
