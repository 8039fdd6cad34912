import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { firstOf } from '#shared/assert.ts'
import { type SuppressionReason, suppressRecipients } from './suppressions.ts'

const RETENTION_DAYS = 3

/** What a provider reports about a message it accepted. */
export interface DeliveryEvent {
  provider: string
  /** The provider's id of the message, returned when it accepted the message. */
  provider_message_id: string
  status: 'delivered' | 'failed'
  detail?: string | undefined
  /** The address is invalid or its owner opted out: suppress further messages to it. */
  suppression_reason?: SuppressionReason | undefined
}

/**
 * Records a delivery event, in a transaction `db` of the service. Idempotent and independent of order: a delivered
 * message stays delivered. An event that arrives before the send was recorded is stored and applied soon after
 * ('unmatched'). Events of unknown messages are stored for a few days too.
 */
export async function recordDeliveryEvent(
  db: Db,
  event: DeliveryEvent,
): Promise<'applied' | 'duplicate' | 'unmatched'> {
  const row = {
    ...event,
    detail: event.detail?.slice(0, 500) ?? null,
    suppression_reason: event.suppression_reason ?? null,
  }
  const message = await db
    .selectFrom('messages')
    .select(['id', 'status'])
    .where('provider_message_id', '=', event.provider_message_id)
    .where('provider', '=', event.provider)
    .forUpdate()
    .executeTakeFirst()
  if (message) return (await applyEvents(db, [{ id: message.id, ...row }])) > 0 ? 'applied' : 'duplicate'
  await db
    .insertInto('unmatched_delivery_events')
    .values(row)
    .onConflict((c) =>
      c
        .columns(['provider', 'provider_message_id'])
        .doUpdateSet(row)
        .where('unmatched_delivery_events.status', '=', 'failed'),
    )
    .execute()
  return 'unmatched'
}

/** Applies delivery events that arrived before the send was recorded. */
export async function applyUnmatchedEvents(database: Database): Promise<number> {
  return inBackground(database, 'receipts', async (db) => {
    const { rows } = await sql<MatchedEvent>`
      delete from unmatched_delivery_events e using messages m
      where m.provider_message_id = e.provider_message_id and m.provider = e.provider
      returning m.id, e.provider, e.status, e.detail, e.suppression_reason`.execute(db)
    if (rows.length > 0) await applyEvents(db, rows)
    return rows.length
  })
}

/** Deletes old events that matched no message. */
export async function pruneUnmatchedEvents(database: Database): Promise<void> {
  await inBackground(database, 'receipts', (db) =>
    db
      .deleteFrom('unmatched_delivery_events')
      .where('received_at', '<', sql<Date>`now() - make_interval(days => ${RETENTION_DAYS})`)
      .execute(),
  )
}

interface MatchedEvent {
  id: string
  provider: string
  status: 'delivered' | 'failed'
  detail: string | null
  suppression_reason: SuppressionReason | null
}

/** Returns the number of changed messages. */
async function applyEvents(db: Db, events: MatchedEvent[]): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    with events as (
      select * from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as t(id uuid, provider text, status text, detail text, suppression_reason text)
    ),
    changed as (
      update messages m set status = t.status,
        delivered_at = case when t.status = 'delivered' then clock_timestamp() end,
        error = case when t.status = 'failed' then coalesce(t.detail, 'The provider could not deliver the message') end
      from events t
      where m.id = t.id and (t.status = 'failed' and m.status = 'sent'
        or t.status = 'delivered' and m.status in ('pending', 'sending', 'sent', 'failed'))
      returning m.id, m.channel, m.recipient, t.provider, t.status, t.detail, t.suppression_reason
    ),
    attempted as (
      insert into message_attempts (message_id, provider, result, detail)
      select id, provider, 'delivery_event', detail from changed where status = 'failed'
    ),
    suppressed as (
      ${suppressRecipients(sql`(
        select m.channel, m.recipient, t.suppression_reason as reason, t.detail from events t join messages m on m.id = t.id)`)}
    )
    select count(*)::int as changed from changed`.execute(db)
  return firstOf(rows).changed
}
