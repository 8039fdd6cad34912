import { type FactModel, isExpired } from '#server/assistant/facts/model.ts'
import { HotlineValue } from '#server/assistant/facts/values.ts'
import { type Fact, HOTLINE_CODES, type HotlineCode } from '#shared/assistant/facts.ts'
import type { EmergencyNumber, Situation } from '#shared/emergency/endpoints.ts'

export const LOCAL_CODES: readonly HotlineCode[] = ['emergency', 'police', 'ambulance', 'fire']
/** Only these help in an emergency of any kind: an ambulance is not the first number. */
export const FIRST_CODES: readonly HotlineCode[] = ['emergency', 'police']
export const MISSION_CODES: readonly HotlineCode[] = ['embassy', 'labour_attache']

/** Kinds of numbers for each situation, by priority: the first that is confirmed. */
export const SITUATION_CODES: Record<Situation, readonly HotlineCode[]> = {
  hurt: ['emergency', 'police'],
  ill: ['ambulance', 'emergency'],
  arrested: ['embassy', 'labour_attache', 'home_government'],
  passport: ['embassy', 'labour_attache', 'migrant_helpline', 'labour_authority', 'home_government'],
  disaster: ['emergency', 'fire', 'police'],
  alone: ['suicide_prevention', 'emergency'],
}

/** Further kinds shown for a situation when they are outdated. */
export const RELATED_CODES: Partial<Record<Situation, readonly HotlineCode[]>> = {
  hurt: ['domestic_violence', 'trafficking'],
}

/** The numbers of a country, or for null those reachable from anywhere, in the order of the codes. */
export function numbersOf(facts: FactModel, country: string | null, now: Date): EmergencyNumber[] {
  return facts
    .list({ kind: 'hotline', country })
    .flatMap((fact) => numberOf(fact, now) ?? [])
    .sort((a, b) => HOTLINE_CODES.indexOf(a.code) - HOTLINE_CODES.indexOf(b.code))
}

function numberOf(fact: Fact, now: Date): EmergencyNumber | undefined {
  const value = HotlineValue.safeParse(fact.value).data
  const code = HOTLINE_CODES.find((known) => known === fact.code)
  if (!value || !code) return undefined
  return {
    record: `fact:${fact.id}`,
    code,
    country_code: fact.country_code,
    phone: value.phone,
    name: value.name,
    hours: value.hours,
    nationality: value.nationality,
    checked_on: fact.checked_on,
    is_expired: isExpired(fact, now),
    source_title: fact.source_title,
    source_url: fact.source_url,
  }
}

/**
 * Numbers of some kinds, in the order of the kinds. Ambulance and fire may share a number and each has its own row;
 * rows that repeat the emergency number, or the same service, are left out.
 */
export function ofCodes(numbers: readonly EmergencyNumber[], codes: readonly HotlineCode[]): EmergencyNumber[] {
  const listed = new Set<string>()
  return codes
    .flatMap((code) => numbers.filter((number) => number.code === code))
    .filter(({ phone, code }) => {
      const digits = phone.replace(/\D/g, '')
      if (listed.has(`emergency ${digits}`) || listed.has(`${code} ${digits}`)) return false
      listed.add(`${code} ${digits}`)
      return true
    })
}
