import phrases from './phrases.json' with { type: 'json' }

/** Meaning of a reply to "Are you safe?". 'acknowledged' is "OK" or a thumb: read, but not an answer. */
export type Meaning = 'safe' | 'need_help' | 'not_there' | 'acknowledged' | 'unclear'

/** Providers deliver no longer texts. */
const MAX_READ = 10_000
const HELP_EMOJI = /[\u{1F198}\u{1F6A8}\u{1F6D1}\u{1F525}\u{1F480}\u{1FA78}\u{1F691}\u{1F92F}\u2620\u26A0]/u
const GOOD_EMOJI =
  /[\u{1F44D}\u{1F44C}\u{1F64F}\u{1F4AA}\u{1F60A}\u{1F642}\u{1F600}\u{1F603}\u{1F604}\u{1F601}\u2764\u2705\u2714\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}\uFE0F\u200D]/gu
const ANY_EMOJI = /\p{Extended_Pictographic}/u
/** A negation up to this many words before "safe" cancels it; weak ones have other meanings in other languages. */
const NEGATION_REACH = 4
const WEAK_REACH = 2
const WEAK = new Set(['no', 'di', 'mo', 'ma', 'ni', 'ما', 'لا', 'مو', 'non', 'without', 'far'].map(normalise))

/** Lower case without accents, vowel signs and punctuation, with unified Arabic letter forms. */
export function normalise(text: string): string {
  return text
    .slice(0, MAX_READ)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/ـ/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/[’‘`´]/g, "'")
    .replace(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
    .trim()
}

const setOf = (list: readonly string[]) => new Set(list.map(normalise))
const SAFE = setOf(phrases.safe)
const NOT_THERE = setOf(phrases.not_there)
const ACKNOWLEDGED = setOf(phrases.acknowledged)
const POLITE = [...setOf(phrases.politeness)].sort((a, b) => b.length - a.length)
const HELP = setOf(phrases.help)
const TROUBLE = setOf(phrases.trouble)
const NOT = setOf(phrases.not)
const WELL = setOf(phrases.well)
const LONGEST_PHRASE = Math.max(...[...HELP, ...TROUBLE].map((phrase) => phrase.split(' ').length))

/**
 * Classifies a reply to "Are you safe?". It is safe only if it says so with nothing else but thanks, a greeting or one
 * of `names`, since any other word may negate it. A request for help outweighs everything else.
 */
export function meaningOf(text: string, names: readonly string[] = []): Meaning {
  if (HELP_EMOJI.test(text)) return 'need_help'
  const normalized = normalise(text)
  const tokens = normalized === '' ? [] : normalized.split(' ')
  if (isHelpRequest(text, tokens)) return 'need_help'
  const rest = withoutNames(normalized, names)
  // A question mark or any other emoji may change the meaning: "safe?", "safe" with a crying face.
  const isPlain = !/[?؟？]/.test(text) && !ANY_EMOJI.test(text.replace(GOOD_EMOJI, ''))
  if (!isPlain) return 'unclear'
  if (isIn(SAFE, normalized, rest)) return 'safe'
  if (isIn(NOT_THERE, normalized, rest)) return 'not_there'
  const isThumb = normalized === '' && text.replace(GOOD_EMOJI, '').trim() === '' && text.trim() !== ''
  return isThumb ||
    isIn(ACKNOWLEDGED, normalized, rest) ||
    (rest === '' && normalized !== '' && !isName(normalized, names))
    ? 'acknowledged'
    : 'unclear'
}

const isIn = (set: ReadonlySet<string>, ...texts: string[]) => texts.some((text) => set.has(text))
const isName = (normalized: string, names: readonly string[]) =>
  names.some((name) => normalise(name).split(' ').includes(normalized))

function isHelpRequest(text: string, tokens: readonly string[]): boolean {
  const joined = tokens.join('')
  if (phrases.spaceless_help.some((phrase) => text.includes(phrase) || joined.includes(phrase))) return true
  return tokens.some((token, at) => isHelpAt(tokens, at) || (WELL.has(token) && isTakenBack(tokens, at)))
}

/** A word or phrase that requests help, unless negated: "I don't need help", "nobody hurt, no fire". */
function isHelpAt(tokens: readonly string[], at: number): boolean {
  for (let length = LONGEST_PHRASE; length > 0; length--) {
    const phrase = tokens.slice(at, at + length).join(' ')
    if (at + length > tokens.length) continue
    if (HELP.has(phrase) || TROUBLE.has(phrase)) return !isNegated(tokens, at)
  }
  return false
}

/** "No help came" and "nobody helps" are still requests: only a negated need cancels them. */
function isNegated(tokens: readonly string[], at: number): boolean {
  const before = tokens.slice(Math.max(0, at - 3), at)
  if (HELP.has(tokens[at]!)) return before.some((word) => NOT.has(word)) && before.includes('need')
  return before.some((word) => NOT.has(word))
}

/**
 * "Not safe", "hindi ligtas", "सुरक्षित नहीं": the negation precedes it, or follows it in Hindi and in hasty writing.
 */
function isTakenBack(tokens: readonly string[], at: number): boolean {
  const isBefore = tokens
    .slice(Math.max(0, at - NEGATION_REACH), at)
    .some((word, i, before) => NOT.has(word) && (!WEAK.has(word) || before.length - i <= WEAK_REACH))
  return isBefore || ['not', 'नहीं', 'नही', 'nahi', 'nahin'].map(normalise).includes(tokens[at + 1] ?? '')
}

/** Strips greetings, thanks and the user's own names from both ends. */
function withoutNames(normalized: string, names: readonly string[]): string {
  const own = names.flatMap((name) => normalise(name).split(' ')).filter((name) => name.length > 1)
  let rest = normalized
    .split(' ')
    .filter((word) => !PARTICLES.has(word))
    .join(' ')
  for (let before = ''; before !== rest; ) {
    before = rest
    for (const phrase of [...POLITE, ...own]) {
      if (rest === phrase) return ''
      if (rest.startsWith(`${phrase} `)) rest = rest.slice(phrase.length + 1)
      if (rest.endsWith(` ${phrase}`)) rest = rest.slice(0, -phrase.length - 1)
    }
  }
  return rest
}

/** Tagalog particles of respect, which occur anywhere. */
const PARTICLES = new Set(['po', 'opo', 'ho', 'naman'])
