import type { Database } from '#server/db/connection.ts'

/** An inbound text as delivered by a provider. */
export interface InboundText {
  provider: string
  /** The provider's message id, used to detect repeated deliveries. */
  providerMessageId: string | null
  channel: 'sms' | 'whatsapp'
  /** E.164. */
  number: string
  body: string
  mediaCount: number
  /** STOP or START, already applied. */
  optOut?: 'stop' | 'start' | undefined
}

/** Handles an inbound text; returns the reply, null if there is none. */
export type ReceiveText = (database: Database, text: InboundText, now: Date) => Promise<{ reply: string | null }>
