import { listChapterChoices } from '#shared/churches/chapters.ts'
import { listServantAccounts } from '#shared/churches/managed-servants.ts'
import type { Language } from '#shared/language.ts'
import { allNames } from '#web/advisories/reader.server.ts'
import type { CallEndpoint } from '#web/lib/visitor.ts'
import { zonesByRegion } from '#web/lib/zones.server.ts'

/** All countries in the collation order of the user's language. */
export function countriesIn(language: Language) {
  const { compare } = new Intl.Collator(language)
  return allNames(language).sort((a, b) => compare(a.name, b.name))
}

/** Options of the locale form. */
export async function localeChoices(call: CallEndpoint, language: Language) {
  const [{ chapters }, { accounts }] = await Promise.all([call(listChapterChoices), call(listServantAccounts)])
  return { countries: countriesIn(language), zones: zonesByRegion(), chapters, accounts }
}
export type LocaleChoices = Awaited<ReturnType<typeof localeChoices>>
