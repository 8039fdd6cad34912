import * as z from 'zod'
import { MAX_COLUMNS } from '#shared/imports/limits.ts'
import { fileProblem } from './table.ts'

type Item = Record<string, unknown>

const Position = z.tuple([z.number(), z.number()]).rest(z.unknown())
const GeoJson = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      id: z.union([z.string(), z.number()]).optional(),
      properties: z.record(z.string(), z.unknown()).nullable(),
      geometry: z.object({ type: z.string(), coordinates: z.unknown() }).nullish(),
    }),
  ),
})
const Overpass = z.object({
  elements: z.array(
    z.object({
      type: z.string(),
      id: z.number(),
      lat: z.number().optional(),
      lon: z.number().optional(),
      center: z.object({ lat: z.number(), lon: z.number() }).optional(),
      tags: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
})
const Items = z.array(z.record(z.string(), z.unknown()))

/** Records from JSON: GeoJSON, a response of OpenStreetMap's Overpass API, or a plain list of objects. */
export async function* jsonLines(bytes: Uint8Array): AsyncGenerator<string[]> {
  const items = itemsOf(parsed(bytes)).map((item) => withStreet(flat(item)))
  if (items.length === 0) throw fileProblem('no_rows', 'The file has no rows.')
  const columns = columnsOf(items)
  yield columns
  for (const item of items) yield columns.map((column) => item.get(column) ?? '')
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw fileProblem('cut_off', 'The file is not valid JSON. It may not have been transferred whole.')
  }
}

function itemsOf(document: unknown): Item[] {
  const geo = GeoJson.safeParse(document)
  if (geo.success)
    return geo.data.features.map(({ id, properties, geometry }) => ({
      id: id ?? properties?.['@id'],
      ...pointOf(geometry?.coordinates),
      ...properties,
    }))
  const overpass = Overpass.safeParse(document)
  if (overpass.success)
    return overpass.data.elements.map(({ type, id, lat, lon, center, tags }) => ({
      id: `${type}/${id}`,
      latitude: lat ?? center?.lat,
      longitude: lon ?? center?.lon,
      ...tags,
    }))
  const list = Items.safeParse(document)
  if (list.success) return list.data
  throw fileProblem('unreadable', 'This JSON is neither GeoJSON nor an answer of OpenStreetMap nor a list of objects.')
}

/** A point as it is; for an outline, the centre of its bounding box. */
function pointOf(coordinates: unknown): { latitude?: number; longitude?: number } {
  const positions = positionsIn(coordinates)
  if (positions.length === 0) return {}
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2
  return { latitude: middle(positions.map(([, lat]) => lat)), longitude: middle(positions.map(([lng]) => lng)) }
}

function positionsIn(value: unknown, depth = 0): [number, number][] {
  const position = Position.safeParse(value)
  if (position.success) return [[position.data[0], position.data[1]]]
  return Array.isArray(value) && depth < 4
    ? value.slice(0, 10_000).flatMap((element) => positionsIn(element, depth + 1))
    : []
}

/** Nested objects are flattened to paths: 'tags_raw.amenity'. */
function flat(item: Item, path = '', depth = 0): Map<string, string> {
  const cells = new Map<string, string>()
  for (const [key, value] of Object.entries(item)) {
    if (value === null || value === undefined || value === '') continue
    if (Array.isArray(value)) cells.set(path + key, value.filter((element) => typeof element !== 'object').join(';'))
    else if (typeof value !== 'object') cells.set(path + key, String(value))
    else if (depth < 3)
      for (const [name, cell] of flat(value as Item, `${path}${key}.`, depth + 1)) cells.set(name, cell)
  }
  return cells
}

/** OpenStreetMap stores house number and street separately. */
function withStreet(cells: Map<string, string>): Map<string, string> {
  const street = cells.get('addr:street')
  if (street) cells.set('addr:street', [cells.get('addr:housenumber'), street].filter(Boolean).join(' '))
  return cells
}

/** The keys that most of the places have, in the order of first occurrence. */
function columnsOf(items: Map<string, string>[]): string[] {
  const uses = new Map<string, number>()
  for (const item of items) for (const key of item.keys()) uses.set(key, (uses.get(key) ?? 0) + 1)
  const topKeys = new Set(
    [...uses]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MAX_COLUMNS)
      .map(([key]) => key),
  )
  return [...uses.keys()].filter((key) => topKeys.has(key))
}
