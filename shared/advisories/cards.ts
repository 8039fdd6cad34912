import type { Advisory } from './endpoints.ts'
import type { LocalTitle } from './phrases.ts'
import { highestSeverity, type Severity } from './severity.ts'
import { cutAtWord } from './ticker.ts'

const CARD_DESCRIPTION_CHARACTERS = 220
export const CARD_COUNTRIES = 2
const CHIP_CHARACTERS = 12

/** Only the fields a card needs: a page contains fifty of them, twice (as markup and as data). */
export interface AdvisoryCardData extends LocalTitle {
  id: string
  /** Empty when it would only repeat the wording. */
  description: string
  severity_level: Severity
  is_urgent: boolean
  /** Names of the first countries, in the reader's language; the count covers all of them. */
  countries: string[]
  country_count: number
  source_id: string
  /** The source's wording for the level. */
  wording: string
  /** Language of the description and wording; the title may have been translated. */
  language: string
  last_updated: string
  date_precision: 'day' | 'minute'
  /** Why a lower level reported by the source is not accepted yet; null when there is none. */
  pending_reason: Advisory['pending_reason']
  /** Set while the advisory comes only from a snapshot. */
  captured_on: string | null
}

interface Full extends Omit<AdvisoryCardData, 'countries' | 'country_count' | 'wording' | 'title_language'> {
  affected_countries: string[]
  country_codes: string[]
  original_wording: string
}

interface Reader {
  /** Country name in the reader's language, or the source's name if the country was not resolved. */
  nameOf: (code: string, english: string) => string
  titleOf: (advisory: { title: string; language: string }, countries: readonly string[]) => LocalTitle
}

/** Card data of an advisory for one reader. */
export function cardOf(advisory: Full, { nameOf, titleOf }: Reader): AdvisoryCardData {
  const names = countryNames(advisory, nameOf)
  return {
    id: advisory.id,
    ...titleOf(advisory, names),
    description: isWordingOnly(advisory) ? '' : cutAtWord(advisory.description, CARD_DESCRIPTION_CHARACTERS),
    severity_level: advisory.severity_level,
    is_urgent: advisory.is_urgent,
    countries: names.slice(0, CARD_COUNTRIES),
    country_count: names.length,
    source_id: advisory.source_id,
    wording: advisory.original_wording,
    language: advisory.language,
    last_updated: advisory.last_updated,
    date_precision: advisory.date_precision,
    pending_reason: advisory.pending_reason,
    captured_on: advisory.captured_on,
  }
}

/** Some sources describe a level only by its wording, which the card shows anyway. */
const isWordingOnly = ({ description, original_wording }: Full) =>
  description.replace(/[\s.]+$/, '').toLowerCase() === original_wording.toLowerCase()

/** All affected countries in the reader's language, in the advisory's order. */
export function countryNames(
  { affected_countries, country_codes }: { affected_countries: string[]; country_codes: string[] },
  nameOf: Reader['nameOf'],
): string[] {
  return affected_countries.map((english, i) => (country_codes[i] ? nameOf(country_codes[i], english) : english))
}

/** 000 §9: chip names are cut after 12 characters. Counts code points so that no character is split. */
export function chipText(name: string): string {
  const characters = [...name]
  return characters.length <= CHIP_CHARACTERS ? name : `${characters.slice(0, CHIP_CHARACTERS).join('').trimEnd()}…`
}

/** D-05: abbreviates the one long source name; all other names stay unchanged. */
export function shortenSource(name: string, long = 'Department of Foreign Affairs', short = 'DFA'): string {
  return name.trim() === long ? short : name
}

/** 000 §2: an urgent item counts as an emergency; null when there is nothing to show. */
export function bannerSeverity(items: readonly { severity_level: Severity; is_urgent: boolean }[]): Severity | null {
  return highestSeverity(items.map(({ severity_level, is_urgent }) => (is_urgent ? 'emergency' : severity_level)))
}

/** Severities counted by each overview tile (ADV-PAGE-03..06); the total covers all of them. */
export const TILE_LEVELS = {
  total: [],
  critical: ['emergency', 'critical'],
  warnings: ['warning'],
  info: ['caution', 'info'],
} as const satisfies Record<string, readonly Severity[]>
export type Tile = keyof typeof TILE_LEVELS

export function tileCounts(bySeverity: Readonly<Partial<Record<Severity, number>>>): Record<Tile, number> {
  const sum = (levels: readonly Severity[]) => levels.reduce((total, level) => total + (bySeverity[level] ?? 0), 0)
  return {
    total: sum(['emergency', 'critical', 'warning', 'caution', 'info']),
    critical: sum(TILE_LEVELS.critical),
    warnings: sum(TILE_LEVELS.warnings),
    info: sum(TILE_LEVELS.info),
  }
}
