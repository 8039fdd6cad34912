import type { MessageExtras } from '#shared/delivery/message-extras.ts'
import type { Language } from '#shared/language.ts'
import type { DeliveryFailure } from './delivery-result.ts'

/**
 * What is said, the same object for all who read it in one language. `{{name}}` and the like stand for what belongs to
 * the reader, where there is any.
 */
export interface MessageContent {
  language: Language
  subject: string
  text: string
  html: string | null
  /**
   * Instruction, title, message and link of a text message, kept apart: what is too long is cut from the message first.
   * Without title and link the message is sent as it is. `foot` is for channels that have room for it.
   */
  short: {
    instruction?: string | undefined
    title: string
    message: string
    link: string | null
    foot?: string | undefined
  }
  /**
   * What a browser shows; `tag` puts a later version in the place of an earlier one, and of what comes twice under one
   * `id` the second is not heard.
   */
  push: { title: string; body: string; url: string; tag: string; id: string; data?: Record<string, unknown> } | null
}

/** A message that is claimed and ready to leave. */
export interface OutboundMessage {
  id: string
  /** Deterministic: a provider that takes a key for idempotency is given this one. */
  key: string
  /** Email address or phone number; of a push the user's id, whose browsers are looked up. */
  to: string
  replyTo: string | null
  content: MessageContent
  /** Fills the places in the words, unescaped; null: there are none, and braces are only braces. */
  personal: Record<string, string> | null
  /** Ends messages of this kind without signing in (RFC 8058); null for those of the account itself. */
  unsubscribeUrl: string | null
  isUrgent: boolean
  /** What a call to send added to its words. */
  extras: MessageExtras
}

/** 'recorded': nothing left, the outbox shows what would have. 'delivered': it is known to have arrived. */
export type DeliveryResult =
  | { status: 'sent' | 'delivered'; provider: string; providerMessageId: string }
  | { status: 'recorded' }
  | DeliveryFailure

/** Hands messages over to whoever carries them on. */
export interface Transport {
  /** How many it takes at once, and how many such batches side by side. */
  batch: number
  concurrency: number
  /** Tells of each message once, as soon as it is known; resolves when all were told of. Never throws. */
  send(messages: OutboundMessage[], onResult: (message: OutboundMessage, result: DeliveryResult) => void): Promise<void>
}
