import countries from '#shared/countries/countries.json' with { type: 'json' }

const ZONES = new Map(countries.map(({ code, timeZones }) => [code, timeZones]))

/** A zone of the country, if all its clocks agree now; null where "there" would have several answers. */
export function localZone(country: string | null, now: Date): string | null {
  const zones = country ? (ZONES.get(country) ?? []) : []
  const clocks = new Set(zones.map((zone) => clockIn(zone, now)))
  return clocks.size === 1 ? (zones[0] ?? null) : null
}

const formats = new Map<string, Intl.DateTimeFormat>()

function clockIn(zone: string, now: Date): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    formats.set(zone, format)
  }
  return format.format(now)
}
