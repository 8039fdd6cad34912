// Writes shared/countries/countries.json and shared/countries/foreign-names.json.
//
//   node scripts/make-countries.ts
//
// Run it after updating world-countries or countries-and-timezones, or after editing country-overrides.ts, then review
// the diff before committing it. Arabic names and time zones also come from the runtime, so use the pinned Node.
import { writeFileSync } from 'node:fs'
import zonePackage from 'countries-and-timezones'
import worldCountries, { type Country as Source } from 'world-countries'
import { keysOf, nameKey } from '../server/countries/names.ts'
import type { Country } from '../shared/countries/country.ts'
import { fold } from '../shared/countries/fold.ts'
import {
  ALIASES,
  ARABIC,
  CORRECTIONS,
  FOREIGN_NAMES,
  MAIN_ZONES,
  NOT_ALIASES,
  RENAMED_ZONES,
} from './country-overrides.ts'

const LANGUAGES = { ar: 'ara', de: 'deu', fr: 'fra' } as const
type Language = keyof typeof LANGUAGES

// The package's types describe its ES module, while Node loads its CommonJS one.
const sources = (worldCountries as unknown as Source[]).toSorted((a, b) => (a.cca2 < b.cca2 ? -1 : 1))
const countries = sources.map(countryFrom)
writeCountries(countries)
writeForeignNames(countries)

function countryFrom(source: Source): Country {
  const code = source.cca2
  const corrected = CORRECTIONS[code] ?? {}
  const name = source.name.common
  const fullName = corrected.fullName ?? source.name.official
  const native = Object.values(source.name.native ?? {}).map(({ common }) => common)
  const localNames = distinct(corrected.localNames ?? native, [name, fullName])
  return {
    code,
    name,
    fullName,
    names: { ar: ARABIC[code] ?? regionName('ar', code), ...(code === 'PH' ? { tl: 'Pilipinas' } : {}) },
    localNames,
    region: corrected.region ?? source.region,
    subregion: corrected.subregion ?? source.subregion,
    flag: flagOf(code),
    capital: corrected.capital ?? source.capital?.[0] ?? '',
    languages: Object.values(source.languages ?? {}),
    currency: currencyOf(corrected.currency ?? Object.keys(source.currencies)[0]),
    timeZones: zonesOf(code),
    coordinates: { latitude: source.latlng[0], longitude: source.latlng[1] },
    aliases: aliasesOf(source, [name, fullName, ...localNames]),
  }
}

function aliasesOf(source: Source, known: string[]): string[] {
  const unwanted = new Set(NOT_ALIASES.map(nameKey))
  const spellings = source.altSpellings.filter(
    (spelling) => spelling !== source.cca2 && !unwanted.has(nameKey(spelling)),
  )
  return withoutVariants([...listed(ALIASES[source.cca2]), ...spellings], known)
}

/** Leaves out variants that resolve anyway: "Micronesia (FSM)", "Korea, Republic of", "The Gambia". */
function withoutVariants(names: string[], known: string[]): string[] {
  const seen = new Set(known.map(nameKey))
  return names.filter((name) => {
    const isNew = !keysOf(name).some((key) => seen.has(key))
    seen.add(nameKey(name))
    return isNew
  })
}

/**
 * The country's own zones under their current names, the main one first. The package merges zones that agree since
 * 1970.
 */
function zonesOf(code: string): string[] {
  const region = new Intl.Locale(`und-${code}`) as Intl.Locale & { getTimeZones(): string[] | undefined }
  const current = zonePackage.getCountry(code as 'PH')?.timezones ?? []
  const zones = (region.getTimeZones() ?? []).map((zone) => {
    const target = zonePackage.getTimezone(zone)?.aliasOf
    return RENAMED_ZONES[zone] ?? (target && current.includes(target) && isRename(zone, target) ? target : zone)
  })
  const main = MAIN_ZONES[code]
  if (!main && zones.length !== 1) throw new Error(`Name the main zone of ${code}: ${zones.join(', ')}`)
  return [...new Set(main ? [main, ...zones] : zones)]
}

/** Asia/Calcutta is an old name of Asia/Kolkata, while Asia/Kuala_Lumpur is not Asia/Singapore. */
function isRename(zone: string, target: string): boolean {
  const renamed =
    /Calcutta|Katmandu|Saigon|Rangoon|Kiev|Godthab|Enderbury|Buenos_Aires|Catamarca|Cordoba|Jujuy|Mendoza|Indianapolis|Louisville/
  return renamed.test(zone) && zone !== target
}

function currencyOf(code: string | undefined): Country['currency'] {
  if (!code) return null
  return { code, name: new Intl.DisplayNames('en', { type: 'currency' }).of(code)! }
}

function writeCountries(list: Country[]): void {
  const lines = list.map((country) => JSON.stringify(country))
  writeFileSync(new URL('../shared/countries/countries.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`)
}

/** Only names not already in the list, and none shared by two countries. */
function writeForeignNames(list: Country[]): void {
  const taken = new Map(list.flatMap((country) => ownNames(country).map((name) => [nameKey(name), country.code])))
  const file: Record<string, Record<string, string>> = {}
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const owners = new Map<string, Set<string>>()
    for (const { code } of list) {
      for (const name of translationsOf(code, language)) {
        const owner = taken.get(nameKey(name)) ?? code
        owners.set(fold(name), (owners.get(fold(name)) ?? new Set([owner])).add(code))
      }
    }
    const unique = [...owners].filter(
      ([name, codes]) => !taken.has(nameKey(name)) && isOneCountry(language, name, codes),
    )
    const sorted = unique.toSorted(([a], [b]) => (a < b ? -1 : 1))
    file[language] = Object.fromEntries(sorted.map(([name, codes]) => [name, [...codes][0]!]))
  }
  const json = JSON.stringify(file, null, 2)
  writeFileSync(new URL('../shared/countries/foreign-names.json', import.meta.url), `${json}\n`)
}

function translationsOf(code: string, language: Language): string[] {
  const { common, official } = sources.find(({ cca2 }) => cca2 === code)!.translations[LANGUAGES[language]] ?? {}
  const names = [...listed(FOREIGN_NAMES[language][code]), common, official, regionName(language, code)]
  return names.filter((name) => name !== undefined)
}

function ownNames({ name, fullName, names, localNames, aliases }: Country): string[] {
  return [name, fullName, names.ar, ...localNames, ...aliases]
}

function isOneCountry(language: Language, name: string, codes: Set<string>): boolean {
  if (codes.size > 1) console.log(`${language}: "${name}" names ${[...codes].join(' and ')}; left out`)
  return codes.size === 1
}

function regionName(language: string, code: string): string {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code)!
}

function flagOf(code: string): string {
  return String.fromCodePoint(...[...code].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65))
}

function listed(names: string | undefined): string[] {
  return names?.split(' | ') ?? []
}

/** The first of each spelling, except those already known. */
function distinct(names: string[], known: string[]): string[] {
  const seen = new Set(known.map(fold))
  return names.filter((name) => !seen.has(fold(name)) && seen.add(fold(name)))
}
