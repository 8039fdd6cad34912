// Writes web/advisories/map/views.json: the world and its regions, one path for each country.
//
//   node scripts/run.mjs scripts/make-world-map.ts
//
// From world-atlas (Natural Earth, public domain) at 1:110 and 1:50 million. Run it after updating world-atlas or the
// country reference, and look at the map of the advisories.
import { readFileSync, writeFileSync } from 'node:fs'
import { type GeoProjection, geoAzimuthalEqualArea, geoEqualEarth } from 'd3-geo'
import type { Country } from '../shared/countries/country.ts'
import type { MapView, Region } from '../web/advisories/map/view.ts'
import { DOT } from '../web/advisories/map/view.ts'
import { type Box, boxAt, placeFor } from './maps/labels.ts'
import { areaOf, drawn, ringsPath, simplified } from './maps/paths.ts'
import { type MultiPolygon, type Point, territories } from './maps/territories.ts'

/** A country with less land in view, in square units, is a square. */
const LEAST_LAND = 16
const LEAST_ISLAND = 11
/** Names are as large as a phone needs, where the map is about half its size. */
const LETTER = 12.5
const LINE = 28
const MAX_NAMES = 24

interface Frame {
  width: number
  height: number
  /** West, south, east, north. */
  box: [number, number, number, number]
  tolerance: number
  hasNames: boolean
}

const WORLD: Frame = { width: 840, height: 378, box: [-168, -56, 190, 78], tolerance: 1.4, hasNames: false }
const region = (...box: Frame['box']): Frame => ({ width: 640, height: 420, box, tolerance: 0.9, hasNames: true })
const FRAMES: Record<Region, Frame> = {
  world: WORLD,
  gulf: region(32, 13, 62, 38),
  asia: region(66, -11, 146, 50),
  europe: region(-24, 35, 42, 68),
  africa: region(-26, -35, 58, 37),
  americas: region(-128, -54, -34, 56),
  pacific: region(112, -47, 232, 22),
}

const countries: Country[] = JSON.parse(readFileSync('shared/countries/countries.json', 'utf8'))
const coarse = territories('110m').shapes
const medium = territories('50m').shapes

const views = Object.fromEntries(Object.entries(FRAMES).map(([name, frame]) => [name, viewOf(frame)]))
writeFileSync(
  'web/advisories/map/views.json',
  `{\n${Object.entries(views)
    .map(([name, view]) => `  "${name}": ${JSON.stringify(view)}`)
    .join(',\n')}\n}\n`,
)

function viewOf(frame: Frame): MapView {
  const projection = projectionOf(frame)
  const shapes = frame === FRAMES.world ? coarse : medium
  const inFrame = { x0: 0, y0: 0, x1: frame.width, y1: frame.height }
  const paths: Record<string, string> = {}
  const names: Record<string, Point> = {}
  const small: { code: string; at: Point }[] = []
  const taken: Box[] = []
  const land = countries.map(({ code }) => ({ code, rings: landOf(projection, shapes.get(code)) }))
  for (const { code, rings } of land.toSorted((a, b) => sumOf(b.rings) - sumOf(a.rings))) {
    // Antarctica would take a sixth of the map: a square below stands for it.
    if (code === 'AQ') continue
    if (sumOf(rings) >= LEAST_LAND) {
      const visible = rings.filter((ring, i) => i === largest(rings) || areaOf(ring) >= LEAST_ISLAND)
      paths[code] = ringsPath(visible.map((ring) => simplified(ring, frame.tolerance)))
      const at = frame.hasNames && Object.keys(names).length < MAX_NAMES && nameOn(code, rings, inFrame, taken)
      if (at) names[code] = at
    } else {
      const at = centreOf(projection, code)
      if (at && isWithin(at, inFrame)) small.push({ code, at })
    }
  }
  if (frame === FRAMES.world) small.push({ code: 'AQ', at: [frame.width / 2, frame.height - DOT] })
  return { width: frame.width, height: frame.height, paths, dots: spreadOut(small, inFrame), names }
}

