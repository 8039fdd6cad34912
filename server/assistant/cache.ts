import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Intent } from '#shared/assistant/intents.ts'
import type { Draft } from './drafts.ts'
import type { QuestionContext } from './gathering/context.ts'
import type { Choice, Choosing } from './model/choice.ts'

const MINUTE = 60_000

interface CacheOptions {
  max: number
  /** How long something may be given again. */
  freshMs: number
  /** Older than this it is thrown away, looked at every `everyMs`. */
  sweptAfterMs: number
  everyMs: number
}

/** Answers to anonymous questions (C-26). */
export const ANONYMOUS: CacheOptions = { max: 50, freshMs: 5 * MINUTE, sweptAfterMs: 10 * MINUTE, everyMs: MINUTE }
/** What a model chose (C-26). */
export const RESPONSES: CacheOptions = {
  max: 500,
  freshMs: 5 * MINUTE,
  sweptAfterMs: 30 * MINUTE,
  everyMs: 10 * MINUTE,
}

export type TtlCache<T extends object> = ReturnType<typeof createTtlCache<T>>

/** Keeps what was made for some minutes. What was asked is kept as a digest only: nobody reads it back. */
export function createTtlCache<T extends object>({ max, freshMs, sweptAfterMs, everyMs }: CacheOptions) {
  const items = new LRUCache<string, T>({ max, ttl: freshMs, allowStale: true, perf: Date })
  const sweep = () => {
    for (const key of items.keys()) if (items.getRemainingTTL(key) < freshMs - sweptAfterMs) items.delete(key)
  }
  const timer = setInterval(sweep, everyMs)
  timer.unref()
  return {
    find: (key: unknown): T | undefined => items.get(digest(key), { allowStale: false }),
    /** `until` ends it earlier: something that it says changes by itself then. */
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

/** Has a model choose once for the same statements and the same question of one visitor. */
export function withChoiceCache(choosing: Choosing): { choosing: Choosing; stop: () => void } {
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

/** Of these, somebody may rely on the day and the very words (000 §6): they are looked up each time. */
const UNCACHED_INTENTS: readonly Intent[] = [
  'pdos_registration',
  'document_inquiry',
  'status_check',
  'emergency_support',
]
/** The same by its words, where it is a question of something else too: "requirements to attend church in Dubai". */
const UNCACHED_PATTERN = /pdos|regist|certificat|requirement|orientation/

/** Kept for others only where it is of nobody in particular and nothing is missing from it (C-26). */
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
