// The land of every entry of the country reference, from world-atlas (Natural Earth, public domain).
import { readFileSync } from 'node:fs'
import { type GeoPermissibleObjects, geoArea, geoCentroid, geoContains, geoDistance } from 'd3-geo'
import { feature, merge, mesh } from 'topojson-client'
import worldCountries from 'world-countries'
import { countryAt } from '../../server/countries/borders.ts'

export type Point = [number, number]
export interface Polygon {
  type: 'Polygon'
  coordinates: Point[][]
}
export interface MultiPolygon {
  type: 'MultiPolygon'
  coordinates: Point[][][]
}

const EARTH_KM = 6371

interface Shape {
  type: string
  id?: string
  arcs: number[][][] | number[][]
  properties: { name: string }
}

/** Areas of Natural Earth without a number of their own, or with the number of another. */
const BY_NAME: Record<string, string> = {
  Kosovo: 'XK',
  Somaliland: 'SO',
  'N. Cyprus': 'CY',
  'Cyprus U.N. Buffer Zone': 'CY',
  Baikonur: 'KZ',
  'USNB Guantanamo Bay': 'CU',
  'Ashmore and Cartier Is.': 'AU',
  'Coral Sea Is.': 'AU',
}

/** A point there. The governments whose advisories the portal shows count it as Ukraine, as the United Nations do. */
const CRIMEA: Point = [34.2, 45.2]

const SAHARA_BORDER: Point[] = [
  [-13.18, 27.6669],
  [-8.67, 27.6669],
]

// The package's types describe its ES module, while Node loads its CommonJS one.
const CODES = new Map(
  (worldCountries as unknown as { ccn3: string; cca2: string }[]).map(({ ccn3, cca2 }) => [ccn3, cca2]),
)
const LISTED = new Set<string>(
  JSON.parse(readFileSync('shared/countries/countries.json', 'utf8')).map(({ code }: { code: string }) => code),
)

export interface Territories {
  /** By country code. */
  shapes: Map<string, MultiPolygon>
  land: MultiPolygon
  /** Lines between two countries, each once. */
  borders: { type: 'MultiLineString'; coordinates: Point[][] }
}

/**
 * One merged shape for each code, and '' for land that no entry of the list owns. The largest piece of a country stays
 * its own; another belongs to whom the portal says it does (`countryAt`), so that the map agrees with the rest: French
 * Guiana, Svalbard and others have no shape of their own in the atlas.
 */
export function territories(scale: '10m' | '50m' | '110m'): Territories {
  const atlas = JSON.parse(readFileSync(`node_modules/world-atlas/countries-${scale}.json`, 'utf8'))
  const owned = new Map<string, Shape[]>()
  for (const shape of atlas.objects.countries.geometries as Shape[]) {
    const named = BY_NAME[shape.properties.name] ?? (shape.id && CODES.get(shape.id)) ?? ''
    const pieces = (shape.type === 'Polygon' ? [shape.arcs] : shape.arcs)
      .map((arcs) => ({ type: 'Polygon', arcs }) as Shape)
      .map((piece) => ({ piece, polygon: wound(feature(atlas, piece).geometry) }))
      .sort((a, b) => geoArea(b.polygon as GeoPermissibleObjects) - geoArea(a.polygon as GeoPermissibleObjects))
    for (const [i, { piece, polygon }] of pieces.entries()) {
      const code = i === 0 && LISTED.has(named) ? named : ownerOf(polygon, named)
      owned.set(code, [...(owned.get(code) ?? []), piece])
    }
  }
  // The atlas divides Western Sahara by the line of control, the list of countries by its border in the north.
  const sahara = [...(owned.get('MA') ?? []), ...(owned.get('EH') ?? [])]
  owned.delete('EH')
  owned.set('MA', sahara)
  const whole = [...owned.values()].map((shapes) => ({
    type: 'MultiPolygon',
    arcs: shapes.map(({ arcs }) => arcs as number[][]),
  }))
  const shapes = new Map([...owned].map(([code, shapes]) => [code, allWound(merge(atlas, shapes))]))
  const borders = mesh(atlas, { type: 'GeometryCollection', geometries: whole }, (a: object, b: object) => a !== b)
  const both = shapes.get('MA')!
  return {
    shapes: shapes.set('MA', partOf(both, 1)).set('EH', partOf(both, -1)),
    land: allWound(merge(atlas, whole)),
    borders: { ...borders, coordinates: [...borders.coordinates, SAHARA_BORDER] },
  }
}

/** The part of a shape north (1) or south (-1) of the border (Sutherland–Hodgman). */
function partOf({ coordinates }: MultiPolygon, side: 1 | -1): MultiPolygon {
  const border = SAHARA_BORDER[0]![1]
  const isInside = ([, lat]: Point) => (lat - border) * side >= 0
  const clipped = (ring: Point[]) =>
    ring.slice(1).flatMap((point, i): Point[] => {
      const before = ring[i]!
      const share = (border - before[1]) / (point[1] - before[1])
      const crossing: Point = [before[0] + share * (point[0] - before[0]), border]
      if (isInside(point)) return isInside(before) ? [point] : [crossing, point]
      return isInside(before) ? [crossing] : []
    })
  const parts = coordinates.map((rings) => rings.map(clipped).filter((ring) => ring.length > 2))
  return {
    type: 'MultiPolygon',
    coordinates: parts.filter((rings) => rings.length > 0).map((rings) => rings.map((ring) => [...ring, ring[0]!])),
  }
}

function ownerOf(piece: Polygon, named: string): string {
  if (geoContains(piece as GeoPermissibleObjects, CRIMEA)) return 'UA'
  const inside = pointIn(piece)
  const found = inside && countryAt(inside[1], inside[0])
  return found && LISTED.has(found) ? found : LISTED.has(named) ? named : ''
}

/** In the atlas the rings of a few tiny islands run the other way, which would make them the rest of the world. */
function wound(polygon: Polygon): Polygon {
  if (geoArea(polygon as GeoPermissibleObjects) < 2 * Math.PI) return polygon
  return { ...polygon, coordinates: polygon.coordinates.map((ring) => ring.toReversed()) }
}

function allWound(shape: MultiPolygon): MultiPolygon {
  const each = shape.coordinates.map((coordinates) => wound({ type: 'Polygon', coordinates }).coordinates)
  return { ...shape, coordinates: each }
}

/** A point on the land of a piece; undefined for a sliver or bow, whose name in the atlas then decides. */
function pointIn(piece: Polygon): Point | undefined {
  const centre = geoCentroid(piece as GeoPermissibleObjects) as Point
  return geoContains(piece as GeoPermissibleObjects, centre) ? centre : undefined
}

export interface Piece {
  polygon: Polygon
  centre: Point
  radiusKm: number
  areaKm2: number
}

/** The separate pieces of land of a shape, the largest first. */
export function piecesOf({ coordinates }: MultiPolygon): Piece[] {
  return coordinates
    .map((rings) => {
      const polygon: Polygon = { type: 'Polygon', coordinates: rings }
      const centre = geoCentroid(polygon as GeoPermissibleObjects) as Point
      const radiusKm = Math.max(...rings[0]!.map((point) => kmBetween(centre, point)))
      return { polygon, centre, radiusKm, areaKm2: geoArea(polygon as GeoPermissibleObjects) * EARTH_KM ** 2 }
    })
    .sort((a, b) => b.areaKm2 - a.areaKm2)
}

/** Great-circle distance. */
export const kmBetween = (a: Point, b: Point) => geoDistance(a, b) * EARTH_KM
