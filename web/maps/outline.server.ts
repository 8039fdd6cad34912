import type { Language } from '#shared/language.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { translator } from '#web/lib/i18n.tsx'
import type { CountryOutline } from './outline.ts'

type Outlines = Record<string, CountryOutline>

/** Read when first needed: a process that shows no country does not hold a megabyte of paths. */
let outlines: Promise<Outlines> | undefined
const allOutlines = () =>
  (outlines ??= import('./country-outlines.json').then((file) => file.default as unknown as Outlines))

/** The map of one country with its names in a language, for the loader of a page; null if there is none. */
export async function outlineIn(code: string, language: Language) {
  const all = await allOutlines()
  const outline = Object.hasOwn(all, code) ? all[code] : undefined
  if (!outline) return null
  const t = translator(language, 'maps')
  const nameOf = nameIn(language)
  const inLanguage = ({ en, ar }: { en: string; ar: string }) => (language === 'ar' ? ar : en)
  const { land, borders, self, ring, capital, names, cities, scale } = outline
  return {
    label: t('outline_label', { country: nameOf(code) }),
    land,
    borders,
    self,
    ring,
    capital: capital && { at: capital.at, isAfter: capital.isAfter, name: inLanguage(capital) },
    names: names.map(({ code, at }) => ({ at, name: nameOf(code) })),
    cities: cities.map((city) => ({ at: city.at, isAbove: city.isAbove, name: inLanguage(city) })),
    scale: { text: t('outline_scale', { km: scale.km }), units: scale.units },
  }
}

export type ShownOutline = NonNullable<Awaited<ReturnType<typeof outlineIn>>>
