import { createRequire } from 'node:module'
import { ASSISTANT_LANGUAGE_CODES, type AssistantLanguage } from '#shared/assistant/languages.ts'
import { COMMON_WORDS } from './common-words.ts'
import { detectedAs, type LanguageGuess, LEAST_CONFIDENCE, NOTHING } from './detection.ts'
import { romanizedLanguage } from './romanized.ts'
import { arabicLanguage, devanagariLanguage, hanLanguage, scriptOf } from './scripts.ts'
import { clean, tokenize, type Words } from './tokenizer.ts'

type Latin = Exclude<keyof typeof COMMON_WORDS, 'other'>
const LATIN = ASSISTANT_LANGUAGE_CODES.filter((code): code is Latin => code in COMMON_WORDS)
/** Fewer words are too few for tinyld alone. */
const FEW_WORDS = 3

/** Languages of each word in the Latin lexicons. */
export type Vocabulary = ReadonlyMap<string, readonly Latin[]>

const COMMON = languagesByWord(
  Object.entries(COMMON_WORDS).map(([language, words]) => [language as Latin | 'other', words.split(/\s+/)]),
)

/**
 * Detects the language of a question by its script and, in Latin script, by stop words, words of the lexicons and
 * n-grams (tinyld). `interfaceLanguage` decides close cases in short questions.
 */
export function detectLanguage(
  raw: string,
  words: Words,
  { vocabulary, interfaceLanguage }: { vocabulary?: Vocabulary; interfaceLanguage?: AssistantLanguage } = {},
): LanguageGuess {
  const script = scriptOf(raw)
  if (script === 'latin') return latinLanguage(raw, words, vocabulary, interfaceLanguage)
  if (script === 'hangul') return detectedAs('ko', 0.99)
  if (script === 'arabic') return arabicLanguage(raw)
  if (script === 'devanagari') return devanagariLanguage(raw)
  if (script === 'han') return hanLanguage(raw, interfaceLanguage)
  return NOTHING
}

function latinLanguage(
  raw: string,
  words: Words,
  vocabulary: Vocabulary | undefined,
  interfaceLanguage: AssistantLanguage | undefined,
): LanguageGuess {
  // Words without a vowel are codes or typos.
  const latin = words.list.filter(({ kind, text }) => kind === 'latin' && (/[aeiouy]/.test(text) || COMMON.has(text)))
  if (latin.length === 0) return NOTHING
  const texts = latin.map(({ text }) => text)
  const isEnglish = (word: string) => isOf('en', COMMON.get(word)) || isOf('en', vocabulary?.get(word))
  const romanized = romanizedLanguage(texts, isEnglish)
  if (romanized) return detectedAs(romanized, ROMANIZED_CONFIDENCE)
  const scores = new Map<Latin | 'other', number>([...LATIN, 'other' as const].map((code) => [code, 0]))
  // A language without matched words has only the n-grams as evidence.
  const supported = new Set<Latin | 'other'>()
  const add = (codes: readonly (Latin | 'other')[] | undefined, weight: number) => {
    // Words shared by nearly all languages are no evidence.
    if (!codes || codes.length > 5) return
    for (const code of codes) {
      // Tagalog speakers mix in English, but not vice versa: "church" is evidence for English.
      if (code === 'tl' && codes.includes('en')) continue
      supported.add(code)
      scores.set(code, (scores.get(code) ?? 0) + weight / Math.sqrt(codes.length))
    }
  }
  for (const { text } of latin.slice(0, MAX_WORDS)) {
    add(COMMON.get(text), 1.5)
    add(vocabulary?.get(text), 1)
  }
  for (const [code, pattern] of MARKS) if (pattern.test(raw)) add([code], 2)
  const shares = tinyldShares(raw)
  const isShort = latin.length < FEW_WORDS
  const weight = Math.min(4, 1 + latin.length / 2)
  for (const [code, share] of shares) {
    const trust = supported.size > 0 && !supported.has(code) ? 0.4 : 1
    scores.set(code, (scores.get(code) ?? 0) + share * weight * trust)
  }
  if (isShort && interfaceLanguage && isLatin(interfaceLanguage)) add([interfaceLanguage], 1.2)
  return normalised(scores, [...shares.values()].length === 0)
}

