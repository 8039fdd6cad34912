import { distance } from 'fastest-levenshtein'
import type { Word } from './words.ts'

const LONGEST_WORD = 20

/** Finds which words of a list a mistyped Latin word may have been meant to be. */
export function createTypos(
  words: Iterable<string>,
  stems: Iterable<string>,
  { isKnown, leastLetters }: { isKnown: (word: string) => boolean; leastLetters: number },
) {
  const isLongEnough = (word: string) => word.length >= leastLetters && /^[a-z]+$/.test(word)
  const isMistyped = (text: string) => text.length <= LONGEST_WORD && isLongEnough(text) && !isKnown(text)
  const byHole = holesOf(words)
  const stemsByHole = holesOf(stems)

  /** Two words of one letter's difference share a form with one letter left out. */
  function holesOf(list: Iterable<string>): Map<string, string[]> {
    const map = new Map<string, string[]>()
    for (const word of list) {
      if (!isLongEnough(word)) continue
      for (const hole of holes(word)) map.set(hole, [...(map.get(hole) ?? []), word])
    }
    return map
  }

  return {
    near(text: string): { words: string[]; stems: string[] } {
      if (!isMistyped(text)) return { words: [], stems: [] }
      const beginnings = []
      for (let length = leastLetters; length <= text.length; length++) beginnings.push(text.slice(0, length))
      return {
        words: meant(byHole, text),
        stems: stemsByHole.size === 0 ? [] : beginnings.flatMap((beginning) => meant(stemsByHole, beginning)),
      }
    },

    fits({ text, kind }: Word, { word, isOpen }: { word: string; isOpen: boolean }): boolean {
      if (kind !== 'latin' || !isLongEnough(word) || !isMistyped(text)) return false
      if (!isOpen) return isOneEditFrom(text, word)
      return [-1, 0, 1].some((more) => isOneEditFrom(text.slice(0, word.length + more), word))
    },
  }
}

function meant(byHole: ReadonlyMap<string, readonly string[]>, text: string): string[] {
  const found = new Set<string>()
  for (const hole of holes(text)) {
    for (const word of byHole.get(hole) ?? []) if (isOneEditFrom(text, word)) found.add(word)
  }
  return [...found]
}

/** The word, and the word without each of its letters. */
function holes(word: string): string[] {
  const list = [word]
  for (let at = 1; at < word.length; at++) list.push(word.slice(0, at) + word.slice(at + 1))
  return list
}

/** One letter more, less or other, or two that changed places. Hardly anyone mistakes the first. */
export function isOneEditFrom(typed: string, word: string): boolean {
  if (typed[0] !== word[0] || Math.abs(typed.length - word.length) > 1) return false
  const edits = distance(typed, word)
  return edits <= 1 || (edits === 2 && areSwapped(typed, word))
}

function areSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let at = 0
  while (one[at] === other[at]) at++
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2)
}
