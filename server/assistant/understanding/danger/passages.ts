/** A cry for help may be part of another question, but a longer message is unlikely to come from a user in danger. */
const MAX_SENTENCES = 12
const SENTENCE_END = /[.!?;\n。！？؟।…]+/u

/** Shorter sentences are too ambiguous to be judged alone. */
const MIN_LETTERS = 14
const MIN_LETTERS_UNSPACED = 6

const WINDOW_WORDS = 8
const WINDOW_LETTERS_UNSPACED = 14
const MAX_WINDOWS = 12

const isUnspaced = (text: string) => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)

/** Sentences that are long enough to be judged alone, if the message has several. */
export function sentencesOf(text: string): string[] {
  const sentences = text.split(SENTENCE_END).filter(isLongEnough)
  return sentences.length > 1 ? sentences.slice(0, MAX_SENTENCES) : []
}

/** Overlapping runs of a few words, or of a few characters in scripts without spaces. */
export function windowsOf(text: string): string[] {
  if (isUnspaced(text)) return runsOf([...text], WINDOW_LETTERS_UNSPACED).map((run) => run.join(''))
  return runsOf(text.split(/\s+/), WINDOW_WORDS).map((run) => run.join(' '))
}

function isLongEnough(sentence: string): boolean {
  return (sentence.match(/\p{L}/gu) ?? []).length >= (isUnspaced(sentence) ? MIN_LETTERS_UNSPACED : MIN_LETTERS)
}

function runsOf<T>(items: readonly T[], length: number): T[][] {
  if (items.length <= length) return []
  const step = length / 2
  const count = Math.min(MAX_WINDOWS, Math.ceil((items.length - length) / step) + 1)
  return Array.from({ length: count }, (_, at) => items.slice(at * step, at * step + length))
}
