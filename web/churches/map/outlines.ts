import type { LatLngTuple } from 'leaflet'
import address from '../../../public/maps/outlines.json?url'

const PER_DEGREE = 100
/** Land beyond this longitude is drawn a second time, for panning across the 180th meridian. */
const NEAR_THE_SEAM = 90

export interface File {
  land: number[][][]
  borders: number[][]
}

export interface Outlines {
  /** Each with its rings. */
  land: LatLngTuple[][][]
  /** Land cut at the 180th meridian: it has no border there. */
  cut: LatLngTuple[][][]
  /** Borders, and the coasts of land that was cut. */
  lines: LatLngTuple[][]
}

/** Land and borders of the world (scripts/make-outlines.ts). */
export async function fetchOutlines(): Promise<Outlines> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`outlines: ${answer.status}`)
  const file = (await answer.json()) as File
  return outlinesOf(file)
}

export function outlinesOf(file: File): Outlines {
  const land = twice(file.land.map((rings) => rings.map(decoded)))
  const isCut = (rings: LatLngTuple[][]) => rings.some((ring) => ring.some(isOnSeam))
  const cut = land.filter(isCut)
  return {
    land: land.filter((rings) => !isCut(rings)),
    cut,
    lines: [...twice(file.borders.map((line) => [decoded(line)])).flat(), ...cut.flat().flatMap(coastsOf)],
  }
}

/** Duplicates shapes near the 180th meridian on its other side. */
function twice(shapes: LatLngTuple[][][]): LatLngTuple[][][] {
  return shapes.flatMap((lines) => {
    const [outer = []] = lines
    const lngs = outer.map(([, lng]) => lng)
    const moves = [0]
    if (Math.min(...lngs) < -NEAR_THE_SEAM) moves.push(360)
    if (Math.max(...lngs) > NEAR_THE_SEAM) moves.push(-360)
    return moves.map((move) => lines.map((line) => line.map(([lat, lng]): LatLngTuple => [lat, lng + move])))
  })
}

const isOnSeam = ([lat, lng]: LatLngTuple) => Math.abs(lng) === 180 || lat === -90

/** A ring without its edges along the seam. */
function coastsOf(ring: LatLngTuple[]): LatLngTuple[][] {
  let line: LatLngTuple[] = []
  const lines = [line]
  for (const point of ring) {
    const before = line.at(-1)
    if (before && isOnSeam(before) && isOnSeam(point)) {
      line = []
      lines.push(line)
    }
    line.push(point)
  }
  return lines.filter(({ length }) => length > 1)
}

/** Alternating longitude and latitude, delta-encoded. */
function decoded(numbers: number[]): LatLngTuple[] {
  const points: LatLngTuple[] = []
  let [x, y] = [0, 0]
  for (let i = 0; i < numbers.length; i += 2) {
    x += numbers[i] ?? 0
    y += numbers[i + 1] ?? 0
    points.push([y / PER_DEGREE, x / PER_DEGREE])
  }
  return points
}
