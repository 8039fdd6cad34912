import { withoutLevel } from '#shared/advisories/phrases.ts'
import type { SourceRow } from './source-rows.ts'

const CLAUSES = 3
/** With the level and the name above it, the verdict is read at a glance and fits on a small phone. */
const MAX_WORDS = 38
const MAX_CHARACTERS = 175
/** A longer name of a country takes lines of its own on a small phone, and so does the level then. */
const LONG_NAME = 14
const MAX_BESIDE_LONG_NAME = 140
const LONGEST_WORDING = 150
/** "FCDO advises against all travel to parts of the country": a shorter excerpt could say something else. */
const FEWEST_WORDS = 10

export interface Clause {
  source: string
  /** A country "says"; the name of a service is followed by a colon. */
  isCountry: boolean
  wording: string
  language: string
}

/** What the sources say, in their own words: one clause each, the most serious first, shortened evenly if too long. */
export function verdictOf(
  rows: readonly SourceRow[],
  { country, nameOf }: { country: string; nameOf: (row: SourceRow) => string },
): Clause[] {
  const clauses = new Map<string, Clause>()
  for (const row of rows) {
    const [advisory] = row.advisories
    if (!advisory || clauses.has(row.authority)) continue
    clauses.set(row.authority, {
      source: nameOf(row),
      isCountry: row.country_code !== null,
      wording: excerpt(advisory.wording),
      language: advisory.language,
    })
  }
  return shortened(
    [...clauses.values()].slice(0, CLAUSES),
    country.length > LONG_NAME ? MAX_BESIDE_LONG_NAME : MAX_CHARACTERS,
  )
}

/** The level number is in the tag; the sentence ends with the clause. */
function excerpt(wording: string): string {
  const plain = withoutLevel(wording).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '') || wording
  const characters = [...plain]
  return characters.length > LONGEST_WORDING
    ? `${characters
        .slice(0, LONGEST_WORDING - 1)
        .join('')
        .trim()}…`
    : plain
}

/** With every clause if their wordings stay long enough to mean what they mean, else with the most serious ones. */
function shortened(clauses: readonly Clause[], characters: number): Clause[] {
  const fewest = clauses.length > 1 ? FEWEST_WORDS : 1
  let cut = [...clauses]
  while (!fits(cut, characters)) {
    const longest = cut.toSorted((a, b) => wordCount(b.wording) - wordCount(a.wording))[0]
    if (!longest || wordCount(longest.wording) <= fewest)
      return clauses.length > 1 ? shortened(clauses.slice(0, -1), characters) : cut
    cut = cut.map((clause) => (clause === longest ? { ...clause, wording: withoutLastWord(clause.wording) } : clause))
  }
  return cut
}

function fits(clauses: readonly Clause[], characters: number): boolean {
  const total = (size: (text: string) => number) =>
    clauses.reduce((sum, { source, wording }) => sum + size(source) + 1 + size(wording), 0)
  return total(wordCount) <= MAX_WORDS && total(({ length }) => length) <= characters
}

const wordCount = (text: string) => text.split(' ').length

const withoutLastWord = (wording: string) =>
  `${wording
    .replace(/…$/, '')
    .split(' ')
    .slice(0, -1)
    .join(' ')
    .replace(/[,;:.]$/, '')}…`
