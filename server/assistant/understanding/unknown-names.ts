import { isPersonBefore } from './ambiguous-places.ts'
import { hitsOf, type SenseHit } from './senses.ts'
import { clean, type Word, type Words } from './tokenizer.ts'

/** A question in which to look for a name. */
export interface NameRequest {
  raw: string
  words: Words
  hits: readonly SenseHit[]
  /** Is a common word of some language. */
  isWord: (word: string) => boolean
  /** German capitalises every noun. */
  isGerman: boolean
}

const SHORTEST = 4
const LONGEST = 40

/** Words before a location or destination, folded. */
const PLACE_BEFORE = new Set(
  `in at to into inside near around sa en al aux au em na no nach im nel nella per para pour hacia vers verso papuntang punta
   patungong fi fe mein`.split(/\s+/),
)
/** After these, only a capitalised word is a name. */
const DOUBTFUL_BEFORE = new Set('to at al no per para pour na a'.split(' '))
/** Times and things in questions about safety, in addition to those in the word lists. */
const NO_PLACES = new Set(
  `winter summer spring autumn ramadan christmas easter january february march april june july august september october
   november december general public traffic crowds airplane airplanes plane restaurants hotels streets reality fact pasko
   taglamig tag-init semana santa invierno verano hiver sommer inverno estate verao winter`.split(/\s+/),
)
const ARTICLES = new Set('the el la las los le les il lo o os as der die das den dem l'.split(' '))
/** Words that may introduce a name: "and Zubrowka?", "is Zubrowka safe?", "about Zubrowka". */
const LEADS_ON = new Set(
  'and or about for is are at y e et o und oder oppure sobre uber of de di do da about kung paano sina'.split(' '),
)

/**
 * The name of an unknown place, as written: a name after "in" or with a capital that is in no list. Null if there is
 * none. Used only if no known place was found.
 */
export function unknownName({ raw, words, hits, isWord, isGerman }: NameRequest): string | null {
  // A travel question only names a country; one about documents or the police may name something else.
  const isOfCountry = hitsOf(hits, 'intents', 'travel_inquiry').length > 0
  const isFree = ({ start, end }: Word) => !hits.some((hit) => start < hit.end && hit.start < end)
  const written = writtenWords(raw)
  const name = words.list.find((word, index) => {
    if (!isFree(word) || word.text.length > LONGEST) return false
    if (word.kind === 'latin') return isLatinName(words, word, index, { written, isWord, isGerman })
    if (word.kind === 'arabic') return isArabicName(word, words.list[index - 1])
    if (!isOfCountry) return false
    if (word.kind === 'devanagari')
      return word.text.length >= SHORTEST && POSTPOSITION.test(words.list[index + 1]?.text ?? '')
    return word.kind === 'hangul' && isKoreanName(word, words.list[index + 1])
  })
  if (name) return nameIn(name, written, raw)
  return isOfCountry ? inCharacters(words, hits) : null
}

function isLatinName(
  { list, text }: Words,
  { text: word, start }: Word,
  at: number,
  { written, isWord, isGerman }: { written: SpellingResult } & Pick<NameRequest, 'isWord' | 'isGerman'>,
): boolean {
  if (word.length < SHORTEST || !/^\p{L}+$/u.test(word) || isWord(word) || NO_PLACES.has(word)) return false
  const before = list[at - 1]?.text ?? ''
  const leading = ARTICLES.has(before) ? (list[at - 2]?.text ?? '') : before
  const hasCapital = written.capitals.has(word)
  if (hasCapital && isPersonBefore(text, start)) return false
  if (PLACE_BEFORE.has(leading)) return hasCapital || !DOUBTFUL_BEFORE.has(leading)
  // Nothing but the name, or the name and a word that introduces it.
  if (list.length <= 2 && (at === 0 || LEADS_ON.has(before))) return true
  return hasCapital && !isGerman && at > 0
}

