import { DANGERS, type Danger } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { readSigns, type Sign } from '../lexicon/signs.ts'
import { compiling, type Hit, type Matcher } from './matcher.ts'
import { PARTICLES } from './particles.ts'
import type { Steps } from './steps.ts'
import type { Words } from './tokenizer.ts'
import { verbForms } from './verb-forms.ts'

/** Signs that together mean danger, and exceptions: an embassy may keep a passport. */
interface Rule {
  together: readonly [Sign, ...Sign[]]
  unless?: Sign
}

const together = (...signs: Rule['together']): Rule => ({ together: signs })

const RULES: Partial<Record<Danger, readonly Rule[]>> = {
  self_harm: [
    together('despair'),
    together('height', 'farewell'),
    together('means', 'farewell'),
    together('settled', 'tonight'),
  ],
  violence: [
    together('violence'),
    together('threat'),
    together('harm', 'person'),
    together('harm', 'child'),
    together('touch', 'person'),
    together('touch', 'body'),
    together('touch', 'child'),
    together('intrude', 'person'),
    together('intrude', 'child'),
    together('nude', 'person'),
    together('nude', 'made'),
    together('weapon', 'person'),
    together('weapon', 'hiding'),
    together('weapon', 'siege'),
    together('weapon', 'child'),
    together('hiding', 'siege'),
    together('weapon', 'harm'),
    together('told', 'reprisal'),
    together('cruel'),
    together('video', 'spread', 'person'),
    together('marry', 'made'),
    together('pregnant', 'harm'),
    together('pregnant', 'made'),
  ],
  trafficking: [
    together('unpaid'),
    together('locked'),
    together('confined'),
    together('sold'),
    together('wage', 'take'),
    together('phone', 'take'),
    together('toil', 'toil'),
    together('toil', 'phone'),
    together('debt', 'bound'),
    together('men', 'made'),
    together('fled', 'person'),
    together('fled', 'destitute'),
    together('left', 'destitute'),
    together('left', 'left'),
    together('left', 'alone'),
    together('left', 'pregnant'),
    together('cruel'),
    together('cheat', 'compelled'),
  ],
  withheld_passport: [
    together('take', 'document'),
    { together: ['keep', 'document', 'person'], unless: 'rightful' },
    together('refuse', 'document', 'person'),
    { together: ['recover', 'document', 'person'], unless: 'rightful' },
    { together: ['document', 'person', 'dark'], unless: 'rightful' },
  ],
}

/** Mentions someone in power together with the night, tears or money, without asking for anything. */
const TROUBLE: readonly { rule: Rule; dangers: Danger[] }[] = [
  { rule: { together: ['dark', 'kin'], unless: 'light' }, dangers: ['violence'] },
  { rule: { together: ['dark', 'person'], unless: 'light' }, dangers: ['violence', 'trafficking'] },
]

/** Combined signs of a question. */
export interface SignResult {
  dangers: Danger[]
  /** Possible danger, unless the question is about something else; `signs` counts its evidence. */
  trouble: { dangers: Danger[]; signs: number } | null
}

/** Signs further apart are unrelated. Scripts without spaces need fewer characters. */
const MAX_BETWEEN = 140
const MAX_BETWEEN_HAN = 60

type SignHit = Hit<Sign>

/** Detects danger from combinations of signs, in the possible languages. */
export function* learnSigns(
  languages: readonly AssistantLanguage[],
  isSpeltWell: (word: string) => boolean,
): Steps<(words: Words, languages: Iterable<AssistantLanguage>, isMoving: (hit: SignHit) => boolean) => SignResult> {
  const matchers = new Map<AssistantLanguage, Matcher<Sign>>()
  for (const language of languages) {
    const made = yield* compiling(entriesOf(language), {
      typos: { leastLetters: 5, leastAlone: 6, isKnown: isSpeltWell },
      particlesOf: () => PARTICLES[language],
    })
    matchers.set(language, made)
  }
  return (words, spoken, isMoving) => {
    const found = [...spoken].flatMap((language) => matchers.get(language)?.find(words) ?? [])
    const bySign = Map.groupBy(
      found.filter((hit) => !(hit.label === 'despair' && isMoving(hit))),
      ({ label }) => label,
    )
    const isFound = (danger: Danger) => (RULES[danger] ?? []).some((rule) => isMet(rule, bySign, words.text))
    const trouble = TROUBLE.find(({ rule }) => isMet(rule, bySign, words.text))
    return {
      dangers: DANGERS.filter(isFound),
      trouble: trouble ? { dangers: trouble.dangers, signs: placesOf(bySign.get('dark') ?? []) } : null,
    }
  }
}

const placesOf = (hits: readonly SignHit[]) => new Set(hits.map(({ start }) => start)).size

function* entriesOf(language: AssistantLanguage): Generator<readonly [Sign, string]> {
  for (const [sign, list] of Object.entries(readSigns(language)) as [Sign, string[]][]) {
    for (const entry of list) for (const form of verbForms(entry, language)) yield [sign, form]
  }
}

function isMet({ together: [first, ...others], unless }: Rule, bySign: ReadonlyMap<Sign, SignHit[]>, text: string) {
  if (unless && bySign.has(unless)) return false
  const anchors = bySign.get(first) ?? []
  return anchors.some((anchor) =>
    others.every((sign) => (bySign.get(sign) ?? []).some((hit) => areNear(text, anchor, hit))),
  )
}

/** Different words, close to each other. */
function areNear(text: string, hit: SignHit, other: SignHit): boolean {
  const [before, after] = hit.start <= other.start ? [hit, other] : [other, hit]
  if (after.start < before.end) return false
  const between = text.slice(before.end, after.start)
  const max = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Hangul}]/u.test(between) ? MAX_BETWEEN_HAN : MAX_BETWEEN
  return between.length <= max
}
