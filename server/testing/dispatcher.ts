import type { Database } from '#server/db/connection.ts'
import type { Channels } from '#server/delivery/channels.ts'
import { startDeliveryService } from '#server/delivery/delivery-service.ts'
import { createDispatcher } from '#server/delivery/dispatcher.ts'
import type { SendContext } from '#server/delivery/send-context.ts'
import { createDeliveryRules } from '#server/delivery-rules.ts'
import { createLog } from '#server/log.ts'
import { fanOutDue } from '#server/notifications/announcements/fan-out.ts'

interface Deps {
  database: Database
  channels: Channels
  publicUrl?: string
  /** Signs the links in messages. */
  secret?: string
}

const PUBLIC_URL = 'https://portal.example'
const SECRET = 'a secret of the tests'

/** A dispatcher with the rules of the portal. */
export const testDispatcher = (deps: Deps) => createDispatcher(completed(deps))

/** Delivery as a worker runs it: fans out announcements and sends messages until it is stopped. */
export const startTestDelivery = (deps: Deps) =>
  startDeliveryService({ ...completed(deps), fanOut: () => fanOutDue(deps.database, deps.channels.unsent) })

/** The context of a message to send, without announcements; pass what the test is about. */
export function testSendContext(more: Partial<SendContext> = {}): SendContext {
  const { unsubscribeUrls, linksOf } = createDeliveryRules({ publicUrl: PUBLIC_URL, secret: SECRET })
  return {
    ...{
      announcements: new Map(),
      rateLimiter: { take: () => null },
      unsubscribeUrls,
      linksOf,
      publicUrl: PUBLIC_URL,
      brand: 'Portal',
      zone: 'UTC',
    },
    ...{ textHours: { from: '08:00', until: '21:00' }, urgentAtAnyHour: true, sendsEmail: true },
    ...more,
  }
}

function completed({ database, channels, publicUrl = PUBLIC_URL, secret = SECRET }: Deps) {
  const rules = createDeliveryRules({ publicUrl, secret })
  return { database, channels, log: createLog('silent'), publicUrl, rules }
}
