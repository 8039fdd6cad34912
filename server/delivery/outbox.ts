import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import type { Language } from '#shared/language.ts'
import { type Rendered, render, type TemplateValues } from './templates/render.ts'

export interface Outgoing<T extends keyof TemplateValues = keyof TemplateValues> {
  /** Subject, version, person and channel: asked for twice, it is one message. */
  key: string
  channel: 'email' | 'sms'
  /** Email address, or phone number with its country code. */
  to: string
  /** Address that an answer goes to; without it nobody reads answers. */
  replyTo?: string | undefined
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
 * commits.
 */
export async function queueMessage<T extends keyof TemplateValues>(db: Db, message: Outgoing<T>): Promise<void> {
  await db
    .insertInto('messages')
    .values(rowOf(message))
    .onConflict((c) => c.column('message_key').doNothing())
    .execute()
}

/** Rows in one statement: far below the 65,535 values that the protocol allows. */
const ROWS_AT_ONCE = 250

/** The same for many people at once. */
export async function queueMessages<T extends keyof TemplateValues>(
  db: Db,
  messages: readonly Outgoing<T>[],
): Promise<void> {
  for (let at = 0; at < messages.length; at += ROWS_AT_ONCE)
    await db
      .insertInto('messages')
      .values(messages.slice(at, at + ROWS_AT_ONCE).map(rowOf))
      .onConflict((c) => c.column('message_key').doNothing())
      .execute()
}

function rowOf<T extends keyof TemplateValues>(message: Outgoing<T>) {
  const { subject, text, html, sms }: Rendered = render(
    message.template,
    message.language,
    message.values,
    message.replyTo !== undefined,
  )
  const isText = message.channel === 'sms'
  const minutes = 'minutes' in message.values ? message.values.minutes : undefined
  return {
    message_key: message.key,
    channel: message.channel,
    recipient: message.to,
    reply_to: message.replyTo ?? null,
    user_id: message.userId ?? null,
    template: message.template,
    language: message.language,
    subject: isText ? '' : subject,
    body_text: isText ? (sms ?? text) : text,
    body_html: isText ? null : html,
    is_secret: message.isSecret ?? false,
    // Somebody sits and waits for it: before everything else, even of the urgent.
    ...(message.isSecret ? { lane: QUEUE_PRIORITY.urgent, not_before: sql<Date>`now() - interval '1 day'` } : {}),
    expires_at: minutes === undefined ? null : sql<Date>`now() + make_interval(mins => ${minutes})`,
  }
}

/** What a message is given that somebody has sent again: a provider that takes each key once takes it as a new one. */
export const onceMore = sql<null>`jsonb_set(coalesce(extras, '{}'), '{again}',
  to_jsonb(coalesce((extras ->> 'again')::int, 0) + 1))`

/** Tells those who send that something waits, where no new message says so. */
export const wakeSenders = (db: Db) => sql`select pg_notify('messages', 'messages')`.execute(db)
