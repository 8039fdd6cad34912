import { fold } from '#shared/countries/fold.ts'

/** A word of a script with spaces, or a run of one without. */
export interface Word {
  text: string
  /** Every form it may be known by, itself first: "للرياض" also as "الرياض". */
  forms: readonly string[]
  start: number
  end: number
  /** Counts up at full stops, question and exclamation marks. */
  sentence: number
  kind: 'latin' | 'arabic' | 'devanagari' | 'hangul' | 'han'
}

/** A question ready to be looked through. Places are those in `text`. */
export interface Words {
  text: string
  list: readonly Word[]
  /** The text without spaces, for scripts that write none or that people write without. */
  compact: string
  /** Where each character of `compact` stands in `text`. */
  at: Int32Array
  /** Whether a word may begin at a character of `compact`. */
  begins: Uint8Array
}

/** A message may be no longer; whatever hands in more is read so far. */
const MAX_CHARACTERS = 20_000

// Marks that leave no trace in what is read. Joiners are there to shape letters.
const UNSEEN = /\p{Cf}|\u034F|[\uFE00-\uFE0F]/gu
const CONTROL = /\p{Cc}+/gu
// The dot under a Devanagari letter and the moon over a vowel are left out and put in at will.
const NUKTA = /\u093C/gu
const CHANDRABINDU = /\u0901/gu
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/gu

/** Folds a text and takes from it what is only there to look different: controls, direction overrides, other digits. */
export function clean(text: string): string {
  return fold(text.slice(0, MAX_CHARACTERS).replace(CONTROL, ' ').replace(UNSEEN, ''))
    .replace(NUKTA, '')
    .replace(CHANDRABINDU, '\u0902')
    .replace(DIGITS, (digit) => String((digit.charCodeAt(0) - (digit < '\u0900' ? 0 : 6)) & 0xf))
}

const RUN =
  /(\p{sc=Hangul}+)|((?:\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|[ー々〆ヶ])+)|([\p{sc=Arabic}]+)|((?:\p{sc=Devanagari})+)|((?:(?!\p{sc=Hangul}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Arabic}|\p{sc=Devanagari})[\p{L}\p{M}\p{N}'])+)/gu
const KINDS = ['hangul', 'han', 'arabic', 'devanagari', 'latin'] as const
// A full stop inside "u.s.a." ends nothing.
const SENTENCE_END = /\. |[!?;।。！？؟…]/u

/** Cuts a question into words. */
export function read(question: string): Words {
  return cut(clean(question))
}

/** The same of a text that is clean already. */
export function cut(text: string): Words {
  const list = tokenize(text)
  return { text, list, ...squeeze(text, list) }
}

/** Only the words of a text that is clean already. */
export const tokenize = (text: string): Word[] => joinInitials(text, listWords(text))

function listWords(text: string): Word[] {
  const list: Word[] = []
  let sentence = 0
  let last = 0
  for (const match of text.matchAll(RUN)) {
    if (list.length > 0 && SENTENCE_END.test(text.slice(last, match.index))) sentence++
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)]!
    list.push(...splitRun(match[0], match.index, sentence, kind))
    last = match.index + match[0].length
  }
  return list
}

// "l'église", "dell'ambasciata": an article or pronoun that lost its vowel stands for itself.
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
  const owner = /^(.{2,})'[sy]$/u.exec(raw)
  if (owner) forms.push(owner[1]!)
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

/** "And not", "and in": too short to be told by their letters alone. */
const SMALL_AFTER_AND = new Set('وما ولا ومن وفي ولم ولن وهو وهي ومش ومو'.split(' '))

/** "بالرياض", "والرياض" and "للرياض" are all "الرياض". */
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

/** "U.S.A." is written as one word by most; "U.S." is no "us". */
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
