import { readFile } from 'node:fs/promises'
import type { View } from './view.ts'

const FILE = new URL('../../../public/maps/outlines.json', import.meta.url)
/** As written by scripts/make-outlines.ts. */
const PER_DEGREE = 100
/** Pixels beyond the edge at which land is cut: its cut is not visible. */
const MARGIN = 12
/** Points closer than this are left out. */
const MIN_PIXELS = 1

/** Alternating longitude and latitude. */
type Line = readonly number[]

interface Shape {
  rings: Line[]
  box: [west: number, south: number, east: number, north: number]
}

export interface Outlines {
  land: Shape[]
  borders: Shape[]
}

let loaded: Promise<Outlines> | null = null

/** Land and borders of the world, read on first use. */
export function readOutlines(): Promise<Outlines> {
  loaded ??= readFile(FILE, 'utf8').then((text) => {
    const { land, borders } = JSON.parse(text) as { land: number[][][]; borders: number[][] }
    return {
      land: land.map((rings) => shapeOf(rings.map(decoded))),
      borders: borders.map((line) => shapeOf([decoded(line)])),
    }
  })
  loaded.catch(() => {
    loaded = null
  })
  return loaded
}

/** The land in a view as a path, and its borders as another. */
export function pathsIn({ land, borders }: Outlines, view: View): { land: string; borders: string } {
  return {
    land: placed(land, view)
      .map(({ rings, move }) => rings.map((ring) => areaPath(ring, move, view)).join(''))
      .join(''),
    borders: placed(borders, view)
      .map(({ rings, move }) => rings.map((line) => linePath(line, move, view)).join(''))
      .join(''),
  }
}

/** The shapes that touch the view, and by how many degrees they are moved: the view may cross the 180th meridian. */
function placed(shapes: readonly Shape[], view: View) {
  return shapes.flatMap(({ rings, box: [west, south, east, north] }) =>
    [-360, 0, 360].flatMap((move) => {
      const [min, max] = [view.project(west + move, north), view.project(east + move, south)]
      const isSeen = max.x >= 0 && min.x <= view.width && max.y >= 0 && min.y <= view.height
      return isSeen ? [{ rings, move }] : []
    }),
  )
}

function areaPath(ring: Line, move: number, view: View): string {
  const { width, height } = view
  let points = pixelsOf(ring, move, view)
  for (const [axis, limit, side] of [
    ['x', -MARGIN, 1],
    ['x', width + MARGIN, -1],
    ['y', -MARGIN, 1],
    ['y', height + MARGIN, -1],
  ] as const)
    points = clipped(points, axis, limit, side)
  const path = written(points)
  return path && `${path}z`
}

/** The parts of a line with a point in the view; the image cuts the rest. */
function linePath(line: Line, move: number, view: View): string {
  const points = pixelsOf(line, move, view)
  const isIn = ({ x, y }: Pixel) => x > -MARGIN && x < view.width + MARGIN && y > -MARGIN && y < view.height + MARGIN
  const runs: Pixel[][] = [[]]
  for (const [i, point] of points.entries()) {
    const [before, after] = [points[i - 1], points[i + 1]]
    if (isIn(point) || (before && isIn(before)) || (after && isIn(after))) runs.at(-1)?.push(point)
    else if (runs.at(-1)?.length) runs.push([])
  }
  return runs.map(written).join('')
}

interface Pixel {
  x: number
  y: number
}

function pixelsOf(line: Line, move: number, { project }: View): Pixel[] {
  const points: Pixel[] = []
  for (let i = 0; i + 1 < line.length; i += 2) points.push(project((line[i] ?? 0) + move, line[i + 1] ?? 0))
  return points
}

/** The part of a ring on one side of a line (Sutherland–Hodgman). */
function clipped(ring: readonly Pixel[], axis: 'x' | 'y', limit: number, side: 1 | -1): Pixel[] {
  const isInside = (point: Pixel) => (point[axis] - limit) * side >= 0
  return ring.flatMap((point, i) => {
    const before = ring[(i + ring.length - 1) % ring.length] ?? point
    const share = (limit - before[axis]) / (point[axis] - before[axis])
    const crossing = { x: before.x + share * (point.x - before.x), y: before.y + share * (point.y - before.y) }
    if (isInside(point)) return isInside(before) ? [point] : [crossing, point]
    return isInside(before) ? [crossing] : []
  })
}

/** As relative path in whole pixels, without points that fall together. */
function written(points: readonly Pixel[]): string {
  const whole: Pixel[] = []
  for (const { x, y } of points) {
    const point = { x: Math.round(x), y: Math.round(y) }
    const last = whole.at(-1)
    if (!last || Math.abs(point.x - last.x) + Math.abs(point.y - last.y) >= MIN_PIXELS) whole.push(point)
  }
  if (whole.length < 2) return ''
  return whole
    .map(({ x, y }, i) => {
      const before = whole[i - 1]
      return before ? `l${x - before.x} ${y - before.y}` : `M${x} ${y}`
    })
    .join('')
}

function shapeOf(rings: number[][]): Shape {
  const box: Shape['box'] = [180, 90, -180, -90]
  for (const ring of rings)
    for (let i = 0; i + 1 < ring.length; i += 2) {
      const [lng, lat] = [ring[i] ?? 0, ring[i + 1] ?? 0]
      box[0] = Math.min(box[0], lng)
      box[1] = Math.min(box[1], lat)
      box[2] = Math.max(box[2], lng)
      box[3] = Math.max(box[3], lat)
    }
  return { rings, box }
}

/** Delta-encoded. */
function decoded(numbers: readonly number[]): number[] {
  const line: number[] = []
  let [x, y] = [0, 0]
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    x += numbers[i] ?? 0
    y += numbers[i + 1] ?? 0
    line.push(x / PER_DEGREE, y / PER_DEGREE)
  }
  return line
}
