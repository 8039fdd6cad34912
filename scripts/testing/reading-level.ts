import { fleschKincaid } from 'flesch-kincaid'
import { syllable } from 'syllable'

/** Grade for which a text is written (Flesch-Kincaid), from its sentences. */
export interface ReadingLevel {
  sentences: number
  words: number
  grade: number
}

/** A label of one or two words says nothing about reading. */
const MIN_WORDS = 4

/** The level of English texts, tags and placeholders left out; each text is one sentence at least. */
export function readingLevelOf(texts: readonly string[]): ReadingLevel {
  const sentences = texts
    .flatMap(sentencesOf)
    .map(wordsOf)
    .filter(({ length }) => length >= MIN_WORDS)
  const words = sentences.flat()
  const counts = { sentence: sentences.length, word: words.length, syllable: syllable(words.join(' ')) }
  return { sentences: counts.sentence, words: counts.word, grade: Math.round(fleschKincaid(counts) * 10) / 10 }
}

const sentencesOf = (text: string) =>
  text
    .replace(/<\/(p|li|h\d|summary|td|th|dt|dd)>/g, '. ')
    .replace(/<[^>]*>/g, '')
    .replace(/https?:\S+/g, 'link')
    .split(/(?<=[.?!:;])\s+/)
const wordsOf = (sentence: string) =>
  sentence.replace(/\{\{\w+\}\}/g, 'Qatar').match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
