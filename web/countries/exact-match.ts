import { fold } from '#shared/countries/fold.ts'

interface SearchableCountry {
  code: string
  name: string
  fullName: string
  names: { ar: string; tl?: string | undefined }
  localNames: readonly string[]
  aliases: readonly string[]
  capital: string
}

/** Unambiguous matches: by name, or else by capital. Not by code: "ch" may be the start of "China". */
export function exactMatches<T extends SearchableCountry>(countries: readonly T[], search: string): T[] {
  const wanted = fold(search)
  const named = countries.filter(({ name, fullName, names, localNames, aliases }) =>
    [name, fullName, ...Object.values(names), ...localNames, ...aliases].some((known) => fold(known) === wanted),
  )
  return named.length > 0 ? named : countries.filter(({ capital }) => fold(capital) === wanted)
}
