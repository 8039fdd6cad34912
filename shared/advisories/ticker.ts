import { fold } from '#shared/countries/fold.ts'
import { byUrgency, type Severity } from './severity.ts'
import { isShownInTicker } from './visibility.ts'

const TICKER_MAX_CHARACTERS = 120
export const TICKER_DEFAULT_ITEMS = 10
export const TICKER_REFRESH_MS = 300_000

interface Tickable {
  id: string
  title: string
  severity_level: Severity
  is_urgent: boolean
  last_updated: string
  source_organization: string
}

/** Ticker content: items of the configured source, most urgent first, without duplicates, one sentence each. */
export function tickerItems<T extends Tickable>(
  advisories: readonly T[],
  { source, limit }: { source: string; limit: number },
): (T & { text: string })[] {
  const shown = advisories.filter((advisory) => isShownInTicker(advisory, source)).sort(byUrgency)
  return withoutDuplicates(shown)
    .slice(0, limit)
    .map((advisory) => ({ ...advisory, text: firstSentence(advisory.title) }))
}

/** Drops repeated ids and titles; the first occurrence, which is the more serious one, stays. */
export function withoutDuplicates<T extends { id: string; title: string }>(items: readonly T[]): T[] {
  const seen = new Set<string>()
  return items.filter(({ id, title }) => {
    const keys = [`id ${id}`, `title ${fold(title)}`]
    const isNew = keys.every((key) => !seen.has(key))
    if (isNew) for (const key of keys) seen.add(key)
    return isNew
  })
}

// A full stop after these, or after a single letter, does not end a sentence: "St. Lucia", "U.S. embassy", "No. 4".
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|\p{L}(?:\.\p{L})+|st|ste|mt|ft|dr|mr|mrs|ms|no|nr|vs|approx|incl|gov|rep|dept|govt|e\.g|i\.e)$/iu

/** The first sentence, at most `max` characters, cut at a word with an ellipsis. */
export function firstSentence(text: string, max = TICKER_MAX_CHARACTERS): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return cutAtWord(sentenceOf(plain), max)
}

/** At most `max` characters (code points), cut at a word boundary if there is one nearby. */
export function cutAtWord(text: string, max: number): string {
  const characters = [...text]
  if (characters.length <= max) return text
  const head = characters.slice(0, max - 1).join('')
  const space = head.lastIndexOf(' ')
  // Scripts without spaces, and URLs, are cut within a word.
  const cut = space > head.length / 2 ? head.slice(0, space) : head
  return `${cut.replace(/[\s,;:،؛–—-]+$/u, '')}…`
}

function sentenceOf(text: string): string {
  for (const match of text.matchAll(/[.!?؟…。！？]+["”»')\]]*(?=\s|$)|[。！？]/gu)) {
    const before = text.slice(0, match.index)
    if (match[0] === '.' && ABBREVIATION.test(before)) continue
    return text.slice(0, match.index + match[0].length)
  }
  return text
}