/** Whether a span is in the position of a place name, or is capitalised. */
export function isMeantAsName(
  raw: string,
  { list, text }: Words,
  { start, end }: { start: number; end: number },
): boolean {
  const before = list
    .filter((word) => word.end <= start)
    .slice(-2)
    .map((word) => word.text)
  return (
    PLACE_BEFORE.has(before.at(-1) ?? '') ||
    (ARTICLES.has(before[1] ?? '') && PLACE_BEFORE.has(before[0] ?? '')) ||
    writtenWords(raw).capitals.has(text.slice(start, end).replace(/ .*$/s, ''))
  )
}

/** Folded words as written in a question. */
export function asWritten(raw: string, folded: string): string {
  const { asWritten: written } = writtenWords(raw)
  return folded
    .split(' ')
    .map((word) => written.get(word) ?? word)
    .join(' ')
}

const IN_ARABIC = /^(?:في|فى|الي|إلى|ب|عن)$/u

const isArabicName = ({ text }: Word, before: Word | undefined) =>
  text.length >= SHORTEST && IN_ARABIC.test(before?.text ?? '')

/** "in", "to", "of" in Hindi. */
const POSTPOSITION = /^(?:में|मे|की|के|का|से|को)$/u
/** A name of at least three syllables with a particle. */
const KOREAN_NAME = /^\p{sc=Hangul}{3,}(?:은|는|이|가|에서|에|로|의)$/u
const KOREAN_PARTICLE = /(?:은|는|이|가|에서|에|로|의)$/u

/** Topics that directly follow a place name. */
const KOREAN_TOPIC = /^(?:여행|안전|위험|비자|대사관|경찰|긴급|입국)/u

const isKoreanName = ({ text }: Word, next: Word | undefined) =>
  KOREAN_NAME.test(text) || (text.length >= 3 && next !== undefined && KOREAN_TOPIC.test(next.text))

/** Japanese writes foreign names in katakana; in Chinese, they directly precede the topic. */
function inCharacters({ text }: Words, hits: readonly SenseHit[]): string | null {
  const letters = text.split('')
  for (const { start, end } of hits) letters.fill(' ', start, end)
  const left = letters.join('')
  const katakana = /[\p{sc=Katakana}ー]{3,}/u.exec(left)?.[0]
  if (katakana) return katakana
  if (/\p{sc=Hiragana}/u.test(text)) return null
  const han = /\p{sc=Han}{3,8}/u.exec(left.replace(SMALL_HAN, ' '))?.[0]
  return han ?? null
}

const SMALL_HAN =
  /请问|現在|现在|那里|那裡|哪里|什么|怎么样|如何|可以|我们|旅游|旅行|[我你您他她在去到的了吗嗎呢是有和与跟也很不安全危险]/gu

interface SpellingResult {
  /** Folded words with an initial capital. Words all in capitals are institutions. */
  capitals: ReadonlySet<string>
  /** Original spelling by folded form. */
  asWritten: ReadonlyMap<string, string>
}

function writtenWords(raw: string): SpellingResult {
  const tokens = raw.match(/[\p{L}\p{M}'’]+/gu) ?? []
  const isShouted = raw === raw.toUpperCase()
  return {
    capitals: new Set(isShouted ? [] : tokens.filter((token) => /^\p{Lu}\p{Ll}/u.test(token)).map(clean)),
    asWritten: new Map(tokens.map((token) => [clean(token), token])),
  }
}

function nameIn(word: Word, { asWritten }: SpellingResult, raw: string): string {
  if (word.kind === 'hangul') return word.text.replace(KOREAN_PARTICLE, '')
  const name = asWritten.get(word.text) ?? word.text
  const further = new RegExp(`${name}\\s+(\\p{Lu}[\\p{L}\\p{M}]+)`, 'u').exec(raw)?.[1]
  return further ? `${name} ${further}` : name
}
