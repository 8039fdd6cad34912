import { fold } from '#shared/countries/fold.ts'

export interface Option {
  value: string
  label: string
}

/** Options matching a text: by code or prefix first, then by the start of a word, then by any part. */
export function matches<T extends Option>(options: readonly T[], text: string): T[] {
  const wanted = fold(text)
  if (wanted === '') return [...options]
  const rank = ({ value, label }: T) => {
    const name = fold(label)
    if (fold(value) === wanted || name.startsWith(wanted)) return 0
    if (name.includes(` ${wanted}`)) return 1
    return name.includes(wanted) ? 2 : 3
  }
  return options
    .map((option) => ({ option, rank: rank(option) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option)
}

/** The only option with this exact name or code. */
export function exactMatch<T extends Option>(options: readonly T[], text: string): T | undefined {
  const wanted = fold(text)
  const found = options.filter(({ value, label }) => fold(label) === wanted || fold(value) === wanted)
  return found.length === 1 ? found[0] : undefined
}
