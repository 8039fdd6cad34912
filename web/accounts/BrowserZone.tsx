import { useSyncExternalStore } from 'react'

const never = () => () => {}
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''

/** The browser's time zone; empty on the server and without scripts, where the country determines it. */
export function BrowserZone() {
  const zone = useSyncExternalStore(never, zoneHere, () => '')
  return <input type="hidden" name="time_zone" value={zone} />
}
