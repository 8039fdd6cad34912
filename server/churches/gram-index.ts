import { createPacer } from './pace.ts'

/** Letters of the longest gram. */
const GRAM = 3

/**
 * Finds which of many short texts contain a piece, exactly as LIKE '%piece%' does: looks up its rarest gram, two or
 * three letters, and checks those texts. All lists are in one array; a first pass counts their lengths.
 */
export async function buildGramIndex(texts: readonly string[]) {
  const pace = createPacer()
  const slots = new Map<number, number>()
  const counts: number[] = []
  // The last text in which a gram occurred: each text counts once.
  const last: number[] = []
  for (const [ordinal, text] of texts.entries()) {
    forEachGram(text, 1, (gram) => {
      let slot = slots.get(gram)
      if (slot === undefined) {
        slot = counts.length
        slots.set(gram, slot)
        counts.push(0)
        last.push(-1)
      }
      if (last[slot] === ordinal) return
      last[slot] = ordinal
      counts[slot] = (counts[slot] ?? 0) + 1
    })
    if (pace.isLong()) await pace.rest()
  }

  const starts = new Uint32Array(counts.length + 1)
  let end = 0
  for (const [slot, count] of counts.entries()) {
    end += count
    starts[slot + 1] = end
  }
  const ordinals = new Uint32Array(end)
  const next = starts.slice()
  last.fill(-1)
  for (const [ordinal, text] of texts.entries()) {
    forEachGram(text, 1, (gram) => {
      const slot = slots.get(gram)
      if (slot === undefined || last[slot] === ordinal) return
      last[slot] = ordinal
      ordinals[next[slot]!++] = ordinal
    })
    if (pace.isLong()) await pace.rest()
  }

  function rarestList(piece: string): Uint32Array {
    let best: number | null = null
    let isMissing = false
    forEachGram(piece, Math.min(piece.length, GRAM), (gram) => {
      const slot = slots.get(gram)
      if (slot === undefined) isMissing = true
      else if (best === null || counts[slot]! < counts[best]!) best = slot
    })
    return isMissing || best === null ? NONE : ordinals.subarray(starts[best], starts[best + 1])
  }

  return {
    /** The sorted ordinals of the texts that contain it. */
    containing(piece: string): Uint32Array {
      const list = rarestList(piece)
      // Such a short piece is itself a gram.
      return piece.length <= GRAM ? list : list.filter((ordinal) => texts[ordinal]?.includes(piece))
    },
  }
}

const NONE = new Uint32Array()

/** Up to three UTF-16 units as one number below 2^48; no text has the unit 0. */
function forEachGram(text: string, shortest: number, visit: (gram: number) => void): void {
  for (let i = 0; i < text.length; i++) {
    let gram = 0
    for (let length = 1; length <= GRAM && i + length <= text.length; length++) {
      gram = gram * 2 ** 16 + text.charCodeAt(i + length - 1)
      if (length >= shortest) visit(gram)
    }
  }
}
