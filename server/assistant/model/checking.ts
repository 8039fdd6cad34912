import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { withoutTokens } from './links.ts'
import type { Sayable } from './prompt.ts'
import {
  distinctParts,
  lengthAdded,
  longestAdded,
  numbersIn,
  orderedParts,
  readsLikeAddress,
  timesNo,
} from './wording.ts'

const ID = /\[(S\d+)\]/g
/** So much of what a line says must stand in the statements it cites. */
const LEAST_SHARED = 0.5

/** Where something else may begin. */
const SENTENCE_END = /[.!?:;…]["'”»“)\]]*(?=\s|$)|[。！？：；؟؛।]/u

export interface CheckedLine {
  /** Without the ids. */
  text: string
  isItem: boolean
  cites: string[]
}

/**
 * A line of a model, or null where it may not be shown: it cites nothing or something that was not given, holds an
 * address or a number that its statements do not, says no where they say yes or the other way round, or has a sentence that has too little in
 * common with them.
 */
export function checkLine(
  line: string,
  { language, statements }: { language: AssistantLanguage; statements: ReadonlyMap<string, Sayable> },
): CheckedLine | null {
  const cites = [...new Set([...line.matchAll(ID)].map(([, id]) => id!))]
  const cited = cites.map((id) => statements.get(id))
  if (cites.length === 0 || cited.some((statement) => statement === undefined)) return null
  const bare = line.replace(ID, '').trim()
  const isItem = /^[-*•]\s/.test(bare)
  const text = bare.replace(/^[-*•#>\s]+/, '').trim()
  const said = withoutTokens(text)
  const known = withoutTokens(cited.map((statement) => statement!.text).join(' '))
  if (said.trim() === '' || readsLikeAddress(said, known)) return null
  const numbers = new Set(numbersIn(known))
  if (numbersIn(said).some((number) => !numbers.has(number))) return null
  if (isTurnedRound(timesNo(language, said), timesNo(language, known))) return null
  return distinctParts(language, said).length > 0 && addsNothing(language, said, known) ? { text, isItem, cites } : null
}

/** A no too many turns a statement round, and so does the loss of its only one. */
const isTurnedRound = (said: number, known: number) => said > known || (said === 0 && known > 0)

/** Neither a sentence of its own nor more than a few words in a row that the statements do not have. */
function addsNothing(language: AssistantLanguage, said: string, known: string): boolean {
  const given = new Set(distinctParts(language, known))
  let added = 0
  for (const part of orderedParts(language, said)) {
    added = given.has(part) ? 0 : added + lengthAdded(language, part)
    if (added > longestAdded(language)) return false
  }
  return said
    .split(SENTENCE_END)
    .filter((sentence) => /\p{L}/u.test(sentence))
    .every((sentence) => {
      const parts = orderedParts(language, sentence)
      if (parts.length === 0) return known.includes(sentence.trim())
      return parts.filter((part) => given.has(part)).length / parts.length >= LEAST_SHARED
    })
}
