import { sql } from 'kysely'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { type SuppressionReason, suppressRecipients } from './suppressions.ts'

const RETENTION_DAYS = 3

/** What a provider reports about a message it accepted. */
export interface DeliveryEvent {
  provider: string
  /** The provider's id of the message, returned when it accepted the message. */
  receipt: string
  status: 'delivered' | 'failed'
  detail?: string | undefined
  /** The address is invalid or its owner opted out: suppress further messages to it. */
  stops?: SuppressionReason | undefined
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
  const row = { ...event, detail: event.detail?.slice(0, 500) ?? null, stops: event.stops ?? null }
  const message = await db
    .selectFrom('messages')
    .select(['id', 'status'])
    .where('receipt', '=', event.receipt)
    .where('provider', '=', event.provider)
    .forUpdate()
    .executeTakeFirst()
  if (message) return (await applyEvents(db, [{ id: message.id, ...row }])) > 0 ? 'applied' : 'duplicate'
  await db
    .insertInto('early_receipts')
    .values(row)
    .onConflict((c) =>
      c.columns(['provider', 'receipt']).doUpdateSet(row).where('early_receipts.status', '=', 'failed'),
    )
    .execute()
  return 'unmatched'
}

/** Applies delivery events that arrived before the send was recorded. */
export async function applyUnmatchedEvents(database: Database): Promise<number> {
  return inBackground(database, 'receipts', async (db) => {
    const { rows } = await sql<MatchedEvent>`
      delete from early_receipts e using messages m
      where m.receipt = e.receipt and m.provider = e.provider
      returning m.id, e.provider, e.status, e.detail, e.stops`.execute(db)
    if (rows.length > 0) await applyEvents(db, rows)
    return rows.length
  })
}

/** Deletes old events that matched no message. */
export async function pruneUnmatchedEvents(database: Database): Promise<void> {
  await inBackground(database, 'receipts', (db) =>
    db
      .deleteFrom('early_receipts')
      .where('came_at', '<', sql<Date>`now() - make_interval(days => ${RETENTION_DAYS})`)
      .execute(),
  )
}

interface MatchedEvent {
  id: string
  provider: string
  status: 'delivered' | 'failed'
  detail: string | null
  stops: SuppressionReason | null
}

/** Returns the number of changed messages. */
async function applyEvents(db: Db, events: MatchedEvent[]): Promise<number> {
  const { rows } = await sql<{ changed: number }>`
    with events as (
      select * from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as t(id uuid, provider text, status text, detail text, stops text)
    ),
    changed as (
      update messages m set status = t.status,
        delivered_at = case when t.status = 'delivered' then clock_timestamp() end,
        error = case when t.status = 'failed' then coalesce(t.detail, 'The provider could not deliver it') end
      from events t
      where m.id = t.id and (t.status = 'failed' and m.status = 'sent'
        or t.status = 'delivered' and m.status in ('pending', 'sending', 'sent', 'failed'))
      returning m.id, m.channel, m.recipient, t.provider, t.status, t.detail, t.stops
    ),
    attempted as (
      insert into message_attempts (message_id, provider, outcome, detail)
      select id, provider, 'receipt', detail from changed where status = 'failed'
    ),
    suppressed as (
      ${suppressRecipients(sql`(
        select m.channel, m.recipient, t.stops as reason, t.detail from events t join messages m on m.id = t.id)`)}
    )
    select count(*)::int as changed from changed`.execute(db)
  return rows[0]!.changed
}
