import type * as z from 'zod'
import { present } from '#shared/assert.ts'
import { chooseOfTwo } from '../duplicates.ts'
import { FeedError, type FeedItem, type FollowUp, type ParsedFeed, type RejectedEntry } from '../feed.ts'

/** Thrown while one entry is read: that entry is refused for this reason, the others are still read. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

interface EntryReader<T> {
  /** A label by which an operator finds the entry again; called only when it is refused. */
  label: (entry: T) => string
  read: (entry: T) => FeedItem | FollowUp
  isComplete: boolean
}

/** Reads the entries of a document one by one, so that each is an item, a page to follow, or a refusal. */
export function readEntries<T>(entries: readonly T[], { label, read, isComplete }: EntryReader<T>): ParsedFeed {
  const items = new Map<string, FeedItem>()
  const follow = new Map<string, FollowUp>()
  const rejected: ParsedFeed['rejected'] = []
  const labels = new Map<string, () => string>()
  for (const entry of entries) {
    try {
      const result = read(entry)
      if ('url' in result) addPage(follow, result)
      else {
        const known = items.get(result.external_id)
        const choice = known && chooseOfTwo(known, result)
        items.set(result.external_id, choice?.item ?? result)
        if (choice)
          rejected.push(
            twice(
              choice.loser === result ? label(entry) : present(labels.get(result.external_id), 'a label')(),
              choice.reason,
            ),
          )
        if (choice?.item === result || !choice) labels.set(result.external_id, () => label(entry))
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      rejected.push({ item: label(entry).slice(0, 200), reason: error.message })
    }
  }
  return { items: [...items.values()], rejected, follow: [...follow.values()], isComplete }
}

function twice(item: string, reason: string): RejectedEntry {
  return { item: item.slice(0, 200), reason, isUnderstood: true }
}

function addPage(pages: Map<string, FollowUp>, page: FollowUp) {
  if (pages.has(page.external_id)) throw new Refusal(`The id ${page.external_id} stands here twice; one was kept`)
  pages.set(page.external_id, page)
}

/**
 * For sources that always list something: a document without a single readable entry is a failure or another format,
 * and must not look like an all-clear.
 */
export function withItems(parsed: ParsedFeed): ParsedFeed {
  if (parsed.items.length > 0) return parsed
  const [first] = parsed.rejected
  throw new FeedError(
    first
      ? `None of its ${parsed.rejected.length} entries can be read; the first: ${first.reason}`
      : 'The document lists nothing',
  )
}

/** The entry in the shape its source documents, or a refusal that names the first invalid field. */
export function inShape<T>(schema: z.ZodType<T>, entry: unknown): T {
  const result = schema.safeParse(entry)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new Refusal(`${issue?.path.join('.') || 'The entry'}: ${issue?.message}`)
}
