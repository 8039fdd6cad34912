import type { MessageExtras } from '#shared/delivery/message-extras.ts'
import type { Language } from '#shared/language.ts'
import type { DeliveryResult } from './delivery-result.ts'

/**
 * Content shared by all recipients with the same language. Placeholders such as `{{name}}` stand for values of the
 * individual recipient, if there are any.
 */
export interface MessageContent {
  language: Language
  subject: string
  text: string
  html: string | null
  /**
   * Instruction, title, message and link of a text message, kept apart because an overlong one is cut in the message
   * first. Without title and link the message is sent unchanged. `foot` is for channels with enough space.
   */
  short: {
    instruction?: string | undefined
    title: string
    message: string
    link: string | null
    foot?: string | undefined
  }
  /**
   * Shown by a browser. A newer message with the same `tag` replaces the older one; a duplicate with the same `id`
   * makes no sound.
   */
  push: { title: string; body: string; url: string; tag: string; id: string; data?: Record<string, unknown> } | null
}

/** A leased message that is ready to send. */
export interface OutboundMessage {
  id: string
  /** Deterministic; serves as the idempotency key for providers that support one. */
  key: string
  /** Email address or phone number; for push the user id, whose subscriptions are looked up. */
  to: string
  replyTo: string | null
  content: MessageContent
  /** Placeholder values, unescaped. Null: there are no placeholders and braces are literal. */
  personal: Record<string, string> | null
  /** Unsubscribes from messages of this kind without signing in (RFC 8058); null for account messages. */
  unsubscribeUrl: string | null
  isUrgent: boolean
  /** Additional fields from an API call. */
  extras: MessageExtras
}

/** Sends messages through a provider. */
export interface Transport {
  /** Batch size, and number of concurrent batches. */
  batch: number
  concurrency: number
  /** Reports each message once, as soon as its result is known; resolves after all reports. Never throws. */
  send(messages: OutboundMessage[], onResult: (message: OutboundMessage, result: DeliveryResult) => void): Promise<void>
}
