import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { hitsOf, type SenseHit } from './senses.ts'
import { clean, tokenize, type Words } from './tokenizer.ts'

/** An insult further away from the church than this is about something else. */
const MAX_CHARACTERS_BETWEEN = 60
const MAX_HAN_BETWEEN = 20

/** Whether a question asks to disparage the church or its leaders: a word for them with an insult nearby. */
export function isDisparaging(hits: readonly SenseHit[], words: Words): boolean {
  const churches = hitsOf(hits, 'disparaging', 'church').filter(({ isGuess }) => !isGuess)
  const insults = hitsOf(hits, 'disparaging', 'insult').filter(({ isGuess }) => !isGuess)
  return churches.some((church) =>
    insults.some((insult) => church.label.language === insult.label.language && areNear(words.text, church, insult)),
  )
}

function areNear(text: string, hit: SenseHit, other: SenseHit): boolean {
  const [first, last] = hit.start <= other.start ? [hit, other] : [other, hit]
  const between = text.slice(first.end, last.start)
  const max = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Hangul}/u.test(between) ? MAX_HAN_BETWEEN : MAX_CHARACTERS_BETWEEN
  return between.length <= max
}

/** Whether a question is a prompt injection: one explicit phrase, or two suspicious ones. */
export function isCommand(hits: readonly SenseHit[]): boolean {
  const found = hitsOf(hits, 'commands').filter(({ isGuess }) => !isGuess)
  return found.length >= 2 || found.some(({ weight }) => weight >= 2)
}

/** Whether the user wants a person instead of the assistant. */
export const wantsPerson = (hits: readonly SenseHit[]): boolean => hitsOf(hits, 'person').length > 0

/** Whether a question is only a greeting, with optional forms of address. */
export function isGreeting(hits: readonly SenseHit[], words: Words): boolean {
  const greetings = hitsOf(hits, 'greetings')
  return greetings.length > 0 && wordsBeside(words, greetings).every((word) => ADDRESSES.has(word))
}

/** Thanks may have a few more words: "thank you so much for your help". */
const MAX_BESIDE_THANKS = 4

/** Whether a message only thanks and asks nothing. */
export function isThanks(hits: readonly SenseHit[], words: Words): boolean {
  const thanks = hitsOf(hits, 'thanks')
  if (thanks.length === 0 || /[?？؟]/u.test(words.text)) return false
  const beside = wordsBeside(words, [...thanks, ...hitsOf(hits, 'greetings')]).filter((word) => !ADDRESSES.has(word))
  return beside.length === 0 || (beside.length <= MAX_BESIDE_THANKS && !hasQuestion(hits))
}

const hasQuestion = (hits: readonly SenseHit[]) =>
  hitsOf(hits, 'intents').some(({ label, weight }) => label.value !== 'general_inquiry' && weight >= 1)

const OTHER_ADDRESSES =
  'po opo there all everyone everybody friend friends dear sir maam mam madam bro sis brod sister brother assistant bot mfa portal team again さん 你们 大家 여러분 sa inyo kayo kapatid mga a todos tous alle zusammen tutti'

/** Forms of address in all languages that may accompany a greeting. */
const ADDRESSES = new Set(
  [...Object.values(ASSISTANT_LANGUAGES).flatMap(({ honorifics }) => [...honorifics]), OTHER_ADDRESSES].flatMap(
    (each) => tokenize(clean(each)).map(({ text }) => text),
  ),
)

/** A form of address, which has no meaning of its own. */
export const isAddress = (word: string): boolean => ADDRESSES.has(word)

/** Number of words outside these spans; text without spaces is counted by its remaining runs. */
function wordsBeside(words: Words, spans: readonly { start: number; end: number }[]): string[] {
  const characters = words.text.split('')
  for (const { start, end } of spans) characters.fill(' ', start, end)
  return tokenize(characters.join('')).map(({ text }) => text)
}
