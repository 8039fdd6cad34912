import type { Advisory } from '#shared/advisories/endpoints.ts'
import type { Severity } from '#shared/advisories/severity.ts'

/** The levels of all advisories in force, by country. */
export function levelsByCountry(inForce: readonly Advisory[]): Map<string, Severity[]> {
  const byCountry = new Map<string, Severity[]>()
  for (const { country_codes, severity_level } of inForce)
    for (const code of country_codes) {
      const levels = byCountry.get(code)
      if (levels) levels.push(severity_level)
      else byCountry.set(code, [severity_level])
    }
  return byCountry
}
