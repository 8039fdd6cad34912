import type { Box } from '#shared/churches/box.ts'
import type { Point } from '#shared/churches/distance.ts'

export interface Size {
  width: number
  height: number
}

export interface Spot {
  x: number
  y: number
}

/** A part of the world on an image, in Web Mercator as on the map with scripts. */
export interface View extends Size {
  /** The pixels of a point; of its copies around the globe the one nearest to the middle. */
  toPixels: (point: Point) => Spot
  /** The same without looking for the nearest copy: for outlines, which are moved as a whole. */
  project: (longitude: number, latitude: number) => Spot
  /** What is visible. If west is greater than east, it crosses the 180th meridian. */
  box: Box
  center: number
  kmPerPixel: number
}

const EARTH_KM = 40_075
const RADIANS = Math.PI / 180
const MAX_LATITUDE = 85

const toX = (longitude: number) => longitude / 360 + 0.5
const toY = (latitude: number) => {
  const sine = Math.sin(Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude)) * RADIANS)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}
const fromX = (x: number) => (x - 0.5) * 360
const fromY = (y: number) => 90 - (360 * Math.atan(Math.exp((y - 0.5) * 2 * Math.PI))) / Math.PI

/** The view that contains all points with some room around them; at most `minKm` wide for points that are close. */
export function viewOf(points: readonly Point[], { width, height }: Size, minKm: number, padding = 48): View {
  const reference = points[0]?.longitude ?? 0
  const near = (longitude: number) => longitude + 360 * Math.round((reference - longitude) / 360)
  const xs = points.map(({ longitude }) => toX(near(longitude)))
  const ys = points.map(({ latitude }) => toY(latitude))
  const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const [x, y] = [(west + east) / 2, (north + south) / 2]
  const shrink = Math.cos(fromY(y) * RADIANS)
  const scale = Math.min(
    (width - 2 * padding) / Math.max(east - west, 1e-9),
    (height - 2 * padding) / Math.max(south - north, 1e-9),
    (width * EARTH_KM * shrink) / minKm,
  )
  // The whole world at least fills the width.
  const world = Math.max(scale, width)
  const project = (longitude: number, latitude: number): Spot => ({
    x: (toX(longitude) - x) * world + width / 2,
    y: (toY(latitude) - y) * world + height / 2,
  })
  const center = fromX(x)
  return {
    width,
    height,
    project,
    toPixels: ({ latitude, longitude }) => project(longitude + 360 * Math.round((center - longitude) / 360), latitude),
    box: {
      south: fromY(y + height / 2 / world),
      north: fromY(y - height / 2 / world),
      ...(width / world >= 1
        ? { west: -180, east: 180 }
        : { west: wrapped(fromX(x - width / 2 / world)), east: wrapped(fromX(x + width / 2 / world)) }),
    },
    center,
    kmPerPixel: (EARTH_KM * shrink) / world,
  }
}

const wrapped = (longitude: number) => longitude - 360 * Math.round(longitude / 360)
