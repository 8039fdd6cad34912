import { searchCountries } from '#shared/countries/endpoints.ts'
import { exactMatches } from '../countries/exact.ts'
import type { CallEndpoint } from '../lib/visitor.ts'

/**
 * The countries of a text that names one on each line, by name in any language or by code. A name that is none, or that
 * could mean several, is said in a sentence.
 */
export async function codesOf(call: CallEndpoint, text: string): Promise<{ codes: string[]; unknown?: string }> {
  const names = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
  const codes: string[] = []
  for (const name of names) {
    const { countries } = await call(searchCountries, { query: { search: name.slice(0, 100), limit: 60 } })
    const byCode = countries.filter(({ code }) => code === name.toUpperCase())
    const [found, ...others] = byCode.length > 0 ? byCode : exactMatches(countries, name)
    if (!found || others.length > 0)
      return { codes: [], unknown: 'Write one country on each line, by its name or its two-letter code.' }
    if (!codes.includes(found.code)) codes.push(found.code)
  }
  return { codes }
}
