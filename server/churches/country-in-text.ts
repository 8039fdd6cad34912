import type { Countries } from '#server/countries/reference.ts'
import { fold } from '#shared/countries/fold.ts'

const LONGEST_NAME = 5
const ABBREVIATION = /^[A-Z]{2,4}$/

const known = new WeakMap<Countries, ReadonlyMap<string, string>>()

/**
 * The country named by these words within a longer text. Only its own names and abbreviations: 'Dubai' is an alias of a
 * country too, but in a search it means the city.
 */
export function countryAmong(
  words: string[],
  countries: Countries,
): { name: string[]; rest: string[]; code: string } | undefined {
  const codes = namesOf(countries)
  for (let length = Math.min(LONGEST_NAME, words.length); length > 0; length--)
    for (const start of new Set([words.length - length, 0])) {
      const name = words.slice(start, start + length)
      const code = codes.get(name.join(' '))
      if (code) return { name, rest: words.toSpliced(start, length), code }
    }
  return undefined
}

function namesOf(countries: Countries): ReadonlyMap<string, string> {
  const made = known.get(countries)
  if (made) return made
  const names = countries.all().flatMap(({ code, name, fullName, names, localNames, aliases }) =>
    [name, fullName, names.ar, ...localNames, ...aliases.filter((alias) => ABBREVIATION.test(alias))]
      // A name that several countries share resolves to none.
      .filter((variant) => countries.resolve(variant) === code)
      .map((variant): [string, string] => [fold(variant), code]),
  )
  const index = new Map(names)
  known.set(countries, index)
  return index
}
