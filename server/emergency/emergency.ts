import type { FactModel } from '#server/assistant/facts/model.ts'
import type { Countries } from '#server/countries/reference.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { type Emergency, type EmergencyNumber, SITUATIONS, type Situation } from '#shared/emergency/endpoints.ts'
import { instructionsFor } from './instructions.ts'
import {
  FIRST_CODES,
  LOCAL_CODES,
  MISSION_CODES,
  numbersOf,
  ofCodes,
  RELATED_CODES,
  SITUATION_CODES,
} from './numbers.ts'
import { officialPages } from './official-pages.ts'

export interface EmergencyDeps {
  facts: FactModel
  settings: SettingsModel
  countries: () => Countries
}

const confirmed = (numbers: readonly EmergencyNumber[]) => numbers.filter(({ is_expired }) => !is_expired)
const expired = (numbers: readonly EmergencyNumber[]) => numbers.filter(({ is_expired }) => is_expired)

/** Emergency numbers and instructions for a country, from memory; null while the country is unknown. */
export function emergencyIn({ facts, settings }: EmergencyDeps, country: string | null, now: Date): Emergency {
  const own = country ? numbersOf(facts, country, now) : []
  const anywhere = numbersOf(facts, null, now)
  const local = ofCodes(confirmed(own), LOCAL_CODES)
  const first = local.find(({ code }) => FIRST_CODES.includes(code)) ?? null
  const missions = ofCodes(confirmed(own), MISSION_CODES)
  const situations = SITUATIONS.map((situation) => ({
    situation,
    steps: instructionsFor(situation, country),
    ...situationNumbers(situation, own, anywhere),
  }))
  const shown = new Set([...local, ...missions, ...situations.flatMap(({ number }) => number ?? [])].map(phoneKey))
  return {
    country,
    first,
    services: local.filter((number) => number !== first),
    local_older: ofCodes(expired(own), LOCAL_CODES),
    missions,
    missions_older: ofCodes(expired(own), MISSION_CODES),
    line: lineIn(settings),
    situations,
    more: confirmed([...own, ...anywhere]).filter((number) => !shown.has(phoneKey(number))),
    pages: officialPages(country ? facts.list({ kind: 'hotline', country }) : []),
  }
}

/** The number to call first in a country, if one is confirmed. */
export function firstNumberOf(facts: FactModel, country: string, now: Date): EmergencyNumber | null {
  return ofCodes(confirmed(numbersOf(facts, country, now)), FIRST_CODES)[0] ?? null
}

const phoneKey = ({ phone }: EmergencyNumber) => phone.replace(/\D/g, '')

function situationNumbers(
  situation: Situation,
  own: readonly EmergencyNumber[],
  anywhere: readonly EmergencyNumber[],
): { number: EmergencyNumber | null; older: EmergencyNumber[] } {
  const codes = SITUATION_CODES[situation]
  // For each kind the country's own number comes before the one reachable from anywhere.
  const number = ofCodes(confirmed([...own, ...anywhere]), codes)[0] ?? null
  return { number, older: ofCodes(expired(own), [...codes, ...(RELATED_CODES[situation] ?? [])]) }
}

/** The ministry's line, if administrators have set one. */
function lineIn(settings: SettingsModel): Emergency['line'] {
  const phone = settings.get('emergency.line_phone')
  if (!phone) return null
  return {
    phone,
    languages: settings.get('emergency.line_languages'),
    from: settings.get('emergency.line_from'),
    until: settings.get('emergency.line_until'),
    time_zone: settings.get('time_zone'),
  }
}

/** The country of a time zone that a single country has. */
export function countryOfZone(countries: Countries, zone: string): string | null {
  const [only, ...others] = countries.all().filter(({ timeZones }) => timeZones.includes(zone))
  return only && others.length === 0 ? only.code : null
}
