import { fold } from '#shared/countries/fold.ts'

const PREFIX = 'set:'

/**
 * Identity of a source's standing advice: its set of countries, never its address. Names that resolve to no country
 * count by their folded form. `area` is for a source that lists a part of a country beside the country itself.
 * Undefined when an entry names nothing at all.
 */
export function countrySetId(
  codes: readonly string[],
  unresolved: readonly string[],
  region?: string,
): string | undefined {
  const names = unresolved.map((name) => `~${slug(name)}`)
  const members = [...new Set([...codes.toSorted(), ...names.toSorted()])]
  if (members.length === 0) return undefined
  return `${PREFIX}${members.join('+')}${region ? `/${slug(region)}` : ''}`.slice(0, 300)
}

const slug = (name: string) => fold(name).replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')

/** The part of a country in an id, in the form countrySetId takes; undefined for a whole country. */
export function regionOf(externalId: string): string | undefined {
  return externalId.split('/')[1]
}

/** Whether an external id identifies a country set; events have the ids of their sources. */
export function isCountrySet(externalId: string): boolean {
  return externalId.startsWith(PREFIX)
}

/** Prefix of the ids of rows whose history ended when another row took over their country set. */
export const MERGED = 'merged:'

/** Whether another row took over the countries of this one. */
export function isMerged(externalId: string): boolean {
  return externalId.startsWith(MERGED)
}
