import { distance } from 'fastest-levenshtein'
import type { Word } from './tokenizer.ts'

const LONGEST_WORD = 20

/** Finds the words of a list that a misspelt Latin word may stand for. */
export function createTypos(
  words: Iterable<string>,
  stems: Iterable<string>,
  { isKnown, leastLetters }: { isKnown: (word: string) => boolean; leastLetters: number },
) {
  const isLongEnough = (word: string) => word.length >= leastLetters && /^[a-z]+$/.test(word)
  const isMistyped = (text: string) => text.length <= LONGEST_WORD && isLongEnough(text) && !isKnown(text)
  const [byShape, stemsByShape] = [byShapeOf(words), byShapeOf(stems)]

  /** Indexed by first letter and length, so that few words are compared with each input. */
  function byShapeOf(list: Iterable<string>): ReadonlyMap<string, readonly string[]> {
    return Map.groupBy(new Set([...list].filter(isLongEnough)), (word) => shapeOf(word, word.length))
  }

  return {
    near(text: string): { words: string[]; stems: string[] } {
      if (!isMistyped(text)) return { words: [], stems: [] }
      const beginnings = []
      for (let length = leastLetters; length <= text.length; length++) beginnings.push(text.slice(0, length))
      return {
        words: meant(byShape, text),
        stems: stemsByShape.size === 0 ? [] : beginnings.flatMap((beginning) => meant(stemsByShape, beginning)),
      }
    },

    fits({ text, kind }: Word, { word, isOpen }: { word: string; isOpen: boolean }): boolean {
      if (kind !== 'latin' || !isLongEnough(word) || !isMistyped(text)) return false
      if (!isOpen) return isSingleEditFrom(text, word)
      return [-1, 0, 1].some((more) => isSingleEditFrom(text.slice(0, word.length + more), word))
    },
  }
}

const shapeOf = (word: string, length: number) => `${word[0]}${length}`

function meant(byShape: ReadonlyMap<string, readonly string[]>, input: string): string[] {
  return [-1, 0, 1]
    .flatMap((more) => byShape.get(shapeOf(input, input.length + more)) ?? [])
    .filter((word) => isSingleEditFrom(input, word))
}

/** One letter added, missing or replaced, or two transposed. The first letter is rarely wrong. */
export function isSingleEditFrom(input: string, word: string): boolean {
  if (input[0] !== word[0] || Math.abs(input.length - word.length) > 1) return false
  const edits = distance(input, word)
  return edits <= 1 || (edits === 2 && areSwapped(input, word))
}

function areSwapped(text: string, other: string): boolean {
  if (text.length !== other.length) return false
  let at = 0
  while (text[at] === other[at]) at++
  return text[at] === other[at + 1] && text[at + 1] === other[at] && text.slice(at + 2) === other.slice(at + 2)
}
