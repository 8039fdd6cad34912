import type { Updateable } from 'kysely'
import zoneAt from 'tz-lookup'
import { countryAt, isPlausible } from '#server/countries/borders.ts'
import type { Countries } from '#server/countries/reference.ts'
import { invalid } from '#server/db/records.ts'
import type { LocalesTable } from '#server/db/tables-churches.ts'
import type { LocaleFields } from '#shared/churches/entry.ts'
import { misplacedText } from '#shared/churches/misplaced.ts'
import type { LocaleRow } from '../projection.ts'
import { contactOf } from './contact.ts'

/**
 * The fields to write, for a new locale or an existing one, with the fields derived from them. Fields that depend on
 * each other are validated in their resulting state; unchanged fields from imports are not rejected.
 */
export function rowOfEntry(
  fields: LocaleFields,
  existing: LocaleRow | undefined,
  countries: Pick<Countries, 'find'>,
): Updateable<LocalesTable> {
  const input = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as LocaleFields
  const is = { ...existing, ...input }
  const problems: Record<string, string> = pointProblems(is)
  const moves = Object.keys(problems).length === 0 && isMoved(is, existing)
  if (moves && !is.country_code) input.country_code = is.country_code = countryOfPoint(is)
  const country = is.country_code ?? null
  if (input.country_code && !countries.find(input.country_code)) problems.country_code = 'Choose a country'
  else if (moves) Object.assign(problems, placeProblems(is, countries))
  const { phone, problems: contact } = contactOf(input, existing, country)
  Object.assign(problems, contact, closureProblems(is))
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const row = { ...input, ...(input.phone === undefined ? {} : { phone: phone ?? null }) } as Updateable<LocalesTable>
  if (input.languages) row.languages = [...new Set(input.languages)]
  if (!is.timezone && is.latitude != null && is.longitude != null) row.timezone = zoneAt(is.latitude, is.longitude)
  return row
}

type Point = { latitude?: number | null | undefined; longitude?: number | null | undefined }

export function pointProblems({ latitude, longitude }: Point): Record<string, string> {
  // Latitude 0 is a real place: compare with null.
  if (latitude == null && longitude != null) return { latitude: 'Enter both coordinates or neither' }
  if (latitude != null && longitude == null) return { longitude: 'Enter both coordinates or neither' }
  if (latitude === 0 && longitude === 0)
    return { latitude: 'Coordinates 0, 0 are in the sea. Leave both empty if you do not know the place.' }
  return {}
}

interface Place extends Point {
  country_code?: string | null | undefined
}

/** Whether the locale is new, or its country or point changes: existing values do not block other changes. */
export const isMoved = (is: Place, before: Place | undefined): boolean =>
  !before || (['country_code', 'latitude', 'longitude'] as const).some((name) => (is[name] ?? null) !== before[name])

/** A point outside the locale's country, unless it is near the border or the area is disputed. */
export function placeProblems(is: Place, countries: Pick<Countries, 'find'>): Record<string, string> {
  const { country_code, latitude, longitude } = is
  const lies = countryOfPoint(is)
  if (!country_code || !lies || latitude == null || longitude == null) return {}
  if (isPlausible(country_code, latitude, longitude)) return {}
  const nameOf = (code: string) => countries.find(code)?.name ?? code
  return { country_code: misplacedText(nameOf(lies), nameOf(country_code)) }
}

export const countryOfPoint = ({ latitude, longitude }: Point): string | null =>
  latitude == null || longitude == null ? null : countryAt(latitude, longitude)

type Closure = { closed_since?: string | null | undefined; closed_until?: string | null | undefined }

function closureProblems({ closed_since, closed_until }: Closure): Record<string, string> {
  if (!closed_until) return {}
  if (!closed_since) return { closed_since: 'Enter the first day too' }
  return closed_until < closed_since ? { closed_until: 'End must be after start' } : {}
}
