import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { QUEUE_PRIORITY } from '#shared/delivery/kinds.ts'
import type { Language } from '#shared/language.ts'
import { NOT_LEASED } from './leases.ts'
import { type Rendered, render, type TemplateValues } from './templates/render.ts'

export interface Outgoing<T extends keyof TemplateValues = keyof TemplateValues> {
  /** Deduplication key from subject, version, user and channel. */
  key: string
  channel: 'email' | 'sms'
  /** Email address, or phone number with its country code. */
  to: string
  /** Reply-To address; without it replies are not read. */
  replyTo?: string | undefined
  /** Id in user_profiles, if the recipient has an account. */
  userId?: string
  template: T
  language: Language
  values: TemplateValues[T]
  /** Contains a code or sign-in link: the body is wiped after sending. */
  isSecret?: boolean
}

/** Queues a message inside the transaction `db` (of the service): it is sent if, and only if, that commits. */
export async function queueMessage<T extends keyof TemplateValues>(db: Db, message: Outgoing<T>): Promise<void> {
  await db
    .insertInto('messages')
    .values(rowOf(message))
    .onConflict((c) => c.column('message_key').doNothing())
    .execute()
}

/** Rows per statement, far below the protocol limit of 65,535 parameters. */
const ROWS_AT_ONCE = 250

/** The same for many recipients at once. */
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
    // Someone is waiting for it: send it before everything else, including other urgent messages.
    ...(message.isSecret
      ? { queue_priority: QUEUE_PRIORITY.urgent, not_before: sql<Date>`now() - interval '1 day'` }
      : {}),
    expires_at: minutes === undefined ? null : sql<Date>`now() + make_interval(mins => ${minutes})`,
  }
}

/** Cancels the waiting messages selected by the caller's conditions. Leased messages cannot be recalled. */
export const cancelWaiting = (db: Db) =>
  db
    .updateTable('messages')
    .set({ status: 'cancelled' })
    .where('status', 'in', ['pending', 'deferred'])
    .where(NOT_LEASED)

/** Value of `extras` that marks a message as resent, so that it gets a new idempotency key. */
export const resendExtras = sql<null>`jsonb_set(coalesce(extras, '{}'), '{again}',
  to_jsonb(coalesce((extras ->> 'again')::int, 0) + 1))`

/** Notifies the dispatchers of due messages if no insert does. */
export const wakeDispatchers = (db: Db) => sql`select pg_notify('messages', 'messages')`.execute(db)

/**
 * Templates that preferences cannot switch off: someone needs help and this recipient is assigned to give it. Sending
 * hours, opt-outs and suppressions still apply.
 */
export const MANDATORY_TEMPLATES: ReadonlySet<string> = new Set(['roll-call-help'])
