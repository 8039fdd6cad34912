import type { NameResolver } from '#server/countries/name-resolver.ts'
import type { FeedItem } from '../feed.ts'
import { plainText } from '../html.ts'
import type { XmlElement } from './xml.ts'

type Places = Pick<FeedItem, 'country_codes' | 'unresolved_countries' | 'affected_regions'>

/**
 * The areas of an alert. CAP has no field for a country, and most area names are districts: Lebanon and Jordan are also
 * counties, Georgia a state. A country is therefore taken only from an ISO code of the area, or from an area that is
 * exactly a country's name. All other areas are listed as unresolved, verbatim.
 */
export function readAreas(areas: XmlElement[], sender: string, countries: NameResolver): Places {
  const byName = Map.groupBy(areas, (area) => plainText(area.textOf('areaDesc')).replaceAll('\n', ' '))
  byName.delete('')
  const codes = new Set<string>()
  const unresolved: string[] = []
  for (const [name, sameName] of byName) {
    const geocodes = sameName.flatMap((area) => area.all('geocode'))
    const found = countriesOf(name, geocodes, homeOf(sender), countries)
    for (const code of found) codes.add(code)
    if (found.length === 0) unresolved.push(name)
  }
  const regions = [...byName.keys()].flatMap((name) => name.split(';')).map((name) => name.trim())
  return {
    country_codes: [...codes],
    unresolved_countries: unresolved,
    affected_regions: [...new Set(regions)].filter((name) => name !== '' && !codes.has(countries.resolve(name) ?? '')),
  }
}

function countriesOf(name: string, geocodes: XmlElement[], home: string | undefined, countries: NameResolver) {
  const byIso = geocodes.flatMap((geocode) => isoCountry(geocode, countries) ?? [])
  if (byIso.length > 0) return byIso
  // Codes of counties, zones and postal districts show that the name is one of those.
  if (geocodes.length > 0 || name.includes('(')) return []
  const code = countries.resolve(name)
  // "Georgia" from an American sender is not the country.
  return code && (home === undefined || home === code) ? [code] : []
}

/** "AU-NSW" in a value named ISO 3166: the first two letters are the country. */
function isoCountry(geocode: XmlElement, countries: NameResolver): string | undefined {
  if (!/iso[ -]?3166|iso\.org\/.*country/i.test(geocode.textOf('valueName'))) return undefined
  const code = /^([A-Z]{2})([-_][A-Z\d]{1,3})?$/.exec(geocode.textOf('value'))?.[1]
  return code && countries.resolve(countries.nameOf(code)) === code ? code : undefined
}

/** The country of the sender's internet domain, if it has one. */
function homeOf(sender: string): string | undefined {
  const host = URL.parse(sender)?.hostname || sender.split('@').at(-1) || ''
  const domain = /\.([a-z]{2,})$/i.exec(host)?.[1]?.toUpperCase() ?? ''
  if (domain === 'GOV' || domain === 'MIL') return 'US'
  if (domain === 'UK') return 'GB'
  // The European Union is not a country, so its senders write for many.
  return domain.length === 2 && domain !== 'EU' ? domain : undefined
}
