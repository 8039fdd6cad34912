import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { isLocalized, type LanguageGuess, LOCALIZED_ABOVE } from './detection.ts'
import type { Understood } from './interpretation.ts'
import { hitsOf, type SenseHit } from './senses.ts'
import { isAddress } from './speech-acts.ts'
import type { Words } from './tokenizer.ts'

/** Fewer words of its own do not change the language of the conversation. */
const FEW = 3
/** Characters without spaces that count as one word. */
const HAN_PER_WORD = 2

interface LanguageEvidence {
  detected: LanguageGuess
  words: Words
  hits: readonly SenseHit[]
  /** Ignored, since place names are the same in many languages. */
  places: readonly { start: number; end: number }[]
  chosen: AssistantLanguage | null
  /** Language of the previous answer. */
  previous: AssistantLanguage | null
  interfaceLanguage: AssistantLanguage | undefined
}

/** The language of a question and of its answer. A word or two never change the language of a conversation. */
export function languageOf(
  evidence: LanguageEvidence,
): Pick<Understood, 'language' | 'languageConfidence' | 'isLocalized' | 'answerIn'> {
  const { detected, chosen, previous, interfaceLanguage } = evidence
  const { language, confidence } = detected
  const before = previous ?? interfaceLanguage ?? null
  const localized = isLocalized(language, confidence)
  const isSurelyEnglish = language === 'en' && confidence > LOCALIZED_ABOVE
  const isSure = localized || isSurelyEnglish
  const mayChange = before === null || before === language || saysItsLanguage(evidence)
  return {
    language,
    languageConfidence: confidence,
    isLocalized: localized,
    answerIn: chosen ?? (isSure && mayChange ? language : (before ?? 'en')),
  }
}

function saysItsLanguage({ detected: { language }, words, hits, places, previous }: LanguageEvidence): boolean {
  const social = [...hitsOf(hits, 'greetings'), ...hitsOf(hits, 'thanks')]
  const covered = new Uint8Array(words.text.length)
  for (const { start, end } of [...places, ...social]) covered.fill(1, start, end)
  const own = words.list.filter(({ start, text }) => covered[start] === 0 && !isAddress(text) && /\p{L}/u.test(text))
  const count = own.reduce((sum, { kind, start, end }) => sum + (kind === 'han' ? (end - start) / HAN_PER_WORD : 1), 0)
  if (count >= FEW) return true
  // An initial greeting decides the language. In another script, two words are enough.
  const isGreeting = own.length === 0 && hitsOf(hits, 'greetings').some(({ label }) => label.language === language)
  const isOtherScript = words.list.some(({ kind }) => kind !== 'latin')
  return (previous === null && (isGreeting || (isOtherScript && count > 0))) || (isOtherScript && count >= 2)
}
