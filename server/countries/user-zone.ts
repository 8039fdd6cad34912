import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { timeZoneOf } from '#shared/accounts/time-zone.ts'
import countries from '#shared/countries/countries.json' with { type: 'json' }

// The main zone of a country is first: most of its people live in it.
const MAIN_ZONES = new Map(countries.map(({ code, timeZones }) => [code, timeZones[0]]))

/** The zone in which most people of a country live. */
export const mainZoneOf = (country: string | null | undefined): string | undefined =>
  country ? MAIN_ZONES.get(country) : undefined

const known = new Map<string, boolean>()

/** Cached, since bulk sends look up the same few zones and the runtime is slow to create one. */
function isKnown(zone: string): boolean {
  const found = known.get(zone) ?? timeZoneOf(zone) !== undefined
  if (known.size < MAX_KNOWN) known.set(zone, found)
  return found
}
const MAX_KNOWN = 1_000

interface Whereabouts {
  time_zone: string | null
  country_code: string | null
  phone?: string | null
}

/**
 * The time zone of a user: their own, else that of their country, else that of the phone number's country, else
 * `otherwise`, the portal's. UTC applies only if chosen.
 */
export function userZone({ time_zone, country_code, phone }: Whereabouts, otherwise: string): string {
  if (time_zone && isKnown(time_zone)) return time_zone
  const ofCountry = mainZoneOf(country_code)
  if (ofCountry) return ofCountry
  return (phone && mainZoneOf(parsePhoneNumberFromString(phone)?.country)) || otherwise
}
