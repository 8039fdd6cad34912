import { present } from '#shared/assert.ts'
import { fold } from '#shared/countries/fold.ts'

/** A word of a script with spaces, or a run of characters of one without. */
export interface Word {
  text: string
  /** Forms to look the word up by, itself first: "للرياض" also as "الرياض". */
  forms: readonly string[]
  start: number
  end: number
  /** Index of its sentence. */
  sentence: number
  kind: 'latin' | 'arabic' | 'devanagari' | 'hangul' | 'han'
}

/** A tokenised question. Offsets refer to `text`. */
export interface Words {
  text: string
  list: readonly Word[]
  /** The text without spaces, for scripts in which they are missing or optional. */
  compact: string
  /** Offset in `text` of each character of `compact`. */
  at: Int32Array
  /** Whether a word may start at a character of `compact`. */
  begins: Uint8Array
}

/** Maximum length of a message; longer input is truncated. */
const MAX_CHARACTERS = 20_000

// Invisible characters are dropped, including joiners, which only shape letters.
const UNSEEN = /\p{Cf}|\u034F|[\uFE00-\uFE0F]/gu
const CONTROL = /\p{Cc}+/gu
// Nukta and chandrabindu are often omitted or interchanged in Devanagari.
const NUKTA = /\u093C/gu
const CHANDRABINDU = /\u0901/gu
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/gu

/** Folds a text and undoes disguises: control characters, bidirectional overrides, digits of other scripts. */
export function clean(text: string): string {
  return fold(text.slice(0, MAX_CHARACTERS).replace(CONTROL, ' ').replace(UNSEEN, ''))
    .replace(NUKTA, '')
    .replace(CHANDRABINDU, '\u0902')
    .replace(DIGITS, (digit) => String((digit.charCodeAt(0) - (digit < '\u0900' ? 0 : 6)) & 0xf))
}

