import { firstOf, lastOf } from '#shared/assert.ts'
import { clean, type Words } from './tokenizer.ts'

/** An entry that is matched by character: Chinese, Japanese and Korean. */
export interface CharacterPattern<L> {
  label: L
  entry: string
  pieces: readonly Piece[]
  isKorean: boolean
  weight: number
}

interface Piece {
  text: string
  /** Any ending may follow. */
  isOpen: boolean
  /** Maximum number of other characters before it. */
  gap: number
  isLatin: boolean
}

const MAX_GAP = 8
/** About four Korean words with their particles. */
const MAX_KOREAN_GAP = 16
/** From this many syllables on, a Korean entry is hardly ever part of another word by chance. */
const SAFE_SYLLABLES = 3
const LONGEST_ENDING = 12

const SENTENCE_END = /[.!?;。！？…]/

/** Compiles an entry in Chinese, Japanese or Korean. */
export function characterPattern<L>(label: L, entry: string): CharacterPattern<L> {
  const isKorean = /\p{sc=Hangul}/u.test(entry)
  const pieces: Piece[] = []
  let gap = 0
  for (const part of entry.split(/(\.\.|\s+|\*)/)) {
    const text = clean(part).replaceAll(' ', '')
    if (part === '..') gap = isKorean ? MAX_KOREAN_GAP : MAX_GAP
    else if (part === '*' && pieces.length > 0) lastOf(pieces).isOpen = true
    else if (text !== '' && text !== '*') {
      pieces.push({ text, isOpen: false, gap: pieces.length > 0 ? gap : 0, isLatin: /^[a-z0-9]+$/.test(text) })
      gap = 0
    }
  }
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0)
  return { label, entry, pieces, isKorean, weight: isKorean ? pieces.length : Math.max(1, length / 2) }
}

/** Matches all patterns in one pass. */
export function findCharacters<L>(patterns: readonly CharacterPattern<L>[]) {
  const byTwo = Map.groupBy(patterns, ({ pieces }) => firstOf(pieces).text.slice(0, 2))
  const bySingle = new Map([...byTwo].filter(([characters]) => characters.length === 1))
  function* starting(compact: string, from: number) {
    if (from + 1 < compact.length) yield* byTwo.get(compact.slice(from, from + 2)) ?? []
    if (bySingle.size > 0) yield* bySingle.get(compact.charAt(from)) ?? []
  }
  const vocabulary = new Set(
    patterns.flatMap(({ isKorean, pieces }) => (isKorean ? pieces.map(({ text }) => text) : [])).filter(isWordish),
  )

  return function find(words: Words) {
    const hits: { label: L; entry: string; weight: number; isGuess: boolean; start: number; end: number }[] = []
    const { compact, at } = words
    if (patterns.length === 0 || !words.list.some(({ kind }) => kind === 'han' || kind === 'hangul')) return hits
    // Skips patterns with a piece that does not occur at all.
    const possible = new Map<CharacterPattern<L>, boolean>()
    const isPossible = (pattern: CharacterPattern<L>) => {
      const known = possible.get(pattern)
      if (known !== undefined) return known
      const answer = pattern.pieces.every(({ text }) => compact.includes(text))
      possible.set(pattern, answer)
      return answer
    }
    for (let from = 0; from < compact.length; from++) {
      for (const pattern of starting(compact, from)) {
        if (!isPossible(pattern)) continue
        const end = pattern.isKorean
          ? followKorean(words, from, pattern.pieces, vocabulary)
          : follow(words, from, pattern)
        if (end < 0) continue
        const { label, entry, weight } = pattern
        hits.push({ label, entry, weight, isGuess: false, start: at[from]!, end: at[end - 1]! + 1 })
      }
    }
    return hits
  }
}

/** End of the match that starts at `from`, or -1. */
function follow<L>({ compact, begins }: Words, from: number, { pieces }: CharacterPattern<L>): number {
  let place = from
  for (const { text, gap, isLatin } of pieces) {
    const window = compact.slice(place, place + gap + text.length)
    const found = window.indexOf(text)
    if (found < 0 || SENTENCE_END.test(window.slice(0, found))) return -1
    if (isLatin && !isWhole(compact, begins, place + found, text.length)) return -1
    place += found + text.length
  }
  return place
}

