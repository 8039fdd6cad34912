import type { AdvisorySource } from '#shared/advisories/endpoints.ts'
import { byAuthority } from '#shared/advisories/freshness.ts'
import type { Language } from '#shared/language.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { sourceName } from '#web/lib/country-names.ts'

/** The sources by name in the user's language, one line per authority. */
export function namedSources(sources: readonly AdvisorySource[], language: Language) {
  return byAuthority(sources)
    .filter(({ state }) => state !== 'manual' && state !== 'off')
    .map((source) => {
      const { id, authority, country_code, state, reading, not_confirmed_since, last_success_at, captured_on } = source
      const name = sourceName(source, nameIn(language))
      return { id, authority, country_code, name, state, reading, not_confirmed_since, last_success_at, captured_on }
    })
}

export type NamedSource = ReturnType<typeof namedSources>[number]
