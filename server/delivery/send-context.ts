import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { createSettings } from '#server/settings/settings.ts'
import type { Kind } from '#shared/delivery/kinds.ts'
import type { Hours } from '#shared/delivery/quiet-hours.ts'
import type { Channels } from './channels.ts'
import type { LeasedMessage, SkipReason } from './leases.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit.ts'
import {
  type AnnouncementSource,
  type CachedAnnouncement,
  createContentCache,
} from './templates/announcement-content.ts'
import { createOverrides } from './templates/override-model.ts'

/** What the modules that cause messages decide about them; handed in, since delivery knows none of them. */
export interface DeliveryRules {
  skipReason: SkipReason
  /** Links that end messages of a kind, or of a subscription: a page, and the target of a one-click request (RFC 8058). */
  unsubscribeUrls: (message: { userId: string; kind: Kind; subscriptionId?: string }) => {
    page: string
    oneClick: string
  }
  linksOf: LinksOf
}

/** Links of an announcement that are individual to each recipient, by placeholder name. */
export type LinksOf = (announcement: AnnouncementSource, userId: string) => Record<string, string>

/** Everything besides its own row that decides whether, where and how a message is sent. */
export interface SendContext extends Pick<DeliveryRules, 'unsubscribeUrls' | 'linksOf'> {
  /** The announcements of the batch. */
  announcements: ReadonlyMap<string, CachedAnnouncement>
  rateLimiter: RateLimiter
  publicUrl: string
  brand: string
  /** Default for users without a time zone. */
  zone: string
  /** Hours in which text messages are sent. */
  textHours: Hours
  /** Urgent messages are exempt from those hours. */
  urgentAtAnyHour: boolean
  sendsEmail: boolean
}

export interface SendContextDeps {
  database: Database
  channels: Pick<Channels, 'sendsEmail'>
  log: Log
  publicUrl: string
  rules: DeliveryRules
}

const CACHE_MS = 5_000

/** Loads the context of a batch: its announcements, and the settings and overrides, refreshed every few seconds. */
export function createSendContext(deps: SendContextDeps): (batch: readonly LeasedMessage[]) => Promise<SendContext> {
  const { database, channels, log, publicUrl, rules } = deps
  const contentCache = createContentCache(publicUrl)
  const overrides = createOverrides(log)
  const loadSettings = cachedFor(CACHE_MS, async () => {
    const settings = createSettings(log)
    // Needed in worker-only processes, where nothing else refreshes these caches.
    await inBackground(database, 'messages', async (db) => {
      await settings.cachedTable.load(db, null)
      await overrides.load(db, null)
    })
    return {
      brand: settings.get('brand'),
      zone: settings.get('time_zone'),
      textHours: { from: settings.get('notifications.sms_from'), until: settings.get('notifications.sms_until') },
      urgentAtAnyHour: settings.get('notifications.urgent_sms_at_any_hour'),
    }
  })
  return async (batch) => {
    const ids = batch.flatMap(({ announcement_id: id, body_text }) => (id !== null && body_text === null ? [id] : []))
    const [settings, announcements, rateLimiter] = await Promise.all([
      loadSettings(),
      contentCache.load(database, ids),
      createRateLimiter(database, batch),
    ])
    const { unsubscribeUrls, linksOf } = rules
    const { sendsEmail } = channels
    return { ...settings, announcements, rateLimiter, publicUrl, unsubscribeUrls, linksOf, sendsEmail }
  }
}

/** Caches the result for a while; an error is not cached. */
function cachedFor<T>(milliseconds: number, load: () => Promise<T>): () => Promise<T> {
  let cached: { value: Promise<T>; until: number } | undefined
  return () => {
    if (!cached || cached.until < Date.now()) {
      const value = load()
      cached = { value, until: Date.now() + milliseconds }
      value.catch(() => {
        cached = undefined
      })
    }
    return cached.value
  }
}