function projectionOf({ width, height, box: [west, south, east, north], hasNames }: Frame): GeoProjection {
  const middle = (west + east) / 2
  const projection = hasNames
    ? geoAzimuthalEqualArea().rotate([-middle, -(south + north) / 2])
    : geoEqualEarth().rotate([-middle, 0])
  const edges: Point[] = [0, 0.25, 0.5, 0.75, 1].flatMap((share): Point[] => {
    const lng = west + (east - west) * share
    const lat = south + (north - south) * share
    return [
      [lng, south],
      [lng, north],
      [west, lat],
      [east, lat],
    ]
  })
  const outline = { type: 'MultiPoint', coordinates: edges.map(([lng, lat]) => [((lng + 540) % 360) - 180, lat]) }
  return projection
    .fitSize([width, height], (hasNames ? outline : inner(west, south, east, north)) as never)
    .clipExtent([
      [-1, -1],
      [width + 1, height + 1],
    ])
    .precision(0.5)
}

/** The frame of the world along its widest and highest lines: its corners lie outside of the projection's oval. */
function inner(west: number, south: number, east: number, north: number) {
  const middle = (west + east) / 2
  const at = (lng: number, lat: number) => [((lng + 540) % 360) - 180, lat]
  return { type: 'MultiPoint', coordinates: [at(west, 0), at(east, 0), at(middle, south), at(middle, north)] }
}

function landOf(projection: GeoProjection, shape: MultiPolygon | undefined): Point[][] {
  return shape ? drawn(projection, shape).filter((ring) => ring.length > 3) : []
}

function sumOf(rings: readonly Point[][]): number {
  return rings.reduce((sum, ring) => sum + areaOf(ring), 0)
}

function largest(rings: readonly Point[][]): number {
  return rings.reduce((best, ring, i) => (areaOf(ring) > areaOf(rings[best]!) ? i : best), 0)
}

function centreOf(projection: GeoProjection, code: string): Point | undefined {
  const { latitude, longitude } = countries.find((country) => country.code === code)!.coordinates
  return (projection([longitude, latitude]) as Point | null) ?? undefined
}

function isWithin([x, y]: Point, { x0, y0, x1, y1 }: Box): boolean {
  return x > x0 + DOT && x < x1 - DOT && y > y0 + DOT && y < y1 - DOT
}

function nameOn(code: string, rings: readonly Point[][], frame: Box, taken: Box[]): Point | undefined {
  const { name, names } = countries.find((country) => country.code === code)!
  const width = Math.max(...[name, names.ar, names.tl ?? ''].map((text) => text.length)) * LETTER
  const at = placeFor(rings, { width, height: LINE, frame, taken })
  if (!at) return undefined
  taken.push(boxAt(at, width, LINE))
  return [Math.round(at[0]), Math.round(at[1])]
}

/** Squares that would cover one another move apart, each as little as possible. */
function spreadOut(small: readonly { code: string; at: Point }[], frame: Box): Record<string, Point> {
  const placed: Record<string, Point> = {}
  for (const { code, at } of small) {
    const spots = offsets().map(([dx, dy]): Point => [Math.round(at[0] + dx), Math.round(at[1] + dy)])
    const isFree = ([x, y]: Point) =>
      isWithin([x, y], frame) &&
      Object.values(placed).every(([px, py]) => Math.abs(px - x) > DOT || Math.abs(py - y) > DOT)
    placed[code] = spots.find(isFree) ?? spots[0]!
  }
  return placed
}

/** From the middle outwards. */
function offsets(): Point[] {
  const steps = Array.from({ length: 13 }, (_, i) => (i - 6) * 4)
  return steps.flatMap((x) => steps.map((y): Point => [x, y])).sort((a, b) => Math.hypot(...a) - Math.hypot(...b))
}
