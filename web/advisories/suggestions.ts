import { fold } from '#shared/countries/fold.ts'

interface NamedCountry {
  code: string
  name: string
}

// Half of the letter pairs must match: "Marz" is near "Mali", and "xyz" near nothing.
const NEAR_ENOUGH = 0.34
const MAX_SUGGESTIONS = 2

/** Country names similar to the input, the nearest first. */
export function similarNames(text: string, names: readonly NamedCountry[]): NamedCountry[] {
  const wanted = fold(text)
  if ([...wanted].length < 2 || wanted.length > 60) return []
  return names
    .map((named) => ({ named, score: likeness(wanted, fold(named.name)) }))
    .filter(({ score }) => score >= NEAR_ENOUGH)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ named }) => named)
}

/** Dice coefficient of the letter pairs, with the first letter counted as an extra pair. */
function likeness(a: string, b: string): number {
  const pairs = pairsOf(a)
  const others = pairsOf(b)
  const common = [...pairs].filter((pair) => others.has(pair)).length
  return (2 * common) / (pairs.size + others.size)
}

function pairsOf(text: string): Set<string> {
  const letters = [...text]
  return new Set(letters.map((letter, i) => (letters[i - 1] ?? '^') + letter))
}
