import { type FoundLocale, listLocales } from '#shared/churches/endpoints.ts'
import type { ServiceMoment } from '#shared/churches/schedule.ts'
import type { Country } from '#shared/countries/country.ts'
import type { Language } from '#shared/language.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { momentIn, shortDay } from '#web/churches/days.ts'
import { servicesOf } from '#web/churches/locator.server.ts'
import { directionsTo, type Next, nameOf, nextOf } from '#web/churches/row.server.ts'
import { clockText, formatShortDay, isolated } from '#web/lib/format.ts'
import { translator } from '#web/lib/i18n.tsx'
import type { CallEndpoint } from '#web/lib/visitor.ts'

/** As many as the services of one request may be for. */
const CANDIDATES = 100

/** With its time at the place of the church, written out. */
interface NextService {
  starts_at: string
  isNow: boolean
  there: string
  zone: string
}

/** The church of a country whose service is next; without any church, the nearest one in another country. */
export interface CountryChurch {
  hasFailed: boolean
  /** Churches listed in the country. */
  total: number
  church: { id: string; name: string; next: NextService; directions: string | null } | null
  abroad: { id: string; name: string; country: string } | null
}

export async function nextServiceIn(
  call: CallEndpoint,
  { code, coordinates }: Pick<Country, 'code' | 'coordinates'>,
  language: Language,
): Promise<CountryChurch> {
  try {
    const { locales, total } = await call(listLocales, { query: { country: code, limit: CANDIDATES } })
    const church = earliest(locales, await servicesOf(call, locales), language)
    const abroad = total === 0 ? await nearestTo(call, coordinates, language) : null
    return { hasFailed: false, total, church, abroad }
  } catch {
    // The API call has already logged the error; the page is useful without.
    return { hasFailed: true, total: 0, church: null, abroad: null }
  }
}

function earliest(
  locales: readonly FoundLocale[],
  services: Record<string, ServiceMoment[]>,
  language: Language,
): CountryChurch['church'] {
  const t = translator(language, 'localePhrases')
  const found = locales.flatMap((locale) => {
    const next = nextOf(locale, services[locale.id] ?? [], t)
    return next ? [{ locale, next }] : []
  })
  const [first] = found.toSorted((a, b) => Date.parse(a.next.starts_at) - Date.parse(b.next.starts_at))
  if (!first) return null
  const { locale, next } = first
  return {
    id: locale.id,
    name: nameOf(locale, language),
    next: {
      starts_at: next.starts_at,
      isNow: next.in_progress,
      there: timeThere(next, language),
      zone: next.zone,
    },
    directions: directionsTo(locale),
  }
}

function timeThere({ zone, starts_at, place }: Next, language: Language): string {
  const { weekday, clock } = momentIn(zone, starts_at)
  return translator(language, 'countries')('service_time', {
    weekday: shortDay(language, weekday),
    day: formatShortDay(language, starts_at, zone),
    clock: clockText(language, clock),
    place: isolated(place),
  })
}

async function nearestTo(
  call: CallEndpoint,
  { latitude, longitude }: Country['coordinates'],
  language: Language,
): Promise<CountryChurch['abroad']> {
  const { locales } = await call(listLocales, { query: { lat: latitude, lng: longitude, limit: 1 } })
  const [nearest] = locales
  if (!nearest?.country_code) return null
  const country = nameIn(language)(nearest.country_code, nearest.country)
  return { id: nearest.id, name: nameOf(nearest, language), country }
}
