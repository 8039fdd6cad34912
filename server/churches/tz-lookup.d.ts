declare module 'tz-lookup' {
  /** IANA name of the zone at a point; throws outside of -90…90 and -180…180. */
  export default function zoneAt(latitude: number, longitude: number): string
}
