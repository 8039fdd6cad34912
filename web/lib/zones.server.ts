/** Time zones grouped by region; those without a region come first. */
export function zonesByRegion(): { region: string; zones: string[] }[] {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  const byRegion = Map.groupBy(zones, (zone) => (zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : ''))
  return [...byRegion].map(([region, zones]) => ({ region, zones }))
}
