import { DANGERS, type Danger } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import type { Lexicon } from '../lexicon/lexicon.ts'
import type { Detected } from './detected.ts'
import { compile, type Hit } from './matching.ts'
import { cut, type Words } from './words.ts'

/** Whoever is afraid types badly; a word of its own must be long to be guessed ("raped" is near "rated"). */
const TYPOS = { leastLetters: 5, leastAlone: 7 }

/** So sure of one language, a mere beginning of a word of another is chance: "molestar" is no "molest". */
const SURE = 0.8

/**
 * Finds signs of danger in all languages at once, since fear is often written in another language than the rest. What
 * only sounds like danger is taken out first, exactly as it is written.
 */
export function createDangerFinder(
  lexicons: Partial<Record<AssistantLanguage, Lexicon>>,
  isSpeltWell: (word: string) => boolean,
): (words: Words, detected: Pick<Detected, 'language' | 'confidence'>) => Danger[] {
  const languages = Object.entries(lexicons) as [AssistantLanguage, Lexicon][]
  const dangers = compile(
    languages.flatMap(([language, lexicon]) =>
      DANGERS.flatMap((danger) => lexicon.dangers[danger].map((entry) => [{ danger, language }, entry] as const)),
    ),
    { typos: { ...TYPOS, isKnown: isSpeltWell } },
  )
  const harmless = compile(languages.flatMap(([, lexicon]) => lexicon.harmless.map((entry) => ['', entry] as const)))

  return (words, { language, confidence }) => {
    const taken = harmless.find(words)
    const rest = taken.length === 0 ? words : cut(without(words.text, taken))
    const isChance = ({ label, entry, isGuess }: Hit<{ language: AssistantLanguage }>) =>
      confidence >= SURE && label.language !== language && (isGuess || isMereStem(entry)) && isLatin(entry)
    const hits = dangers.find(rest).filter((hit) => !isChance(hit))
    const found = new Set(hits.map(({ label }) => label.danger))
    return DANGERS.filter((danger) => found.has(danger))
  }
}

const isMereStem = (entry: string) => /^[^\s.]+\*$/.test(entry)
const isLatin = (entry: string) => /\p{sc=Latin}/u.test(entry)

/** Stands in for what is taken out, so that words on both sides of it do not come together. */
function without(text: string, spans: readonly { start: number; end: number }[]): string {
  const characters = text.split('')
  for (const { start, end } of spans) characters.fill('.', start, end)
  return characters.join('')
}
