import { DANGERS, type Danger } from '#shared/assistant/intents.ts'
import type { Lexicon } from '../lexicon/lexicon.ts'
import { compile } from './matching.ts'
import { cut, type Words } from './words.ts'

/** Whoever is afraid types badly; a word of its own must be long to be guessed ("raped" is near "rated"). */
const TYPOS = { leastLetters: 5, leastAlone: 7 }

/**
 * Finds signs of danger in all languages at once, since fear is often written in another language than the rest. What
 * only sounds like danger is taken out first, exactly as it is written.
 */
export function createDangerFinder(
  lexicons: readonly Lexicon[],
  isWord: (word: string) => boolean,
): (words: Words) => Danger[] {
  const dangers = compile(
    lexicons.flatMap((lexicon) =>
      DANGERS.flatMap((danger) => lexicon.dangers[danger].map((entry) => [danger, entry] as const)),
    ),
    { typos: { ...TYPOS, isKnown: isWord } },
  )
  const harmless = compile(lexicons.flatMap((lexicon) => lexicon.harmless.map((entry) => ['', entry] as const)))

  return (words) => {
    const taken = harmless.find(words)
    const rest = taken.length === 0 ? words : cut(without(words.text, taken))
    const found = new Set(dangers.find(rest).map(({ label }) => label))
    return DANGERS.filter((danger) => found.has(danger))
  }
}

/** Stands in for what is taken out, so that words on both sides of it do not come together. */
function without(text: string, spans: readonly { start: number; end: number }[]): string {
  const characters = text.split('')
  for (const { start, end } of spans) characters.fill('.', start, end)
  return characters.join('')
}
