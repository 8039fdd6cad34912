import type { MapView } from '#web/advisories/map/view.ts'
import views from '#web/advisories/map/views.json'
import type { ShownQueue } from './queue.server.ts'

const WORLD = views.world as unknown as MapView

/** A country with its number on the map. */
interface Marker {
  country_code: string
  count: number
  is_danger: boolean
  x: number
  y: number
}

export interface CallsMap {
  viewBox: string
  /** The outlines of all countries. */
  land: string
  /** Radius of a marker, in units of the drawing. */
  radius: number
  markers: Marker[]
}

/** Share of a marker's radius in the width of the picture. */
const RADIUS = 1 / 26
const HEIGHT = 0.52
const MIN_WIDTH = 300
const MARGIN = 70

/** The part of the world in which people wait, with their numbers; null without any known country. */
export function callsMap(countries: ShownQueue['countries']): CallsMap | null {
  const markers = countries.flatMap(({ country_code, count, is_danger }) => {
    const middle = country_code && middleOf(country_code)
    return middle ? [{ country_code, count, is_danger, x: middle[0], y: middle[1] }] : []
  })
  if (markers.length === 0) return null
  const { left, top, width, height } = frameOf(markers)
  const radius = width * RADIUS
  spread(markers, radius * 2.5)
  return {
    viewBox: [left, top, width, height].map(Math.round).join(' '),
    land: Object.values(WORLD.paths).join(''),
    radius: Math.round(radius),
    markers: markers.map((marker) => ({ ...marker, x: Math.round(marker.x), y: Math.round(marker.y) })),
  }
}

/** The middle of the largest part of a country, or of the square that stands for a small one. */
export function middleOf(country: string): [x: number, y: number] | null {
  const path = WORLD.paths[country]
  if (!path) return WORLD.dots[country] ?? null
  const boxes = path.split(/(?=M)/).map(boxOf)
  const largest = boxes.toSorted((a, b) => areaOf(b) - areaOf(a))[0]
  return largest ? [(largest.left + largest.right) / 2, (largest.top + largest.bottom) / 2] : null
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const areaOf = ({ left, right, top, bottom }: Box) => (right - left) * (bottom - top)

/** Around one outline: a point, then steps from it. */
function boxOf(outline: string): Box {
  const numbers = outline.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? []
  let [x = 0, y = 0] = numbers
  const box = { left: x, right: x, top: y, bottom: y }
  for (let at = 2; at + 1 < numbers.length; at += 2) {
    x += numbers[at]!
    y += numbers[at + 1]!
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
  }
  return box
}

function frameOf(markers: readonly Marker[]) {
  const [xs, ys] = [markers.map(({ x }) => x), markers.map(({ y }) => y)]
  const [left, right] = [Math.min(...xs) - MARGIN, Math.max(...xs) + MARGIN]
  const [top, bottom] = [Math.min(...ys) - MARGIN * HEIGHT, Math.max(...ys) + MARGIN * HEIGHT]
  const width = Math.min(WORLD.width, Math.max(MIN_WIDTH, right - left, (bottom - top) / HEIGHT))
  const height = Math.min(WORLD.height, width * HEIGHT)
  const within = (middle: number, size: number, all: number) => Math.min(Math.max(0, middle - size / 2), all - size)
  return {
    left: within((left + right) / 2, width, WORLD.width),
    top: within((top + bottom) / 2, height, WORLD.height),
    width,
    height,
  }
}

const ROUNDS = 40

/** Moves markers apart until they can be read; the smaller number gives way. */
function spread(markers: Marker[], distance: number) {
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, one] of markers.entries())
      for (const other of markers.slice(at + 1)) {
        const [dx, dy] = [other.x - one.x, other.y - one.y]
        const apart = Math.hypot(dx, dy)
        if (apart >= distance) continue
        // Two at the same point part along an angle of their own.
        const angle = apart > 0 ? Math.atan2(dy, dx) : at
        other.x += Math.cos(angle) * (distance - apart)
        other.y += Math.sin(angle) * (distance - apart)
      }
}
