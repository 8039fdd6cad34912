import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Log } from '#server/log.ts'
import { createUnsubscribeLinks } from '#server/notifications/subscriptions/unsubscribe-link.ts'
import { answerAddress, createAnswerLinks } from '#server/roll-calls/answer-link.ts'
import { createSettings } from '#server/settings/settings.ts'
import type { Channels } from './channels.ts'
import type { LinksOf, SendContext } from './eligibility.ts'
import type { ContentCache } from './templates/announcement-content.ts'
import { createWordings } from './templates/override-model.ts'

export interface SendContextDeps {
  database: Database
  channels: Pick<Channels, 'sendsEmail'>
  log: Log
  publicUrl: string
  /** Signs the links in messages. */
  secret: string
}

const CACHE_MS = 5_000

/** Loads the context for preparing messages: settings and overrides, refreshed every few seconds. */
export function createTerms(deps: SendContextDeps, contentCache: ContentCache): () => Promise<SendContext> {
  const { database, channels, log, publicUrl, secret } = deps
  const links = createUnsubscribeLinks(secret)
  const linksOf = answersOf(publicUrl, secret)
  const wordings = createWordings(log)
  return cachedFor(CACHE_MS, async () => {
    const settings = createSettings(log)
    // Needed in worker-only processes, where nothing else refreshes these caches.
    await inBackground(database, 'messages', async (db) => {
      await settings.cachedTable.load(db, null)
      await wordings.load(db, null)
    })
    return {
      contentCache,
      links,
      linksOf,
      publicUrl,
      brand: settings.get('brand'),
      zone: settings.get('time_zone'),
      textHours: { from: settings.get('notifications.sms_from'), until: settings.get('notifications.sms_until') },
      urgentAtAnyHour: settings.get('notifications.urgent_sms_at_any_hour'),
      sendsEmail: channels.sendsEmail,
    }
  })
}

/** Each recipient of a roll call answers through their own link. */
function answersOf(publicUrl: string, secret: string): LinksOf {
  const answers = createAnswerLinks(secret)
  return ({ rollCallId: rollCall }, user): Record<string, string> =>
    rollCall ? { answer: answerAddress(publicUrl, answers.sign({ rollCall, user }, new Date())) } : {}
}

/** Caches the result for a while. */
function cachedFor<T>(milliseconds: number, ask: () => Promise<T>): () => Promise<T> {
  let cached: { value: Promise<T>; until: number } | undefined
  return () => {
    if (!cached || cached.until < Date.now()) {
      const value = ask()
      cached = { value, until: Date.now() + milliseconds }
      value.catch(() => {
        cached = undefined
      })
    }
    return cached.value
  }
}
