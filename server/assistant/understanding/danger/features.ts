import { clean } from '../tokenizer.ts'

/** Size of the hashed feature space; a power of two. */
export const FEATURE_BITS = 18
const FEATURE_MASK = (1 << FEATURE_BITS) - 1

const MAX_CHARACTERS = 1000
/** Scripts written with or without spaces: n-grams span word boundaries. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー々]+$/u
const TOKEN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー々]+|[\p{L}\p{M}\p{N}']+|[!?🆘😭]/gu
const NUMBER = /^\d+$/

export interface Features {
  /** Distinct indices below 2^FEATURE_BITS. */
  indices: Uint32Array
  /** One value per index; the vector has length 1. */
  values: Float32Array
}

/** Words and character n-grams of a message as a sparse vector of unit length. */
export function featuresOf(text: string): Features {
  const counts = new Map<number, number>()
  const add = (kind: string, feature: string, weight = 1) => {
    const index = hash(`${kind}${feature}`) & FEATURE_MASK
    counts.set(index, (counts.get(index) ?? 0) + weight)
  }
  const tokens = tokensOf(text)
  for (const [at, token] of tokens.entries()) {
    add('w', token)
    const next = tokens[at + 1]
    if (next) add('b', `${token} ${next}`)
    const afterNext = tokens[at + 2]
    if (afterNext) add('s', `${token} ${afterNext}`)
    if (UNSPACED.test(token)) addGrams(token, 1, 4, (gram) => add('g', gram))
    else addGrams(`<${token}>`, 2, 5, (gram) => add('c', gram, 0.7))
  }
  const unspaced = tokens.filter((token) => UNSPACED.test(token))
  if (unspaced.length > 1) addGrams(unspaced.join(''), 2, 3, (gram) => add('g', gram))
  return normalized(counts)
}

function tokensOf(text: string): string[] {
  const plain = clean(text.slice(0, MAX_CHARACTERS)).replace(/(\p{L})\1{2,}/gu, '$1')
  return (plain.match(TOKEN) ?? []).map((token) => (NUMBER.test(token) ? '0' : token))
}

function addGrams(text: string, shortest: number, longest: number, add: (gram: string) => void) {
  const letters = [...text]
  for (let length = shortest; length <= longest; length++)
    for (let from = 0; from + length <= letters.length; from++) add(letters.slice(from, from + length).join(''))
}

function normalized(counts: ReadonlyMap<number, number>): Features {
  const indices = Uint32Array.from(counts.keys())
  // Sublinear, so that a word repeated ten times does not hide the others.
  const values = Float32Array.from(counts.values(), (count) => Math.log1p(count))
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return { indices, values: values.map((value) => value / (length || 1)) }
}

/** FNV-1a over UTF-16 code units. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value ^= value >>> 15
  value = Math.imul(value, 0x2c1b3c6d)
  return (value ^ (value >>> 12)) >>> 0
}
