import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { fold } from '#shared/countries/fold.ts'
import { isSmallWord } from '../understanding/vocabulary.ts'

/** Numbers of a text in Latin digits, without the signs that group them: '+966 50-123' is 966, 50 and 123. */
export function numbersIn(text: string): string[] {
  // NFKC makes full-width digits plain; the others keep their own code points.
  const plain = text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
  return plain.match(/\d+/g) ?? []
}

/** Decimal digits stand in rows of ten in Unicode, each row beginning with its zero. */
function digitOf(character: string): number {
  const code = character.codePointAt(0)!
  if (code < 128) return code - 48
  let zero = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--
  return code - zero
}

const ADDRESS =
  /\b(?:[a-z][a-z\d+.-]*:\/\/|www\.)\S+|\b[^\s@]+@[^\s@]+|\b[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.[a-z]{2,24}\b(?:\/\S*)?/giu

/** True where a text holds an address of the web or of mail that another does not. */
export function readsLikeAddress(text: string, known: string): boolean {
  const allowed = known.toLowerCase()
  return (text.match(ADDRESS) ?? []).some(
    (address) => !allowed.includes(address.toLowerCase().replace(/[.,;:!?)]+$/, '')),
  )
}

const WITHOUT_SPACES: ReadonlySet<AssistantLanguage> = new Set(['zh', 'ja', 'ko'])
const STEM = 5
const SHORTEST = 4

/** What a text is about, for comparing: beginnings of its longer words, or pairs of letters where words are not spaced. */
export const distinctParts = (language: AssistantLanguage, text: string): string[] => [
  ...new Set(partsOf(language, text)),
]

/** The same in their order, each as often as it stands there, without the small words that every sentence has. */
export const orderedParts = (language: AssistantLanguage, text: string): string[] =>
  partsOf(language, text, (word) => !isSmallWord(word))

function partsOf(language: AssistantLanguage, text: string, isMeant = (_: string) => true): string[] {
  const isSpaced = !WITHOUT_SPACES.has(language)
  return (fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((word) => {
    // A name in Latin letters is a word in any language.
    if (isSpaced || /^[\p{sc=Latin}\p{N}]+$/u.test(word))
      return word.length >= SHORTEST && isMeant(word) ? [word.slice(0, STEM)] : []
    const letters = [...word]
    return letters.slice(1).map((letter, at) => letters[at]! + letter)
  })
}

/** How much in a row may be a model's own: two words, or some six letters where words are not spaced. */
export const longestAdded = (language: AssistantLanguage) => (WITHOUT_SPACES.has(language) ? 6 : 2)

/** How much of that a part takes up: a word in Latin letters is no pair of letters. */
export const lengthAdded = (language: AssistantLanguage, part: string) =>
  WITHOUT_SPACES.has(language) && part.length > 2 ? 3 : 1

/** Words that turn a statement into its opposite. */
const NO: Record<AssistantLanguage, RegExp> = {
  en: /\b(?:no|not|never|none|nobody|nothing|without|cannot|neither|nor)\b|n['’]t\b/i,
  tl: /\b(?:hindi|wala|walang|huwag|ayaw|di)\b/i,
  es: /\b(?:no|nunca|jamás|ningún|ninguna?|nadie|nada|sin|tampoco)\b/i,
  fr: /\b(?:ne|pas|jamais|aucune?|personne|rien|sans)\b|\bn['’]/i,
  it: /\b(?:non|mai|nessun[oa]?|niente|nulla|senza)\b/i,
  pt: /\b(?:não|nunca|jamais|nenhuma?|ninguém|nada|sem)\b/i,
  de: /\b(?:nicht|kein\w*|nie|niemals|niemand|nichts|ohne)\b/i,
  ar: /(?:^|[\s،.])(?:لا|لم|لن|ليس\S*|غير|بدون|دون|ما من|لست)(?=\s)/,
  hi: /नहीं|(?<![\p{L}\p{M}])(?:न|मत|बिना)(?![\p{L}\p{M}])/u,
  zh: /不|没|沒|无|無|未|勿|别|別/,
  ja: /ない|ません|なく|ず(?:に|、|。)|無/,
  ko: /않|없|아니|못|말(?:고|아)/,
}

/** How often a text denies something, by the words of its language. */
export const timesNo = (language: AssistantLanguage, text: string): number =>
  [...text.matchAll(new RegExp(NO[language], `g${NO[language].flags}`))].length
