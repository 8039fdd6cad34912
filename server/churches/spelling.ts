import { distance } from 'fastest-levenshtein'
import { createPacer } from './pace.ts'

export type Spelling = Awaited<ReturnType<typeof buildSpelling>>

/** Candidates examined per word: those that share the most letter pairs with the input. */
const MAX_CANDIDATES = 200
const MAX_WORD_LENGTH = 40
const WORD = /[\p{L}\p{M}\p{N}']+/gu

/** Builds a dictionary from texts, and suggests corrections from it. */
export async function buildSpelling(texts: readonly string[]) {
  const pace = createPacer()
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const [word] of text.matchAll(WORD)) if (isCorrectable(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
    if (pace.isLong()) await pace.rest()
  }
  const words = [...counts.keys()]
  const countOf = (word: string) => counts.get(word) ?? 0
  const holders = new Map<string, number[]>()
  for (const [i, word] of words.entries()) {
    for (const pair of pairsOf(word)) {
      const list = holders.get(pair)
      if (list) list.push(i)
      else holders.set(pair, [i])
    }
    if (pace.isLong()) await pace.rest()
  }

  function candidates(word: string): string[] {
    const shared = new Map<number, number>()
    for (const pair of pairsOf(word)) for (const i of holders.get(pair) ?? []) shared.set(i, (shared.get(i) ?? 0) + 1)
    const edits = editsFor(word)
    return [...shared]
      .map(([i, pairs]) => ({ candidate: words[i] ?? '', pairs }))
      .filter(({ candidate }) => Math.abs(candidate.length - word.length) <= edits)
      .sort((a, b) => b.pairs - a.pairs)
      .slice(0, MAX_CANDIDATES)
      .map(({ candidate }) => candidate)
  }

  return {
    /** The nearest word; of several, the one that occurs in most texts; undefined if none is near. */
    correct(word: string): { word: string; slips: number } | undefined {
      if (!isCorrectable(word)) return undefined
      return candidates(word)
        .map((candidate) => ({ word: candidate, slips: slips(word, candidate) }))
        .filter(({ slips }) => slips <= editsFor(word))
        .sort((a, b) => a.slips - b.slips || countOf(b.word) - countOf(a.word) || (a.word < b.word ? -1 : 1))[0]
    },
  }
}

const isCorrectable = (word: string) => word.length >= 4 && word.length <= MAX_WORD_LENGTH

/** In a short word two edits make another word. */
const editsFor = (word: string) => (word.length < 6 ? 1 : 2)

/** Pairs of adjacent letters, including start and end; each once. */
function pairsOf(word: string): Set<string> {
  const padded = `^${word}$`
  const pairs = new Set<string>()
  for (let i = 0; i + 2 <= padded.length; i++) pairs.add(padded.slice(i, i + 2))
  return pairs
}

/** Edit distance, where a swap of two adjacent letters counts as one. */
function slips(input: string, word: string): number {
  const edits = distance(input, word)
  return edits === 2 && isSwap(input, word) ? 1 : edits
}

function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  const at = [...a].findIndex((_, i) => a[i] !== b[i])
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
