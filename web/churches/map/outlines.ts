import type { LatLngTuple } from 'leaflet'
import address from '../../../public/maps/outlines.json?url'

const PER_DEGREE = 100
/** Beyond this the land of the other side is drawn once more, for looking across the 180th meridian. */
const NEAR_THE_SEAM = 90

interface File {
  land: number[][][]
  borders: number[][]
}

export interface Outlines {
  /** Each with its rings. */
  land: LatLngTuple[][][]
  borders: LatLngTuple[][]
}

/** Land and borders of the world (scripts/make-outlines.ts). */
export async function fetchOutlines(): Promise<Outlines> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`outlines: ${answer.status}`)
  const file = (await answer.json()) as File
  const land = file.land.map((rings) => rings.map(decoded))
  const borders = file.borders.map(decoded)
  return {
    land: [...land, ...land.flatMap((rings) => copies(rings, rings[0]!))],
    borders: [...borders, ...borders.flatMap((line) => copies([line], line).flat())],
  }
}

function copies(lines: LatLngTuple[][], of: LatLngTuple[]): LatLngTuple[][][] {
  const lngs = of.map(([, lng]) => lng)
  const shifts = [
    ...(Math.min(...lngs) < -NEAR_THE_SEAM ? [360] : []),
    ...(Math.max(...lngs) > NEAR_THE_SEAM ? [-360] : []),
  ]
  return shifts.map((shift) => lines.map((line) => line.map(([lat, lng]) => [lat, lng + shift] as LatLngTuple)))
}

/** Longitude and latitude in turn, each as the difference from the one before. */
function decoded(numbers: number[]): LatLngTuple[] {
  const points: LatLngTuple[] = []
  let [x, y] = [0, 0]
  for (let i = 0; i < numbers.length; i += 2) {
    x += numbers[i]!
    y += numbers[i + 1]!
    points.push([y / PER_DEGREE, x / PER_DEGREE])
  }
  return points
}