const RUN =
  /(\p{sc=Hangul}+)|((?:\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|[ー々〆ヶ])+)|([\p{sc=Arabic}]+)|((?:\p{sc=Devanagari})+)|((?:(?!\p{sc=Hangul}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Arabic}|\p{sc=Devanagari})[\p{L}\p{M}\p{N}'])+)/gu
const KINDS = ['hangul', 'han', 'arabic', 'devanagari', 'latin'] as const
// A full stop inside "u.s.a." does not end a sentence.
const SENTENCE_END = /\. |[!?;।。！？؟…]/u

/** Tokenises a question. */
export function read(question: string): Words {
  return cut(clean(question))
}

/** The same for a text that is already clean. */
export function cut(text: string): Words {
  const list = tokenize(text)
  return { text, list, ...squeeze(text, list) }
}

/** Only the words of a text that is already clean. */
export const tokenize = (text: string): Word[] => joinInitials(text, listWords(text))

function listWords(text: string): Word[] {
  const list: Word[] = []
  let sentence = 0
  let last = 0
  for (const match of text.matchAll(RUN)) {
    if (list.length > 0 && SENTENCE_END.test(text.slice(last, match.index))) sentence++
    const kind = present(KINDS[match.slice(1).findIndex((group) => group !== undefined)], 'a script')
    list.push(...splitRun(match[0], match.index, sentence, kind))
    last = match.index + match[0].length
  }
  return list
}

// "l'église", "dell'ambasciata": an elided article or pronoun is a word of its own.
const ELIDED = new Set(
  'l d j n m t s c qu jusqu lorsqu puisqu quelqu all dall dell nell sull un quest quell com cos dov quant sant'.split(
    ' ',
  ),
)

const LONGEST_ELIDED = 8

function splitRun(run: string, start: number, sentence: number, kind: Word['kind']): Word[] {
  if (kind !== 'latin') {
    const forms = kind === 'arabic' ? arabicForms(run) : [run]
    return [{ text: run, forms, start, end: start + run.length, sentence, kind }]
  }
  const words: Word[] = []
  let from = 0
  for (let quote = run.indexOf("'"); quote >= 0; quote = run.indexOf("'", quote + 1)) {
    if (quote - from > LONGEST_ELIDED) continue
    const before = run.slice(from, quote)
    if (ELIDED.has(before) && run.length - quote > 1) {
      words.push(latinWord(before, start + from, sentence))
      from = quote + 1
    }
  }
  const rest = latinWord(run.slice(from), start + from, sentence)
  return rest.text === '' ? words : [...words, rest]
}

function latinWord(raw: string, start: number, sentence: number): Word {
  const text = raw.replaceAll("'", '')
  const forms = [text]
  const [, owner] = /^(.{2,})'[sy]$/u.exec(raw) ?? []
  if (owner) forms.push(owner)
  // "heeelp", "pleaseee"
  if (/(\p{L})\1\1/u.test(text)) {
    forms.push(text.replace(/(\p{L})\1{2,}/gu, '$1'), text.replace(/(\p{L})\1{2,}/gu, '$1$1'))
  }
  return { text, forms, start, end: start + raw.length, sentence, kind: 'latin' }
}

const PROCLITICS = [
  'و',
  'ف',
  'ب',
  'ل',
  'ك',
  'ال',
  'وال',
  'فال',
  'بال',
  'كال',
  'وبال',
  'وب',
  'ول',
  'فب',
  'فل',
  'هال',
  'عال',
]
const PROCLITICS_WITH_ARTICLE = ['لل', 'ولل', 'فلل']

/** "And not", "and in": too short to be recognised by their letters alone. */
const SMALL_AFTER_AND = new Set('وما ولا ومن وفي ولم ولن وهو وهي ومش ومو'.split(' '))

/** "بالرياض", "والرياض" and "للرياض" are all forms of "الرياض". */
function arabicForms(word: string): string[] {
  const forms = [word]
  const add = (form: string) => {
    if (form.length >= 3 && !forms.includes(form)) forms.push(form)
  }
  for (const prefix of PROCLITICS) {
    if (!word.startsWith(prefix)) continue
    add(word.slice(prefix.length))
    if (prefix.length > 2) add(`ال${word.slice(prefix.length)}`)
  }
  if (SMALL_AFTER_AND.has(word)) forms.push(word.slice(1))
  for (const prefix of PROCLITICS_WITH_ARTICLE) {
    if (!word.startsWith(prefix)) continue
    add(word.slice(prefix.length))
    add(`ال${word.slice(prefix.length)}`)
  }
  return forms
}

/** "U.S.A." is usually written as one word; "U.S." is not "us". */
function joinInitials(text: string, words: Word[]): Word[] {
  const joined: Word[] = []
  for (const word of words) {
    const last = joined.at(-1)
    const isInitial = word.kind === 'latin' && word.text.length === 1
    if (
      last &&
      isInitial &&
      last.kind === 'latin' &&
      isInitials(text, last) &&
      text.slice(last.end, word.start) === '.'
    ) {
      const letters = last.text.replaceAll('.', '') + word.text
      const whole = letters.length > 2 ? letters : `${last.text}.${word.text}`
      joined[joined.length - 1] = { ...last, text: whole, forms: [whole], end: word.end }
    } else joined.push(word)
  }
  return joined
}

const isInitials = (text: string, { start, end, text: letters }: Word) =>
  end - start === 1 || (text[start + 1] === '.' && end - start === letters.replaceAll('.', '').length * 2 - 1)

function squeeze(text: string, list: readonly Word[]): Pick<Words, 'compact' | 'at' | 'begins'> {
  const at = new Int32Array(text.length)
  const begins = new Uint8Array(text.length)
  const isStart = new Uint8Array(text.length + 1)
  for (const { start } of list) isStart[start] = 1
  let length = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === ' ') continue
    at[length] = index
    begins[length] = isStart[index]!
    length++
  }
  return { compact: text.replaceAll(' ', ''), at: at.subarray(0, length), begins: begins.subarray(0, length) }
}
