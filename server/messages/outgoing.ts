import type { Language } from '#shared/language.ts'
import type { Db } from '../db/connection.ts'
import type { Queue } from '../jobs/queue.ts'
import { type Rendered, render, type TemplateValues } from './templates.ts'

/** Name of the job that sends what waits. */
export const SEND_JOB = 'messages.send'

export interface Outgoing<T extends keyof TemplateValues = keyof TemplateValues> {
  /** Subject, version, person and channel: asked for twice, it is one message. */
  key: string
  channel: 'email' | 'sms'
  /** Email address, or phone number with its country code. */
  to: string
  /** Of user_profiles, where the recipient is known. */
  userId?: string
  template: T
  language: Language
  values: TemplateValues[T]
  /** Holds what signs somebody in: the body is wiped once it was sent. */
  isSecret?: boolean
}

/**
 * Puts a message on its way inside the transaction `db` (of the service): it goes out when, and only when, that
 * commits. Without a queue it waits for the next minute's look.
 */
export async function queueMessage<T extends keyof TemplateValues>(
  db: Db,
  message: Outgoing<T>,
  queue?: Pick<Queue, 'enqueue'>,
): Promise<void> {
  const { subject, text, html }: Rendered = render(message.template, message.language, message.values)
  await db
    .insertInto('messages')
    .values({
      message_key: message.key,
      channel: message.channel,
      recipient: message.to,
      user_id: message.userId ?? null,
      template: message.template,
      language: message.language,
      subject,
      body_text: text,
      body_html: message.channel === 'email' ? html : null,
      is_secret: message.isSecret ?? false,
    })
    .onConflict((c) => c.column('message_key').doNothing())
    .execute()
  await queue?.enqueue(db, SEND_JOB)
}
