import { brotliDecompressSync } from 'node:zlib'
import { SEVERITY_RANK } from '#shared/advisories/severity.ts'
import { firstOf } from '#shared/assert.ts'
import { typeColumns } from './advisory-type.ts'
import type { FeedItem } from './feeds/feed.ts'
import { nameInTitle } from './feeds/feed.ts'

/** Documents of one source by day of capture, oldest first; compressed with Brotli, as in the archive. */
export function daysOf(packed: Uint8Array): [day: string, document: Uint8Array][] {
  const documents = JSON.parse(brotliDecompressSync(packed).toString()) as Record<string, string>
  return Object.entries(documents)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, document]) => [day, new TextEncoder().encode(document)])
}

export const setOf = ({ country_codes }: { country_codes: string[] }) => country_codes.toSorted().join('+')

export interface ExpectedEntry {
  item: FeedItem
  /** Texts that were in force at the current level and date. */
  texts: Set<string>
  goneSince: number | null
  isInForce: boolean
  pending: FeedItem['severity_level'] | null
}

const GRACE_DAYS = 7
const rank = ({ severity_level }: { severity_level: FeedItem['severity_level'] }) => SEVERITY_RANK[severity_level]
/** On some days the list has nothing, or only this text, in place of a text. */
const isPlaceholder = ({ detailed_information }: FeedItem) =>
  detailed_information === null || /Summary not available/.test(detailed_information)
/** Ignores markup: the two forms of the list put different tags around the same text. */
const textOf = (item: FeedItem) => (item.detailed_information ?? '').replace(/<[^>]*>|[^a-z0-9]+/gi, '')

/**
 * A plain comparison of daily lists, written independently of the import: what should be in force after each day, and
 * which changes are news. By country set and level; entries dated before the known one are older copies.
 */
export class PlainDiff {
  readonly known = new Map<string, ExpectedEntry>()
  #isFirst = true

  read(items: FeedItem[], rejectedTitles: string[], day: number): string[] {
    const news: string[] = []
    const before = new Map([...this.known].filter(([, entry]) => entry.isInForce))
    const listed = new Map([...Map.groupBy(items, setOf)].map(([set, found]) => [set, chosen(found)]))
    for (const [set, item] of listed) {
      const reason = this.#take(set, item, before, day)
      if (reason && !this.#isFirst) news.push(`${reason} ${set} ${item.severity_level}`)
    }
    for (const [set, entry] of this.known) if (!listed.has(set)) this.#leave(entry, { listed, rejectedTitles, day })
    this.#isFirst = false
    return news.sort()
  }

  #take(set: string, item: FeedItem, before: Map<string, ExpectedEntry>, day: number): string | null {
    const entry = this.known.get(set)
    if (!entry) {
      this.known.set(set, { item, texts: new Set([textOf(item)]), goneSince: null, isInForce: true, pending: null })
      return this.#newsOfGroup(set, item, before)
    }
    const was = entry.item
    const wasInForce = entry.isInForce
    entry.goneSince = null
    entry.isInForce = true
    // The list of one day dates Chad to the year 2030: a date ahead of the clock is ignored.
    const isDated = was.last_updated.getTime() <= day * 86_400_000
    if (isDated && item.last_updated < was.last_updated && !(isPlaceholder(was) && !isPlaceholder(item))) {
      // Mentioned in an older copy: listed, nothing else.
      if (rank(item) >= rank(was)) entry.pending = null
      return wasInForce ? null : this.#newsOfGroup(set, was, before)
    }
    const fall = rank(was) - rank(item)
    if (fall > 0) {
      const isRepeated = entry.pending === item.severity_level
      const isCertain = fall === 1 && item.last_updated > was.last_updated
      if (isPlaceholder(item) || !(isRepeated || isCertain)) {
        entry.pending = item.severity_level
        return wasInForce ? null : this.#newsOfGroup(set, was, before)
      }
    }
    entry.pending = null
    if (fall === 0 && isPlaceholder(item)) return wasInForce ? null : this.#newsOfGroup(set, was, before)
    const isSameState = fall === 0 && item.last_updated.getTime() === was.last_updated.getTime()
    // Two alternating copies of one text.
    if (isSameState && textOf(item) !== textOf(was) && entry.texts.has(textOf(item)))
      return wasInForce ? null : this.#newsOfGroup(set, was, before)
    entry.texts = isSameState ? entry.texts.add(textOf(item)) : new Set([textOf(item)])
    entry.item = item
    if (!wasInForce) return this.#newsOfGroup(set, item, before)
    if (fall < 0) return 'escalated'
    // A text that arrives after its level does not change the advice.
    const isInstructed = rank(item) >= SEVERITY_RANK.warning && was.detailed_information !== null
    if (isInstructed && textOf(was) !== textOf(item)) return 'instruction_changed'
    return namesNewType(was, item) ? 'escalated' : null
  }

  /** A new group is not news for countries that were already covered. */
  #newsOfGroup(set: string, item: FeedItem, before: Map<string, ExpectedEntry>): string | null {
    const levels = item.country_codes.map((code) => {
      const others = [...before].filter(([other, entry]) => other !== set && entry.item.country_codes.includes(code))
      return others.length > 0 ? Math.max(...others.map(([, entry]) => rank(entry.item))) : null
    })
    if (levels.every((level) => level === null)) return 'new'
    return levels.some((level) => level === null || level < rank(item)) ? 'escalated' : null
  }

  #leave(
    entry: ExpectedEntry,
    { listed, rejectedTitles, day }: { listed: Map<string, FeedItem>; rejectedTitles: string[]; day: number },
  ) {
    const name = nameInTitle(entry.item.title)
    if (rejectedTitles.some((title) => title.startsWith(`${name} -`))) return
    entry.goneSince ??= day
    const isCovered = entry.item.country_codes.every((code) =>
      [...listed].some(([set, item]) => {
        const state = this.known.get(set)?.item ?? item
        return state.country_codes.includes(code) && rank(state) >= rank(entry.item)
      }),
    )
    if (isCovered || day - entry.goneSince >= GRACE_DAYS) entry.isInForce = false
  }
}

/** Whether a type was added, whose subscribers have not been notified. Without types everybody was notified. */
function namesNewType(was: FeedItem, item: FeedItem): boolean {
  const { advisory_type, advisory_types: known } = typeColumns(was)
  const types = typeColumns(item).advisory_types
  return advisory_type !== 'general' && known.length > 0 && types.some((type) => !known.includes(type))
}

function chosen(found: FeedItem[]): FeedItem {
  const isSamePlace = new Set(found.map(({ title }) => nameInTitle(title))).size === 1
  const sorted = found.toSorted(
    (a, b) =>
      (isSamePlace ? b.last_updated.getTime() - a.last_updated.getTime() : 0) ||
      rank(b) - rank(a) ||
      (a.title < b.title ? -1 : 1),
  )
  return firstOf(sorted)
}
