import { createRequire } from 'node:module'

type Coder = typeof import('@rapideditor/country-coder')

const require = createRequire(import.meta.url)
let coder: Coder | undefined
/** The borders take 0.2 s and 20 MB to load, hence loaded only when a point is looked up. */
const borders = () => (coder ??= require('@rapideditor/country-coder') as Coder)

/** Half the side of the box within which a border counts as near. */
const NEAR_KM = 5
const KM_PER_DEGREE = 111.2
const NORTHERN_CYPRUS = 'Q23681'

/**
 * Countries that each own, or claim, land the border data assigns to the other. Naming one for a point in the other is
 * not a mistake.
 */
const DISPUTED = [
  'AM AZ',
  'CN IN',
  'CN TW',
  'EH MA',
  'GE RU',
  'IL PS',
  'IL SY',
  'IN PK',
  'RS XK',
  'RU UA',
  'SD SS',
].map((pair) => pair.split(' '))

/** The ISO 3166-1 code of the country or territory whose land or waters contain the point; null on the high seas. */
export function countryAt(latitude: number, longitude: number): string | null {
  const at: [number, number] = [inRange(longitude), latitude]
  const named = borders().feature(at, { level: 'territory', withProp: 'iso1A2' })?.properties
  if (named) return (named.isoStatus === 'excRes' ? named.country : named.iso1A2) ?? null
  return borders().feature(at)?.properties.wikidata === NORTHERN_CYPRUS ? 'CY' : null
}

/** Whether `country` is plausible at a point: there, near the border, in a part of it, or in disputed land. */
export function isPlausible(country: string, latitude: number, longitude: number): boolean {
  const lies = countryAt(latitude, longitude)
  if (lies === null || lies === country) return true
  if (DISPUTED.some((pair) => pair.includes(lies) && pair.includes(country))) return true
  const north = NEAR_KM / KM_PER_DEGREE
  const east = north / Math.max(0.01, Math.cos((latitude * Math.PI) / 180))
  const box = [longitude - east, latitude - north, longitude + east, latitude + north] as [
    number,
    number,
    number,
    number,
  ]
  return borders().iso1A2Codes(box).includes(country)
}

/** The map edge at 180 degrees belongs to the west, as in the data. */
const inRange = (longitude: number) => (longitude === 180 ? -180 : longitude)
