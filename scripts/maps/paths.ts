// From projected shapes to short SVG paths: whole units, relative, without points that nobody would see.
import { type GeoPermissibleObjects, type GeoProjection, geoPath } from 'd3-geo'
import type { Point } from './territories.ts'

/** The rings and lines of a shape on the drawing, clipped by the projection. */
export function drawn(projection: GeoProjection, shape: object): Point[][] {
  const lines: Point[][] = []
  const context = {
    moveTo: (x: number, y: number) => lines.push([[x, y]]),
    lineTo: (x: number, y: number) => lines.at(-1)!.push([x, y]),
    closePath: () => lines.at(-1)!.push(lines.at(-1)![0]!),
    beginPath: () => {},
    arc: () => {},
  }
  geoPath(projection, context as never)(shape as GeoPermissibleObjects)
  return lines
}

/** Douglas–Peucker: no point of the line is further than `tolerance` from what remains. */
export function simplified(line: readonly Point[], tolerance: number): Point[] {
  if (line.length < 3) return [...line]
  const [first, last] = [line[0]!, line.at(-1)!]
  let [furthest, index] = [0, 0]
  for (let i = 1; i < line.length - 1; i++) {
    const distance = distanceTo(line[i]!, first, last)
    if (distance > furthest) [furthest, index] = [distance, i]
  }
  if (furthest <= tolerance) return [first, last]
  return [...simplified(line.slice(0, index + 1), tolerance).slice(0, -1), ...simplified(line.slice(index), tolerance)]
}

function distanceTo([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const length = (bx - ax) ** 2 + (by - ay) ** 2
  const at = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
  return Math.hypot(x - ax - at * (bx - ax), y - ay - at * (by - ay))
}

/** Area of a ring in square units. */
export function areaOf(ring: readonly Point[]): number {
  return (
    Math.abs(
      ring.reduce((sum, [x, y], i) => {
        const [nextX, nextY] = ring[(i + 1) % ring.length]!
        return sum + x * nextY - nextX * y
      }, 0),
    ) / 2
  )
}

/** `d` of closed rings; rings that vanish in whole units are left out. */
export const ringsPath = (rings: readonly Point[][]) => rings.map((ring) => pathOf(ring, 3, 'z')).join('')
/** `d` of open lines. */
export const linesPath = (lines: readonly Point[][]) => lines.map((line) => pathOf(line, 2, '')).join('')

function pathOf(line: readonly Point[], least: number, end: string): string {
  const points = line
    .map(([x, y]): Point => [Math.round(x), Math.round(y)])
    .filter(([x, y], i, all) => i === 0 || x !== all[i - 1]![0] || y !== all[i - 1]![1])
  if (end && points.length > 1 && points[0]!.join() === points.at(-1)!.join()) points.pop()
  if (points.length < least) return ''
  const steps = points.slice(1).map(([x, y], i): Point => [x - points[i]![0], y - points[i]![1]])
  return `M${pair(points[0]!)}l${steps.map(pair).reduce(joined, '')}${end}`
}

const pair = ([x, y]: Point) => (y < 0 ? `${x}${y}` : `${x} ${y}`)
/** A minus sign separates two numbers by itself. */
const joined = (text: string, next: string) => (text === '' || next.startsWith('-') ? text + next : `${text} ${next}`)

export function boundsOf(lines: readonly Point[][]): { x0: number; y0: number; x1: number; y1: number } {
  const points = lines.flat()
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return { x0: least(xs), y0: least(ys), x1: -least(xs.map((x) => -x)), y1: -least(ys.map((y) => -y)) }
}

const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
