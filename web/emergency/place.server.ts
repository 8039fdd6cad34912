import { getEmergency, getOwnPlace } from '#shared/emergency/endpoints.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { api, attempt, type CallEndpoint, visitorOf } from '#web/lib/visitor.ts'

type Context = Parameters<typeof visitorOf>[0]

export const PLACE_ORIGINS = ['roll_call', 'profile', 'last', 'zone'] as const
export type PlaceOrigin = (typeof PLACE_ORIGINS)[number]

/** A visitor's likely country, and the reason. */
export interface Place {
  country: string
  origin: PlaceOrigin
}

/** A database outage must not delay an emergency page. */
const MAX_WAIT_MS = 1_500

/**
 * The visitor's likely country: open roll call, profile, last choice in this browser, time zone of the device. Never
 * the IP address, nor the browser language: most phones of workers abroad say "US" or "Philippines".
 */
export async function likelyPlace(context: Context, zone: string | null = null): Promise<Place | null> {
  const { user, place } = visitorOf(context)
  const own = user ? await ownPlace(context) : null
  if (own) return own
  if (place && (await isCountry(context, place))) return { country: place, origin: 'last' }
  const { done } = zone
    ? await attempt(context, (call) => call(getEmergency, { query: { zone } }))
    : { done: undefined }
  return done?.country ? { country: done.country, origin: 'zone' } : null
}

function ownPlace(context: Context): Promise<Place | null> {
  const found = attempt(context, (call) => call(getOwnPlace)).then(
    ({ done }) => (done?.country_code && done.source ? { country: done.country_code, origin: done.source } : null),
    () => null,
  )
  return inTime(found, null)
}

/** The database result, or the fallback on a timeout. */
export async function inTime<T>(wanted: Promise<T>, otherwise: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), MAX_WAIT_MS)
  })
  const result = await Promise.race([wanted, late])
  clearTimeout(timer)
  return result
}

const isCountry = async (context: Context, country: string): Promise<boolean> =>
  (await attempt(context, (call) => call(getEmergency, { query: { country } }))).done !== undefined

/** The number to call first, as other pages show it. */
export interface FirstCall {
  country: string
  name: string
  phone: string
  code: 'emergency' | 'police'
  origin: PlaceOrigin | null
}

/** The confirmed number to call first in a country; null if none is confirmed. */
export function firstCallIn(context: Context, country: string, named: Named): Promise<FirstCall | null> {
  return firstCall(api(context), country, named)
}

interface Named {
  name: string
  origin?: PlaceOrigin | null
}

/** The same for loaders that have the API only. */
export async function firstCall(
  call: CallEndpoint,
  country: string,
  { name, origin = null }: Named,
): Promise<FirstCall | null> {
  const { first } = await call(getEmergency, { query: { country } })
  return first ? { country, name, phone: first.phone, code: first.code as FirstCall['code'], origin } : null
}

/** Data of the strip on other pages: the number of the visitor's likely country. */
export async function likelyCall(context: Context): Promise<FirstCall | null> {
  const place = await likelyPlace(context)
  if (!place) return null
  const name = nameIn(visitorOf(context).language)(place.country)
  return firstCallIn(context, place.country, { name, origin: place.origin })
}
