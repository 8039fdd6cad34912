export type TextIndex = Awaited<ReturnType<typeof buildTextIndex>>

/** Finds the texts that contain a word. */
export async function buildTextIndex(texts: readonly string[]) {
  return {
    /** How many texts can contain it, at most. */
    atMost: (_word: string) => texts.length,

    /** The ordinals of the texts that contain it, in order. */
    containing(word: string): Uint32Array {
      const found: number[] = []
      for (let i = 0; i < texts.length; i++) if (texts[i]!.includes(word)) found.push(i)
      return Uint32Array.from(found)
    },
  }
}
