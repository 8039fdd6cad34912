import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import timeZoneAt from 'tz-lookup'
import type { Countries } from '#server/countries/reference.ts'
import { shortened } from '#server/imports/cells.ts'
import type { ImportField } from '#shared/churches/import-fields.ts'
import type { RowProblem } from '#shared/imports/model.ts'

const LONGEST_PHONE = 40

/** A point in the file, or why there is none. Latitude 0 is a real place; 0,0 stands for a missing point. */
export function pointOf(
  latitude: string | undefined,
  longitude: string | undefined,
): { point?: [number, number]; problem?: RowProblem } {
  if (latitude === undefined && longitude === undefined) return {}
  if (latitude === undefined || longitude === undefined) return { problem: { code: 'half_point' } }
  const lat = numberOf('latitude', latitude, 90)
  const lng = numberOf('longitude', longitude, 180)
  if (lat.value === undefined || lng.value === undefined) return { problem: lat.problem ?? lng.problem }
  if (lat.value === 0 && lng.value === 0) return { problem: { code: 'zero_point' } }
  return { point: [lat.value, lng.value] }
}

function numberOf(field: ImportField, text: string, max: number): { value?: number; problem?: RowProblem } {
  const digits = text.replace(/^([+-]?\d+),(\d+)$/, '$1.$2').replace(/[°\s]+$/, '')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits))
    return { problem: { code: 'not_a_number', field, value: shortened(text) } }
  // No negative zero: it is the same place, and PostgreSQL would return it as another value.
  const value = Number(digits) + 0
  if (!(Math.abs(value) <= max)) return { problem: { code: 'out_of_range', field, value: shortened(text) } }
  return { value }
}

export const timeZoneOf = ([latitude, longitude]: [number, number]): string => timeZoneAt(latitude, longitude)

/**
 * The country of a row. Its name takes precedence: 'NA' in the code column is Namibia beside "Namibia", and missing
 * where the file uses NA for unknown values.
 */
export function createCountryReader(countries: Countries, missing: ReadonlySet<string>) {
  const known = new Map<string, string | undefined>()
  const resolve = (name: string) => {
    if (!known.has(name)) known.set(name, codeOf(countries, name))
    return known.get(name)
  }
  return (input: {
    country?: string | undefined
    code?: string | undefined
  }): { code?: string; problem?: RowProblem } => {
    const name = isMissing(input.country, missing) ? undefined : input.country
    const codeText = input.code && !isMissing(input.code, missing) ? input.code : undefined
    const byName = name === undefined ? undefined : resolve(name)
    const byCode = codeText === undefined ? undefined : resolve(codeText)
    if (byName && byCode && byName !== byCode)
      return {
        code: byName,
        problem: { code: 'country_differs', field: 'country_code', value: shortened(codeText ?? '') },
      }
    const code = byName ?? byCode
    if (code) return { code }
    const text = name ?? codeText
    return text === undefined ? {} : { problem: { code: 'country_unknown', value: shortened(text) } }
  }
}

const isMissing = (text: string | undefined, missing: ReadonlySet<string>) =>
  text === undefined || text === '' || missing.has(text)

function codeOf(countries: Countries, text: string): string | undefined {
  return (/^[a-z]{2}$/i.test(text) ? countries.find(text)?.code : undefined) ?? countries.resolve(text)
}

/** A telephone number in international form if it is valid in its country; otherwise unchanged, with a problem. */
export function phoneOf(text: string, country: string | null): { value?: string; problem?: RowProblem } {
  const number = parsed(text, country)
  if (number) return { value: number }
  if (text.length > LONGEST_PHONE) return { problem: { code: 'too_long', field: 'phone', value: shortened(text) } }
  return { value: text, problem: { code: 'phone_unverified', field: 'phone', value: text } }
}

function parsed(text: string, country: string | null): string | undefined {
  const home = country && isSupportedCountry(country) ? (country as CountryCode) : undefined
  const own = parsePhoneNumberFromString(text, home ? { defaultCountry: home, extract: false } : { extract: false })
  if (own?.isValid()) return own.formatInternational()
  // Many files omit the plus sign before the country code.
  const digits = text.replace(/\D/g, '')
  const abroad = parsePhoneNumberFromString(`+${digits}`, { extract: false })
  return home && abroad?.isValid() && abroad.country === home ? abroad.formatInternational() : undefined
}
