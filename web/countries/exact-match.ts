import { fold } from '#shared/countries/fold.ts'

interface SearchableCountry {
  code: string
  name: string
  fullName: string
  names: { ar: string; tl?: string | undefined }
  localNames: readonly string[]
  aliases: readonly string[]
}

/** Countries of exactly this name. Not by capital: that is a city. Not by code: "ch" may be the start of "China". */
export function exactMatches<T extends SearchableCountry>(countries: readonly T[], search: string): T[] {
  const wanted = fold(search)
  return countries.filter(({ name, fullName, names, localNames, aliases }) =>
    [name, fullName, ...Object.values(names), ...localNames, ...aliases].some((known) => fold(known) === wanted),
  )
}