const isWhole = (compact: string, begins: Uint8Array, from: number, length: number) =>
  begins[from] === 1 && (begins[from + length] !== 0 || !/[a-z0-9]/.test(compact[from + length] ?? ''))

// Particles and the most common noun endings, which may be combined: "에서는", "으로도", "입니다".
const PARTICLES =
  '은 는 이 가 을 를 에 에서 에게 에게서 한테 한테서 으로 로 와 과 랑 이랑 하고 도 의 만 까지 부터 께 께서 나 이나 들 처럼 보다 마다 밖에 조차 쯤 씩 님 여 야 입니다 입니까 인데 인데요 이에요 예요 이예요 인가요 인지 이고 이며 이란 라고 이라고 요'.split(
    ' ',
  )
// Words often attached to a noun without a space.
const FOLLOWERS = /^(?:있|없|어디|언제|몇|알려|찾|좀|하|해|했|됐|되|된|받|주세|문의|관련|안내)/

function followKorean(words: Words, from: number, pieces: readonly Piece[], vocabulary: ReadonlySet<string>): number {
  const { compact, begins } = words
  const total = pieces.reduce((sum, { text }) => sum + text.length, 0)
  if (!startsWord(words, from, vocabulary) && total < SAFE_SYLLABLES) return -1
  let places = [from]
  for (const [index, { text, isOpen, gap }] of pieces.entries()) {
    const ends = new Set<number>()
    for (const place of places) {
      for (let to = place; to <= place + gap && to < compact.length; to++) {
        if (to > place && SENTENCE_END.test(compact.charAt(to - 1))) break
        // After a gap, a piece must start a word, as the first piece must.
        if (to > place && begins[to] === 0 && text.length < SAFE_SYLLABLES) continue
        if (compact.startsWith(text, to)) ends.add(to + text.length)
      }
    }
    const isLast = index === pieces.length - 1
    if (isLast) {
      const end = [...ends].find((end) => isOpen || total >= SAFE_SYLLABLES || endsWord(words, end, text, vocabulary))
      return end ?? -1
    }
    places = [...new Set([...ends].flatMap((end) => (isOpen ? endings(words, end) : afterParticles(compact, end))))]
    if (places.length === 0) return -1
  }
  return -1
}

function startsWord({ compact, begins }: Words, from: number, vocabulary: ReadonlySet<string>): boolean {
  if (begins[from] === 1) return true
  // "교회주소": the part before is a word itself.
  for (let start = from - 2; start >= Math.max(0, from - 6); start--) {
    if (begins[start] === 1) return vocabulary.has(compact.slice(start, from))
  }
  return false
}

function endsWord({ compact, begins }: Words, end: number, text: string, vocabulary: ReadonlySet<string>): boolean {
  const isEnd = (place: number) => begins[place] !== 0 || !/\p{sc=Hangul}/u.test(compact[place] ?? '')
  // "가나요" means "does it go?", hardly ever Ghana.
  if (
    afterParticles(compact, end).some((place) => isEnd(place) && !(text.length <= 2 && isBareYo(compact, end, place)))
  ) {
    return true
  }
  if (text.length < 2) return false
  const rest = compact.slice(end, end + 6)
  return FOLLOWERS.test(rest) || [2, 3, 4, 5].some((length) => vocabulary.has(rest.slice(0, length)))
}

const isBareYo = (compact: string, end: number, place: number) => place === end + 1 && compact[end] === '요'

/** Possible starts of the next word: here, or after up to three particles. */
function afterParticles(compact: string, end: number): number[] {
  const places = new Set([end])
  let fresh = [end]
  for (let round = 0; round < 3 && fresh.length > 0; round++) {
    fresh = fresh.flatMap((place) =>
      PARTICLES.filter((particle) => compact.startsWith(particle, place)).map((particle) => place + particle.length),
    )
    for (const place of fresh) places.add(place)
  }
  return [...places]
}

/** Possible starts of the next word after any ending. */
function endings({ compact, begins }: Words, end: number): number[] {
  const places = [end]
  for (let place = end + 1; place <= Math.min(end + LONGEST_ENDING, compact.length - 1); place++) {
    if (begins[place] === 1) return [...places, place]
    places.push(place)
  }
  return places
}

const isWordish = (text: string) => text.length >= 2 && /^\p{sc=Hangul}+$/u.test(text)
