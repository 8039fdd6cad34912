import type * as z from 'zod'
import type { Countries } from '#server/countries/reference.ts'
import type { Advisory, AdvisorySource, getTicker } from '#shared/advisories/endpoints.ts'
import { byAuthority } from '#shared/advisories/freshness.ts'
import { localTitle } from '#shared/advisories/phrases.ts'
import { tickerItems } from '#shared/advisories/ticker.ts'
import { nameOfCountry } from '#shared/countries/country.ts'
import type { Language } from '#shared/language.ts'
import { phrasesIn } from './phrases.ts'

export type Ticker = Omit<z.output<typeof getTicker.response>, 'has_read_sources'>

interface Choice {
  sources: readonly AdvisorySource[]
  /** The only organisation to show; empty: all. */
  source: string
  countries: Countries
  limit: number
  language: Language
}

/** Content of the ticker on top of every page, in the reader's language. */
export function tickerOf(list: readonly Advisory[], { sources, source, countries, limit, language }: Choice): Ticker {
  const vouched = new Set(
    sources.filter(({ reading }) => reading === 'confirmed' || reading === 'manual').map(({ id }) => id),
  )
  const nameIn = (code: string) => {
    const country = countries.find(code)
    return country ? nameOfCountry(country, language) : code
  }
  return {
    items: tickerItems(list, { source, limit }).map(({ text, ...item }) => {
      const reader = { language, countries: item.country_codes.map(nameIn), translate: phrasesIn(language) }
      const local = localTitle({ title: text, language: item.language }, reader)
      return {
        id: item.id,
        severity_level: item.severity_level,
        is_urgent: item.is_urgent,
        text: local.title,
        language: local.title_language,
        country_codes: item.country_codes,
        confirmed: vouched.has(item.source_id) && item.captured_on === null,
      }
    }),
    not_confirmed: byAuthority([...sources])
      .filter(({ state }) => state === 'not_confirmed')
      .map(({ name }) => name),
  }
}
