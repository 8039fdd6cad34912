/** A country in the list beside the map. */
export interface ListedCountry {
  code: string
  name: string
  isDoubtful: boolean
}

/** One line per country: as objects, two hundred countries would take four times as much of the page's data. */
export const toLines = (countries: readonly ListedCountry[]): string =>
  countries.map(({ code, name, isDoubtful }) => `${code}${isDoubtful ? '?' : ' '}${name}`).join('\n')

export const fromLines = (lines: string): ListedCountry[] =>
  lines.split('\n').map((line) => ({ code: line.slice(0, 2), name: line.slice(3), isDoubtful: line[2] === '?' }))
