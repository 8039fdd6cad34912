import { useState } from 'react'
import { type Point, rounded } from './search.ts'

const TIMEOUT_MS = 15_000
/** Maximum age of a cached location that is still good enough for directions. */
const OLDEST_MS = 60_000

export type LocationError = 'denied' | 'unavailable' | 'timeout'

/** Gets the device's location; call only on a user action. The location goes into the URL and nowhere else. */
export function useMyLocation(found: (point: Point) => void) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<LocationError | null>(null)

  function ask() {
    setError(null)
    if (!('geolocation' in navigator)) return setError('unavailable')
    setBusy(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setBusy(false)
        found({ lat: rounded(coords.latitude), lng: rounded(coords.longitude) })
      },
      ({ code, PERMISSION_DENIED, TIMEOUT }) => {
        setBusy(false)
        setError(code === PERMISSION_DENIED ? 'denied' : code === TIMEOUT ? 'timeout' : 'unavailable')
      },
      { timeout: TIMEOUT_MS, maximumAge: OLDEST_MS },
    )
  }

  return { isBusy, error, ask }
}
