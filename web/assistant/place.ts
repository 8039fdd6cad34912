/** 000 §9. */
const TIMEOUT_MS = 5_000
const OLDEST_MS = 300_000

export interface Place {
  latitude: number
  longitude: number
}

/** What is used of the browser's Geolocation. */
export interface Locating {
  getCurrentPosition(
    found: (position: { coords: Pick<GeolocationCoordinates, 'latitude' | 'longitude'> }) => void,
    failed: (error: Pick<GeolocationPositionError, 'code' | 'PERMISSION_DENIED' | 'TIMEOUT'>) => void,
    options: PositionOptions,
  ): void
}

export type PlaceError = 'denied' | 'unavailable' | 'timeout'

/** Gets the device's location; call only on a user action. Rejects with a PlaceFailure. */
export function findPlace(geolocation: Locating | undefined = navigator.geolocation): Promise<Place> {
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

/** Rounds to about 100 m: precise enough for directions to a church, too coarse to identify a house. */
const rounded = (degrees: number) => Math.round(degrees * 1_000) / 1_000
