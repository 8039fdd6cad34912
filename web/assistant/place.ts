/** 000 §9. */
const TIMEOUT_MS = 5_000
const OLDEST_MS = 300_000

export interface Place {
  latitude: number
  longitude: number
}

export type PlaceError = 'denied' | 'unavailable' | 'timeout'

/** Asks the device where it is, when told to and never before. Rejects with a PlaceFailure. */
export function findPlace(geolocation: Geolocation | undefined = navigator.geolocation): Promise<Place> {
  return new Promise((resolve, reject) => {
    if (!geolocation) return reject('unavailable' satisfies PlaceError)
    geolocation.getCurrentPosition(
      ({ coords }) => resolve({ latitude: rounded(coords.latitude), longitude: rounded(coords.longitude) }),
      ({ code, PERMISSION_DENIED, TIMEOUT }) =>
        reject(
          (code === PERMISSION_DENIED ? 'denied' : code === TIMEOUT ? 'timeout' : 'unavailable') satisfies PlaceError,
        ),
      { timeout: TIMEOUT_MS, maximumAge: OLDEST_MS },
    )
  })
}

/** To about a hundred metres: near enough for the way to a church, and no house. */
const rounded = (degrees: number) => Math.round(degrees * 1_000) / 1_000
