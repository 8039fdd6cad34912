import { listLocales } from '#shared/churches/endpoints.ts'
import type { Language } from '#shared/language.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { addressLine, nameOf } from './row.server.ts'

const SHOWN = 3
const COUNTRIES = 2

export interface BriefLocale {
  id: string
  name: string
  address: string
  phone: string | null
}

export interface ChurchesInCountry {
  code: string
  name: string
  hasFailed: boolean
  locales: BriefLocale[]
  total: number
}

/** A few churches of each country (`shown`): of the first two countries, or of all on request (000 §9). */
export async function churchesIn(
  api: CallEndpoint,
  countries: readonly { code: string; name: string }[],
  { language, isAll = false, shown = SHOWN }: { language: Language; isAll?: boolean; shown?: number },
) {
  const selection = isAll ? countries : countries.slice(0, COUNTRIES)
  return {
    countries: await Promise.all(selection.map((country) => churchesOf(api, country, { language, shown }))),
    codes: countries.map(({ code }) => code),
    isAll: selection.length === countries.length,
  }
}

export type ChurchesInCountries = Awaited<ReturnType<typeof churchesIn>>

async function churchesOf(
  api: CallEndpoint,
  { code, name }: { code: string; name: string },
  { language, shown }: { language: Language; shown: number },
): Promise<ChurchesInCountry> {
  try {
    // Twice as many as shown: those that publish an address come first.
    const { locales, total } = await api(listLocales, { query: { country: code, limit: 2 * shown } })
    const published = locales.filter(({ discreet_mode }) => discreet_mode === 'exact')
    const others = locales.filter(({ discreet_mode }) => discreet_mode !== 'exact')
    return {
      code,
      name,
      hasFailed: false,
      total,
      locales: [...published, ...others].slice(0, shown).map((locale) => ({
        id: locale.id,
        name: nameOf(locale, language),
        address: locale.discreet_mode === 'exact' ? addressLine(locale) : '',
        phone: locale.phone,
      })),
    }
  } catch {
    // The API call has already logged the error; the advisory is useful without.
    return { code, name, hasFailed: true, total: 0, locales: [] }
  }
}
