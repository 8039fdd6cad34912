import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Intent } from '#shared/assistant/intents.ts'
import type { Draft } from './drafts.ts'
import type { QuestionContext } from './gathering/context.ts'
import type { Choice, Choose } from './model/choice.ts'

const MINUTE = 60_000

interface CacheOptions {
  max: number
  /** How long an entry may be reused. */
  freshMs: number
  /** Entries older than this are evicted by a sweep every `everyMs`. */
  sweptAfterMs: number
  everyMs: number
}

/** Answers to anonymous questions (C-26). */
export const ANONYMOUS: CacheOptions = { max: 50, freshMs: 5 * MINUTE, sweptAfterMs: 10 * MINUTE, everyMs: MINUTE }
/** Choices of the model (C-26). */
export const RESPONSES: CacheOptions = {
  max: 500,
  freshMs: 5 * MINUTE,
  sweptAfterMs: 30 * MINUTE,
  everyMs: 10 * MINUTE,
}

export type TtlCache<T extends object> = ReturnType<typeof createTtlCache<T>>

/** TTL cache. Keys are stored as digests only, so questions cannot be read back. */
export function createTtlCache<T extends object>({ max, freshMs, sweptAfterMs, everyMs }: CacheOptions) {
  const items = new LRUCache<string, T>({ max, ttl: freshMs, allowStale: true, perf: Date })
  const sweep = () => {
    for (const key of items.keys()) if (items.getRemainingTTL(key) < freshMs - sweptAfterMs) items.delete(key)
  }
  const timer = setInterval(sweep, everyMs)
  timer.unref()
  return {
    find: (key: unknown): T | undefined => items.get(digest(key), { allowStale: false }),
    /** `until` expires the entry earlier, when its content becomes outdated by itself. */
    set(key: unknown, item: T, { now, until }: { now: Date; until?: number } = { now: new Date() }) {
      const ttl = Math.min(freshMs, (until ?? Number.POSITIVE_INFINITY) - now.valueOf())
      if (ttl > 0) items.set(digest(key), item, { ttl })
    },
    clear: () => items.clear(),
    stop: () => clearInterval(timer),
    get size() {
      return items.size
    },
  }
}

const digest = (key: unknown) => createHash('sha256').update(JSON.stringify(key)).digest('base64')

/** Caches the model's choice per visitor, question and statements. */
export function withChoiceCache(choosing: Choose): { choosing: Choose; stop: () => void } {
  const choices = createTtlCache<Choice>(RESPONSES)
  return {
    stop: choices.stop,
    async choosing(request) {
      const { signal: _, ...key } = request
      const known = choices.find(key)
      if (known) return { ...known, tokens: 0 }
      const choice = await choosing(request)
      if (choice) choices.set(key, choice)
      return choice
    },
  }
}

/** Never cached: users may rely on the date and the exact wording (000 §6). */
const UNCACHED_INTENTS: readonly Intent[] = [
  'pdos_registration',
  'document_inquiry',
  'status_check',
  'emergency_support',
]
/** Same exclusion by keyword, for questions with another intent: "requirements to attend church in Dubai". */
const UNCACHED_PATTERN = /pdos|regist|certificat|requirement|orientation/

/** Cached for other callers only if the answer is complete and contains nothing personal (C-26). */
export function isPublic(
  { user, location, understood }: QuestionContext,
  { danger, warning, sources }: Draft,
): boolean {
  const { intent, entities } = understood.analysis
  return (
    !user &&
    !location &&
    !danger &&
    !warning &&
    !UNCACHED_INTENTS.includes(intent) &&
    entities.documentType !== 'certificate' &&
    !UNCACHED_PATTERN.test(understood.folded) &&
    sources.every(({ kind }) => kind !== 'own')
  )
}
