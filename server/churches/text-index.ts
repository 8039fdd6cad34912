import { buildGramIndex } from './gram-index.ts'
import { unionOf } from './ordinals.ts'
import { createPacer } from './pace.ts'

export interface TextIndex {
  /**
   * The sorted ordinals of the texts that contain a word. For several words separated by spaces: of texts that contain
   * each, a superset of those that contain the whole.
   */
  containing: (piece: string) => Uint32Array
}

/** Cached ordinals over all words: for words repeated, or typed letter by letter. */
const MAX_CACHED = 6_000_000
/** Memory cost of a cached word in ordinals, also for one that is found nowhere. */
const WORD_COST = 100
const MAX_CACHED_LENGTH = 100
/** Usable at once: scans linearly until the index is built. */
export function createTextIndex(texts: readonly string[]): TextIndex & { isMade: Promise<void> } {
  let index: TextIndex = { containing: (piece) => lookThrough(texts, piece) }
  return {
    containing: (piece) => index.containing(piece),
    isMade: buildTextIndex(texts).then((made) => {
      index = made
    }),
  }
}

function lookThrough(texts: readonly string[], piece: string): Uint32Array {
  const found: number[] = []
  texts.forEach((text, ordinal) => {
    if (text.includes(piece)) found.push(ordinal)
  })
  return Uint32Array.from(found)
}

/**
 * Finds the texts that contain a word, exactly as LIKE '%word%' does. A piece without spaces lies within one word of a
 * text: so the words are searched, of which there are few, and each has the list of its texts.
 */
async function buildTextIndex(texts: readonly string[]): Promise<TextIndex> {
  const { words, ...lists } = await listWords(texts)
  const grams = await buildGramIndex(words)
  const cache = new Map<string, Uint32Array>()
  let cachedCount = 0

  const find = (piece: string) => unionOf(lists, grams.containing(piece), texts.length)

  function addToCache(piece: string, found: Uint32Array) {
    cache.set(piece, found)
    cachedCount += found.length + WORD_COST
    for (const [oldest, list] of cache) {
      if (cachedCount <= MAX_CACHED) break
      cache.delete(oldest)
      cachedCount -= list.length + WORD_COST
    }
  }

  function containing(piece: string): Uint32Array {
    const known = cache.get(piece)
    if (known) return known
    const found = find(piece)
    if (piece.length <= MAX_CACHED_LENGTH) addToCache(piece, found)
    return found
  }

  return {
    containing: (piece) =>
      piece
        .split(' ')
        .map(containing)
        .reduce((fewest, list) => (list.length < fewest.length ? list : fewest)),
  }
}

/** Each distinct word, and concatenated lists of the texts of each. */
async function listWords(texts: readonly string[]) {
  const pace = createPacer()
  const ids = new Map<string, number>()
  const counts: number[] = []
  // The last text in which a word occurred: each text counts once.
  const last: number[] = []
  const met: number[] = []
  const ends = new Uint32Array(texts.length)
  for (const [ordinal, text] of texts.entries()) {
    for (const word of text.split(' ')) {
      let id = ids.get(word)
      if (id === undefined) {
        id = counts.length
        ids.set(word, id)
        counts.push(0)
        last.push(-1)
      }
      if (last[id] === ordinal) continue
      last[id] = ordinal
      counts[id] = (counts[id] ?? 0) + 1
      met.push(id)
    }
    ends[ordinal] = met.length
    if (pace.isLong()) await pace.rest()
  }
  const starts = new Uint32Array(counts.length + 1)
  let end = 0
  for (const [id, count] of counts.entries()) {
    end += count
    starts[id + 1] = end
  }
  const ordinals = new Uint32Array(met.length)
  const next = starts.slice()
  for (let ordinal = 0, at = 0; ordinal < texts.length; ordinal++)
    for (; at < ends[ordinal]!; at++) ordinals[next[met[at]!]!++] = ordinal
  return { words: [...ids.keys()], starts, ordinals }
}
