import type { DeliveryRules } from '#server/delivery/send-context.ts'
import { SKIP_REASON } from '#server/notifications/announcements/skip-reason.ts'
import { createUnsubscribeUrls } from '#server/notifications/subscriptions/unsubscribe-link.ts'
import { createAnswerUrls } from '#server/roll-calls/answer-link.ts'

/** Connects delivery with the modules that cause messages; `secret` signs the links in them. */
export function createDeliveryRules(deps: { publicUrl: string; secret: string }): DeliveryRules {
  return { skipReason: SKIP_REASON, unsubscribeUrls: createUnsubscribeUrls(deps), linksOf: createAnswerUrls(deps) }
}
