import { distance } from 'fastest-levenshtein'
import Flatbush from 'flatbush'
import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { Fields, RecordIndex } from '#server/imports/adapter.ts'
import { plain } from '#server/imports/cells.ts'
import { fold } from '#shared/countries/fold.ts'
import type { PossibleDuplicate } from '#shared/imports/model.ts'

/** The fields of a locale needed to decide whether a row refers to it. */
export interface KnownLocale {
  id: string
  external_id: string | null
  name: string
  address_line1: string | null
  city: string | null
  country_code: string | null
  latitude: number | null
  longitude: number | null
}
type Described = Partial<Omit<KnownLocale, 'id'>>

const PAGE = 5_000
const NEAR_KM = 0.2
const KM_PER_DEGREE = (Math.PI / 180) * 6371
/** As many as a user will look through. */
const MAX_DUPLICATES_SHOWN = 5

/** All existing locales, by id. */
export async function knownLocales(page: (after: string | null) => Promise<KnownLocale[]>) {
  const byId = new Map<string, KnownLocale>()
  for (let after: string | null = null; ; ) {
    const rows: KnownLocale[] = await page(after)
    for (const row of rows) byId.set(row.id, row)
    if (rows.length < PAGE) break
    after = rows.at(-1)?.id ?? null
  }
  return byId
}

/** Finds the locale a row refers to: by its ids, by its description, or by location. */
export function indexOf(byId: ReadonlyMap<string, KnownLocale>): RecordIndex {
  const all = [...byId.values()]
  const byExternalId = new Map(all.flatMap((row) => (row.external_id ? [[row.external_id, row] as const] : [])))
  const byDescription = Map.groupBy(all, descriptionKey)
  const byNameAndPlace = Map.groupBy(all, nameAndPlaceKey)
  const near = pointsOf(all)

  return {
    has: (id) => byId.has(id),
    byKey: (externalId) => byExternalId.get(externalId)?.id,

    /** The locale with exactly the same description; none if two match or the external ids differ. */
    same(values: Fields) {
      const row: Described = values
      const [only, ...others] = byDescription.get(descriptionKey(row)) ?? []
      const isOther = row.external_id && only?.external_id && row.external_id !== only.external_id
      return descriptionKey(row) === '' || others.length > 0 || isOther ? undefined : only?.id
    },

    /** Nearest first. */
    alike(values: Fields) {
      const row: Described = values
      const key = nameAndPlaceKey(row)
      const namesakes = key === '' ? [] : (byNameAndPlace.get(key) ?? [])
      const found = new Map<string, ProposedLocale>()
      for (const locale of near(row))
        if (alikeNames(locale.name, row.name ?? '')) found.set(locale.id, proposed(locale, row, 'near'))
      for (const locale of namesakes) found.set(locale.id, proposed(locale, row, 'name_and_place'))
      return [...found.values()]
        .sort((a, b) => (a.distance_km ?? Infinity) - (b.distance_km ?? Infinity))
        .slice(0, MAX_DUPLICATES_SHOWN)
    },
  }
}

/** One page of all locales, sorted by id. */
export function knownPage(db: Db, after: string | null): Promise<KnownLocale[]> {
  return db
    .selectFrom('locales')
    .select(['id', 'external_id', 'name', 'address_line1', 'city', 'country_code', 'latitude', 'longitude'])
    .$if(after !== null, (query) => query.where('id', '>', sql<string>`${after}::uuid`))
    .orderBy('id')
    .limit(PAGE)
    .execute()
}

/** Name, city and address unchanged; a name alone is too ambiguous. */
function descriptionKey({ name, city, address_line1 }: Described): string {
  if (!name || !(city || address_line1)) return ''
  return [name, city, address_line1].map((text) => plain(text ?? '')).join('\n')
}

function nameAndPlaceKey({ name, city, country_code }: Described): string {
  return name && city ? [fold(name), fold(city), country_code ?? ''].join('\n') : ''
}

function pointsOf(all: KnownLocale[]) {
  const placed = all.flatMap((locale) => {
    const point = pointOf(locale)
    return point ? [{ locale, point }] : []
  })
  if (placed.length === 0) return () => []
  const index = new Flatbush(placed.length)
  for (const { point } of placed) index.add(point.longitude, point.latitude)
  index.finish()
  return (row: Described): KnownLocale[] => {
    const at = pointOf(row)
    if (!at) return []
    const { latitude, longitude } = at
    const high = NEAR_KM / KM_PER_DEGREE
    // At a pole every longitude is near.
    const wide = Math.min(180, high / Math.max(Math.cos((latitude * Math.PI) / 180), 1e-6))
    // Also on the other side of the 180th meridian.
    const around = [0, 360, -360].flatMap((turn) =>
      index.search(longitude + turn - wide, latitude - high, longitude + turn + wide, latitude + high),
    )
    return [...new Set(around)].flatMap((i) => {
      const found = placed[i]
      return found && kmBetween(found.point, at) <= NEAR_KM ? [found.locale] : []
    })
  }
}

interface Point {
  latitude: number
  longitude: number
}

const pointOf = ({ latitude, longitude }: Described): Point | undefined =>
  typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined

function kmBetween(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  const square =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude)
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(square)))
}

/** Equal except for some letters, or one contained in the other: "Holy Cross" and "Holy Cross Church". */
function alikeNames(a: string, b: string): boolean {
  const [shorter, other] = [fold(a), fold(b)].sort((x, y) => x.length - y.length) as [string, string]
  if (shorter === other) return true
  if (shorter.length >= 4 && other.includes(shorter)) return true
  return distance(shorter, other) <= other.length / 3
}

type ProposedLocale = PossibleDuplicate & { distance_km: number | null }

function proposed(locale: KnownLocale, row: Described, why: string): ProposedLocale {
  const [from, to] = [pointOf(locale), pointOf(row)]
  return {
    record_id: locale.id,
    name: locale.name,
    place: [locale.address_line1, locale.city, locale.country_code].filter(Boolean).join(', '),
    distance_km: from && to ? Math.round(kmBetween(from, to) * 1000) / 1000 : null,
    why,
  }
}
