import { lastOf } from '#shared/assert.ts'
import { type CharacterPattern, characterPattern, findCharacters } from './characters.ts'
import { complete, type Steps } from './steps.ts'
import { clean, tokenize, type Word, type Words } from './tokenizer.ts'
import { createTypos } from './typos.ts'

/** A match of an entry in a question. */
export interface Hit<L> {
  label: L
  /** Offsets in the text of the question; `end` is exclusive. */
  start: number
  end: number
  /** Specificity of the entry: its number of words, or half its characters in scripts without spaces. */
  weight: number
  /** Matched only by correcting a one-letter typo. */
  isGuess: boolean
  entry: string
}

export interface Matcher<L> {
  /** All matches, in no particular order. */
  find(words: Words): Hit<L>[]
}

export interface MatchOptions<L = unknown> {
  /** Tolerates one wrong letter in Latin words; `isKnown` are correctly spelt words. */
  typos?: { isKnown: (word: string) => boolean; leastLetters: number; leastAlone: number }
  /** Names keep their article: "المدينة" is Medina, "مدينة" is any city. */
  areNames?: boolean
  /** Particles do not count towards the gaps of an entry. */
  particlesOf?: (label: L) => ReadonlySet<string> | undefined
}

interface Step {
  word: string
  /** The entry is only the beginning of the word. */
  isOpen: boolean
  /** Maximum number of other words before it. */
  gap: number
}

interface WordPattern<L> {
  label: L
  entry: string
  steps: readonly Step[]
  weight: number
  /** Words that every match contains, for a quick rejection. */
  needs: readonly string[]
  /** Particles do not count towards its gaps. */
  particles: ReadonlySet<string> | undefined
}

const MAX_GAP = 4
/** Entries compiled per step. */
const STEP = 50
const LONGEST_STEM = 24
/** Typos are corrected only in this many words of a text. */
const MAX_GUESS_LENGTH = 200

/**
 * Compiles entries of a lexicon (see lexicon.ts). Words are looked up in maps rather than matched by regular
 * expressions, so that the time is linear to the length of any text.
 */
export const compile = <L>(entries: Iterable<readonly [L, string]>, options: MatchOptions<L> = {}): Matcher<L> =>
  complete(compiling(entries, options))

/** The same in steps, since there are tens of thousands of entries. */
export function* compiling<L>(
  entries: Iterable<readonly [L, string]>,
  options: MatchOptions<L> = {},
): Steps<Matcher<L>> {
  const byWord = new Map<string, WordPattern<L>[]>()
  const byStem = new Map<string, WordPattern<L>[]>()
  const characters: CharacterPattern<L>[] = []
  let read = 0
  for (const [label, entry] of entries) {
    if (++read % STEP === 0) yield
    if (/[\p{sc=Hangul}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(entry)) {
      characters.push(characterPattern(label, entry))
      continue
    }
    const pattern = wordPattern(label, entry, options)
    const first = pattern?.steps[0]
    if (pattern && first) push(first.isOpen ? byStem : byWord, first.word, pattern)
  }
  const findInCharacters = findCharacters(characters)
  const typos = options.typos && createTypos(byWord.keys(), byStem.keys(), options.typos)
  const isStrict = options.areNames === true && typos !== undefined

  function find(words: Words): Hit<L>[] {
    const hits = findInCharacters(words)
    const present = new Set(words.list.flatMap(({ forms }) => forms))
    const possible = new Map<WordPattern<L>, boolean>()
    const isPossible = (pattern: WordPattern<L>) => {
      let answer = possible.get(pattern)
      if (answer === undefined) {
        answer = pattern.needs.every((word) => present.has(word))
        possible.set(pattern, answer)
      }
      return answer
    }
    const fits = (word: Word, step: Step) => fitsExactly(word, step) || (typos?.fits(word, step) ?? false)
    for (const [at, word] of words.list.entries()) {
      const tried = new Set<WordPattern<L>>()
      const attempt = (patterns: readonly WordPattern<L>[] | undefined, isGuess: boolean) => {
        for (const pattern of patterns ?? []) {
          if (tried.has(pattern) || !isPossible(pattern)) continue
          if (isGuess && pattern.steps.length === 1 && pattern.steps[0]!.word.length < options.typos!.leastAlone)
            continue
          tried.add(pattern)
          const last = follow(words.list, at, pattern, fits)
          if (last < 0) continue
          const { label, weight, entry } = pattern
          // A name must be exact in all its words; other entries may have one typo among several words.
          const isUnsure = isGuess || (isStrict && follow(words.list, at, pattern, fitsExactly) < 0)
          hits.push({ label, entry, weight, isGuess: isUnsure, start: word.start, end: words.list[last]!.end })
        }
      }
      for (const form of word.forms) {
        attempt(byWord.get(form), false)
        if (byStem.size === 0) continue
        for (let length = 1; length <= Math.min(form.length, LONGEST_STEM); length++) {
          attempt(byStem.get(form.slice(0, length)), false)
        }
      }
      if (!typos || word.kind !== 'latin' || at >= MAX_GUESS_LENGTH) continue
      const near = typos.near(word.text)
      for (const meant of near.words) attempt(byWord.get(meant), true)
      for (const meant of near.stems) attempt(byStem.get(meant), true)
    }
    return hits
  }

  function wordPattern(
    label: L,
    entry: string,
    { areNames, typos, particlesOf }: MatchOptions<L>,
  ): WordPattern<L> | undefined {
    const steps = stepsOf(entry, areNames ?? false)
    if (steps.length === 0) return undefined
    // A word that may be misspelt need not occur literally.
    const needs = steps
      .filter(({ word, isOpen }) => !isOpen && !(typos && word.length >= typos.leastLetters))
      .map(({ word }) => word)
    return { label, entry, steps, needs, weight: steps.length, particles: particlesOf?.(label) }
  }

  return { find }
}

function stepsOf(entry: string, areNames: boolean): Step[] {
  const steps: Step[] = []
  let gap = 0
  for (const part of entry.split(/(\.\.|\s+|\*)/)) {
    if (part === '..') gap = MAX_GAP
    else if (part === '*' && steps.length > 0) lastOf(steps).isOpen = true
    else {
      for (const { text, kind } of tokenize(clean(part))) {
        const word = kind === 'arabic' && !areNames ? withoutArticle(text) : text
        steps.push({ word, isOpen: false, gap: steps.length > 0 ? gap : 0 })
        gap = 0
      }
    }
  }
  return steps
}

// Stripped from entry and text, so that "the church" and "a church" are the same.
const withoutArticle = (word: string) => (word.startsWith('ال') && word.length >= 5 ? word.slice(2) : word)

const fitsExactly = ({ forms }: Word, { word, isOpen }: Step) =>
  isOpen ? forms.some((form) => form.startsWith(word)) : forms.includes(word)

/** Earliest position of the last word when matching from `at`, or -1. */
function follow<L>(
  list: readonly Word[],
  at: number,
  { steps, particles }: Pick<WordPattern<L>, 'steps' | 'particles'>,
  fits: (word: Word, step: Step) => boolean,
): number {
  let places = [at]
  for (const step of steps.slice(1)) {
    const next: number[] = []
    for (const place of places) {
      let passed = 0
      for (let to = place + 1; passed <= step.gap && to < list.length; to++) {
        if (to > place + 1 && list[to]!.sentence !== list[place]!.sentence) break
        if (to > (next.at(-1) ?? -1) && fits(list[to]!, step)) next.push(to)
        if (!particles?.has(list[to]!.text)) passed++
      }
    }
    if (next.length === 0) return -1
    places = next
  }
  return places[0]!
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V) {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
