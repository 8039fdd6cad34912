import type { Language } from '#shared/language.ts'

/** One entry of the country reference (000 §3). The list itself is `countries.json`, read on the server only. */
export interface Country {
  /** ISO 3166-1 alpha-2; also XK for Kosovo, which has no ISO code of its own. */
  code: string
  name: string
  fullName: string
  /** Names in the other interface languages; in Tagalog only where it differs from English. */
  names: { ar: string; tl?: string }
  /** Names in the country's own languages. */
  localNames: string[]
  region: string
  subregion: string
  flag: string
  capital: string
  languages: string[]
  currency: { code: string; name: string } | null
  timeZones: string[]
  coordinates: { latitude: number; longitude: number }
  aliases: string[]
}

/** D-17: ranked first among equally good matches. */
export const POPULAR_DESTINATIONS = [
  'PH',
  'US',
  'CA',
  'AE',
  'SA',
  'QA',
  'KW',
  'BH',
  'OM',
  'SG',
  'HK',
  'TW',
  'JP',
  'KR',
  'MY',
  'AU',
  'NZ',
  'GB',
  'IE',
  'IT',
  'ES',
  'DE',
  'FR',
  'IL',
  'BR',
  'IN',
  'TH',
  'CN',
] as const

/** The name of a country in a language of the interface. */
export const nameOfCountry = (
  { name, names }: { name: string; names: { ar: string; tl?: string | undefined } },
  language: Language,
): string => (language === 'en' ? undefined : names[language]) ?? name
