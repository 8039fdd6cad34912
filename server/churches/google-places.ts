import type { FoundPlace } from '#shared/churches/places.ts'
import { AppError } from '#shared/errors.ts'

export interface GooglePlaces {
  key: string
  /** Google's address, or that of a local fake. */
  url: string
}

const TIME_LIMIT_MS = 5_000
/** Fields not listed here are neither sent nor billed. */
const FIELDS = [
  'places.id',
  'places.displayName',
  'places.formattedAddress',
  'places.location',
  'places.internationalPhoneNumber',
  'places.websiteUri',
  'places.googleMapsUri',
].join(',')

/** The Places API (New) response of `places:searchText`; every field may be missing. */
interface Answer {
  places?: {
    id: string
    displayName?: { text?: string }
    formattedAddress?: string
    location?: { latitude?: number; longitude?: number }
    internationalPhoneNumber?: string
    websiteUri?: string
    googleMapsUri?: string
  }[]
}

/** Searches Google for places of a type by text. */
export async function searchGoogle(
  { key, url }: GooglePlaces,
  { query, type, limit }: { query: string; type: string; limit: number },
  timeLimitMs = TIME_LIMIT_MS,
): Promise<FoundPlace[]> {
  const answer = await ask(url, key, { textQuery: query, includedType: type, pageSize: limit }, timeLimitMs)
  return (answer.places ?? []).slice(0, limit).map((place) => ({
    id: place.id,
    name: place.displayName?.text ?? '',
    address: place.formattedAddress ?? null,
    latitude: place.location?.latitude ?? null,
    longitude: place.location?.longitude ?? null,
    phone: place.internationalPhoneNumber ?? null,
    website: place.websiteUri ?? null,
    url: place.googleMapsUri ?? null,
  }))
}

async function ask(url: string, key: string, body: object, timeLimitMs: number): Promise<Answer> {
  try {
    const response = await fetch(new URL('/v1/places:searchText', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': key, 'x-goog-fieldmask': FIELDS },
      body: JSON.stringify(body),
      // The key is sent to the configured address only.
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimitMs),
    })
    if (!response.ok) throw new Error(`Google answered ${response.status}`)
    return (await response.json()) as Answer
  } catch (error) {
    throw new AppError(503, 'places_unavailable', 'The place search is not responding. Please try again later.', {
      cause: error,
    })
  }
}
