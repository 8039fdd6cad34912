import { createRequire } from 'node:module'

type Coder = typeof import('@rapideditor/country-coder')

const require = createRequire(import.meta.url)
let coder: Coder | undefined
/** The borders take a fifth of a second and 20 MB: a process that asks for no point goes without. */
const borders = () => (coder ??= require('@rapideditor/country-coder') as Coder)

/** Half the side of the box in which a border counts as near. */
const NEAR_KM = 5
const KM_PER_DEGREE = 111.2
const NORTHERN_CYPRUS = 'Q23681'

/**
 * Countries that each have, or claim, land the borders give to the other. Who names the one for a point in the other has
 * not made a slip.
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

/** The ISO 3166-1 code of the country or territory in whose borders or waters the point lies; null on the high sea. */
export function countryAt(latitude: number, longitude: number): string | null {
  const at: [number, number] = [inRange(longitude), latitude]
  const named = borders().feature(at, { level: 'territory', withProp: 'iso1A2' })?.properties
  if (named) return (named.isoStatus === 'excRes' ? named.country : named.iso1A2) ?? null
  return borders().feature(at)?.properties.wikidata === NORTHERN_CYPRUS ? 'CY' : null
}

/** Whether somebody can well mean `country` at a point: there, near the border, in a part of it, or disputed land. */
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

/** The border of the map at 180 degrees belongs to the west, where the data have it. */
const inRange = (longitude: number) => (longitude === 180 ? -180 : longitude)