const isOf = (code: Latin, codes: readonly (Latin | 'other')[] | undefined) => codes?.includes(code) ?? false

const ROMANIZED_CONFIDENCE = 0.8

/** This many words are sufficient to detect a language. */
const MAX_WORDS = 200

/** Letters used by few of the languages. */
const MARKS: readonly (readonly [Latin | 'other', RegExp])[] = [
  ['es', /[¿¡]|ción\b/iu],
  ['pt', /[ãõ]|ção\b|ções\b/iu],
  ['de', /[äöüß]/iu],
  ['fr', /[œèêùûëï]|\bqu['’]|ç[ao]/iu],
  ['it', /[òìù]\b|\b[àè]\b|\bperché\b/iu],
  ['other', /[ơưđăạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹłńśźżěřůőűğışåæøțș]|ŀl/iu],
]

function normalised(scores: ReadonlyMap<Latin | 'other', number>, isUntold: boolean): LanguageGuess {
  const highest = Math.max(...scores.values())
  if (highest <= 0 || (isUntold && highest < 0.5)) return NOTHING
  const powers = [...scores].map(([code, score]) => [code, score > 0 ? Math.exp(score - highest) : 0] as const)
  const sum = powers.reduce((total, [, power]) => total + power, 0)
  // Little evidence limits the confidence, however unanimous it is.
  const ground = highest / (highest + 0.35)
  const shares = powers
    .flatMap(([code, power]) => (code === 'other' ? [] : [{ language: code, share: (power / sum) * ground }]))
    .filter(({ share }) => share > 0.01)
    .sort((a, b) => b.share - a.share)
  const best = shares[0]
  const isOther = powers.some(([code, power]) => code === 'other' && power === 1)
  if (!best || isOther || best.share < LEAST_CONFIDENCE) return { ...NOTHING, shares }
  return { language: best.language, confidence: best.share, shares }
}

type Detector = Pick<typeof import('tinyld'), 'detectAll'>
let detector: Detector | undefined

// Takes about 200 ms and 49 MB, so it is loaded with the first question in Latin or Arabic script.
function tinyld(): Detector {
  detector ??= createRequire(import.meta.url)('tinyld') as Detector
  return detector
}

/** Preloads tinyld for the first question. */
export const warmUp = () => void tinyld()

/** Results of tinyld, as shares of the Latin languages and of other languages. */
function tinyldShares(raw: string): Map<Latin | 'other', number> {
  const found = tinyld().detectAll(raw.slice(0, 600), { only: [...LATIN, ...OTHERS] })
  const total = found.reduce((sum, { accuracy }) => sum + accuracy, 0)
  const shares = new Map<Latin | 'other', number>()
  for (const { lang, accuracy } of found) {
    const code = isLatin(lang) ? lang : 'other'
    shares.set(code, (shares.get(code) ?? 0) + accuracy / total)
  }
  return shares
}

const OTHERS = ['nl', 'vi']
const isLatin = (code: string): code is Latin => (LATIN as string[]).includes(code)

/** Words of the Latin lexicons by language. */
export const vocabularyOf = (words: Iterable<readonly [string, readonly string[]]>): Vocabulary =>
  languagesByWord([...words].filter((list): list is [Latin, readonly string[]] => isLatin(list[0])))

/** Alphabetic words of an entry. */
export const lettersOf = (entry: string): string[] =>
  tokenize(clean(entry))
    .filter(({ kind, text }) => kind === 'latin' && text.length > 1 && /^\p{L}+$/u.test(text))
    .map(({ text }) => text)

function languagesByWord<L>(lists: Iterable<readonly [L, Iterable<string>]>): Map<string, L[]> {
  const map = new Map<string, L[]>()
  for (const [language, words] of lists) {
    for (const word of new Set(words)) {
      const known = map.get(word)
      if (known) known.push(language)
      else map.set(word, [language])
    }
  }
  return map
}
