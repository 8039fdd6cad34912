import type { Severity } from '#shared/advisories/severity.ts'
import { nameOfCountry } from '#shared/countries/country.ts'
import type { SearchResult } from '#shared/countries/search.ts'
import type { Language } from '#shared/language.ts'
import { momentIn, shortDay } from '#web/churches/days.ts'
import { clockText, formatShortDay, namesInLine } from '#web/lib/format.ts'
import type { Translate } from '#web/lib/i18n.tsx'
import { addressOf } from './result-address.ts'

/** A result as one line: what it is called, where it leads, and what is known of it. */
export interface ResultRow {
  key: string
  kind: SearchResult['kind']
  to: string
  name: string
  /** What follows the name: the state and the country of a city. */
  place: string
  text: string
  level: Severity | null
}

/** A result in the user's language. */
export function rowOf(result: SearchResult, t: Translate<'search'>, language: Language): ResultRow {
  const to = addressOf(result)
  if (result.kind === 'country') {
    const { country, severity_level: level } = result
    const name = nameOfCountry(country, language)
    return {
      ...{ key: country.code, kind: 'country', to, name, place: '', level },
      text: t('kind_country'),
    }
  }
  const country = result.country && nameOfCountry(result.country, language)
  if (result.kind === 'city') {
    const { id, name, state_province: state, severity_level: level } = result
    return {
      ...{ key: `city-${id}`, kind: 'city', to, name, level },
      place: namesInLine(language, [state, country]),
      text: t('kind_city'),
    }
  }
  const { id, name, city, next } = result
  return {
    ...{ key: id, kind: 'church', to, name, place: '', level: null },
    text: next
      ? t(next.in_progress ? 'service_now' : 'service_next', {
          moment: momentText(next.timezone, next.starts_at, t, language),
          place: city ?? country ?? '',
        })
      : namesInLine(language, [t('kind_church'), city, country]),
  }
}

function momentText(zone: string, instant: string, t: Translate<'search'>, language: Language): string {
  const { weekday, clock } = momentIn(zone, instant)
  return t('moment', {
    weekday: shortDay(language, weekday),
    day: formatShortDay(language, instant, zone),
    clock: clockText(language, clock),
  })
}

/** The parts of a name before, at and after the search; of other spellings nothing is marked. */
export function markedIn(name: string, search: string): [before: string, match: string, after: string] {
  const at = name.toLowerCase().indexOf(search.trim().toLowerCase())
  const end = at + search.trim().length
  return at < 0 ? [name, '', ''] : [name.slice(0, at), name.slice(at, end), name.slice(end)]
}
