import countriesFile from '#shared/countries/countries.json' with { type: 'json' }
import { type Country, POPULAR_DESTINATIONS } from '#shared/countries/country.ts'
import foreignNames from '#shared/countries/foreign-names.json' with { type: 'json' }
import type { NameResolver } from './name-resolver.ts'
import { additionOf, bareName, keysOf, type ListItem, nameKey, splitList } from './names.ts'
import { type CountryMatch, indexForSearch, rank } from './ranking.ts'

const COUNTRIES: readonly Country[] = countriesFile

/**
 * Short names that several countries share. They resolve to none, because a warning shown for the wrong country leaves
 * the right one looking safe; a source that means one of them always gets an alias of its own (see createCountries).
 * Search offers all of them.
 */
export const SHARED_NAMES: Record<string, string[]> = {
  Korea: ['KR', 'KP'],
  Corée: ['KR', 'KP'],
  كوريا: ['KR', 'KP'],
  Congo: ['CG', 'CD'],
  Kongo: ['CG', 'CD'],
  الكونغو: ['CG', 'CD'],
  'Virgin Islands': ['VI', 'VG'],
  Jungferninseln: ['VI', 'VG'],
  'Îles Vierges': ['VI', 'VG'],
  'جزر العذراء': ['VI', 'VG'],
  Guiana: ['GF', 'GY'],
  'سانت مارتن': ['MF', 'SX'],
}

/** Names of several countries together. */
const GROUPS = new Map(
  Object.entries({
    'French West Indies': ['BL', 'GP', 'MF', 'MQ'],
    'French Antilles': ['BL', 'GP', 'MF', 'MQ'],
    'Netherlands Antilles': ['BQ', 'CW', 'SX'],
    'Channel Islands': ['GG', 'JE'],
    // Only needed where it comes from an address and so without commas.
    'Cook Islands Tokelau and Niue': ['CK', 'TK', 'NU'],
  }).map(([name, codes]) => [nameKey(name), codes]),
)

// "Pitcairn, Henderson, Ducie and Oeno Islands" has four; the limit keeps parsing a very long list fast.
const MAX_PARTS = 6

/** An additional name of a country. */
export interface Alias {
  alias: string
  code: string
}

/** The country reference: find by code, resolve external names, search user input. */
export interface Countries extends NameResolver {
  /** The entry of an ISO code in either case, or undefined. */
  find(code: string): Country | undefined
  /** Every entry, in the order of the English names. */
  all(): readonly Country[]
  /** Best matches first, popular destinations first among equal scores; everything for an empty text. */
  search(text: string, limit?: number): CountryMatch[]
}

/**
 * Builds the reference with an administrator's aliases on top of its own. Such an alias may decide a shared name
 * ("Congo"), but not take a name away from another country: that throws, as does an unknown code.
 */
export function createCountries(aliases: readonly Alias[] = []): Countries {
  const byCode = new Map(COUNTRIES.map((country) => [country.code, country]))
  const codes = indexNames(aliases)
  const searchables = indexForSearch(COUNTRIES, foreignNames, [...aliases, ...sharedAliases()], POPULAR_DESTINATIONS)
  const sorted = COUNTRIES.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))

  function resolve(name: string): string | undefined {
    return firstCode(keysOf(name)) ?? firstCode(keysOf(additionOf(name)))
  }

  function firstCode(keys: string[]): string | undefined {
    return codes.get(keys.find((key) => codes.has(key)) ?? '')
  }

  function resolveAll(text: string): { codes: string[]; unresolved: string[] } {
    const items = splitList(spacedSlug(bareName(text)))
    const found = new Set<string>()
    const unresolved: string[] = []
    // The longest run of parts that is a name wins: "Trinidad and Tobago and Grenada" is two countries.
    for (let start = 0; start < items.length; ) {
      let end = Math.min(start + MAX_PARTS, items.length)
      while (end > start && !isName(items.slice(start, end))) end--
      // No run starts here: the part itself is unresolved.
      if (end === start) unresolved.push(...items.slice(start, start + 1).map(({ text }) => text))
      else for (const code of codesOf(items.slice(start, end))) found.add(code)
      start = Math.max(start + 1, end)
    }
    return { codes: [...found], unresolved }
  }

  /** "Hong Kong, China" names one place, yet a list may mean both, and leaving China out would be worse. */
  function isName(run: ListItem[]): boolean {
    const isList = run.slice(1).some(({ joint }) => joint.includes(',')) && run.every(({ text }) => resolve(text))
    return !isList && codesOf(run).length > 0
  }

  function codesOf(run: ListItem[]): string[] {
    const name = joined(run)
    // In "Korea and Congo (DRC)" the parentheses refer to the last part only.
    const code = run.length > 1 ? firstCode(keysOf(name)) : resolve(name)
    return code ? [code] : (GROUPS.get(nameKey(name)) ?? [])
  }

  return {
    resolve,
    resolveAll,
    nameOf: (code) => byCode.get(code.toUpperCase())?.name ?? code,
    find: (code) => byCode.get(code.toUpperCase()),
    all: () => sorted,
    search: (text, limit = 20) => rank(searchables, text).slice(0, limit),
  }
}

/** Name key to code. Throws when two countries share a name that SHARED_NAMES does not list. */
function indexNames(aliases: readonly Alias[]): Map<string, string> {
  const known = new Set(COUNTRIES.map(({ code }) => code))
  const shared = new Set(Object.keys(SHARED_NAMES).map(nameKey))
  const index = new Map<string, string>()
  const add = (name: string, code: string) => {
    const key = nameKey(name)
    const owner = index.get(key) ?? code
    if (key === '') throw new Error(`The alias "${name}" of ${code} has no letters`)
    if (!known.has(code)) throw new Error(`The alias "${name}" is for ${code}, which is no country code`)
    if (owner !== code) throw new Error(`"${name}" names both ${owner} and ${code}`)
    index.set(key, code)
  }
  const own = COUNTRIES.flatMap(({ code, name, fullName, names, localNames, aliases }) =>
    [name, fullName, names.ar, ...localNames, ...aliases].map((name) => ({ name, code })),
  )
  const foreign = Object.values(foreignNames).flatMap((names) =>
    Object.entries(names).map(([name, code]) => ({ name, code })),
  )
  for (const { name, code } of [...own, ...foreign]) if (!shared.has(nameKey(name))) add(name, code)
  for (const { alias, code } of aliases) add(alias, code)
  return index
}

function sharedAliases(): Alias[] {
  return Object.entries(SHARED_NAMES).flatMap(([alias, codes]) => codes.map((code) => ({ alias, code })))
}

function joined(run: ListItem[]): string {
  return run.map(({ text, joint }, index) => (index === 0 ? text : joint + text)).join('')
}

/** "cook-islands-tokelau-and-niue", the last segment of a page's address, as words. */
function spacedSlug(text: string): string {
  return /^[a-z0-9]+(-[a-z0-9]+)+$/.test(text) ? text.replaceAll('-', ' ') : text
}
