import { createPacer } from './pace.ts'

export type TextIndex = Awaited<ReturnType<typeof buildTextIndex>>

/** Ordinals that are kept found, over all words: those of words asked for again, or letter by letter. */
const MOST_KEPT = 6_000_000
/** A word that is kept takes as much as so many ordinals, also one that is found nowhere. */
const WORD_COST = 100
const LONGEST_KEPT = 100
/** Letters of a gram. What is shorter is looked for in every text, once. */
const GRAM = 3

/**
 * Finds the texts that contain a word, exactly as LIKE '%word%' does: by the rarest three letters of it, whose texts are
 * then looked into. All lists lie in one array; each is as long as the first pass has counted.
 */
export async function buildTextIndex(texts: readonly string[]) {
  const pace = createPacer()
  const slots = new Map<number, number>()
  const counts: number[] = []
  // The last text that a gram was met in: each text counts once.
  const last: number[] = []
  for (let ordinal = 0; ordinal < texts.length; ordinal++) {
    forEachGram(texts[ordinal]!, (gram) => {
      let slot = slots.get(gram)
      if (slot === undefined) {
        slot = counts.length
        slots.set(gram, slot)
        counts.push(0)
        last.push(-1)
      }
      if (last[slot] === ordinal) return
      last[slot] = ordinal
      counts[slot]!++
    })
    if (pace.isLong()) await pace.rest()
  }

  const starts = new Uint32Array(counts.length + 1)
  for (let slot = 0; slot < counts.length; slot++) starts[slot + 1] = starts[slot]! + counts[slot]!
  const ordinals = new Uint32Array(starts[counts.length]!)
  const next = starts.slice()
  last.fill(-1)
  for (let ordinal = 0; ordinal < texts.length; ordinal++) {
    forEachGram(texts[ordinal]!, (gram) => {
      const slot = slots.get(gram)!
      if (last[slot] === ordinal) return
      last[slot] = ordinal
      ordinals[next[slot]!++] = ordinal
    })
    if (pace.isLong()) await pace.rest()
  }

  const NONE = new Uint32Array()
  const kept = new Map<string, Uint32Array>()
  let keptCount = 0

  /** Null: the word is too short to have a gram. */
  function rarestList(word: string): Uint32Array | null {
    let best: number | null = null
    let isMissing = false
    forEachGram(word, (gram) => {
      const slot = slots.get(gram)
      if (slot === undefined) isMissing = true
      else if (best === null || counts[slot]! < counts[best]!) best = slot
    })
    if (isMissing) return NONE
    return best === null ? null : ordinals.subarray(starts[best]!, starts[best + 1]!)
  }

  function find(word: string): Uint32Array {
    const list = rarestList(word)
    // Three letters are the gram itself.
    if (list && word.length === GRAM) return list
    const found = new Uint32Array(list ? list.length : texts.length)
    let count = 0
    for (let i = 0; i < found.length; i++) {
      const ordinal = list ? list[i]! : i
      if (texts[ordinal]!.includes(word)) found[count++] = ordinal
    }
    return found.slice(0, count)
  }

  function keep(word: string, found: Uint32Array) {
    kept.set(word, found)
    keptCount += found.length + WORD_COST
    for (const [oldest, list] of kept) {
      if (keptCount <= MOST_KEPT) break
      kept.delete(oldest)
      keptCount -= list.length + WORD_COST
    }
  }

  return {
    /** How many texts can contain it, at most. */
    atMost: (word: string): number => kept.get(word)?.length ?? rarestList(word)?.length ?? texts.length,

    /** The ordinals of the texts that contain it, in order. */
    containing(word: string): Uint32Array {
      const known = kept.get(word)
      if (known) return known
      const found = find(word)
      if (word.length <= LONGEST_KEPT) keep(word, found)
      return found
    },
  }
}

/** Three UTF-16 units as one number below 2^48. */
function forEachGram(text: string, visit: (gram: number) => void): void {
  for (let i = 0; i + GRAM <= text.length; i++)
    visit(text.charCodeAt(i) * 2 ** 32 + text.charCodeAt(i + 1) * 2 ** 16 + text.charCodeAt(i + 2))
}
