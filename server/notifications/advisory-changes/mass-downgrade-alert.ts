import type { PendingFall } from '#server/advisories/pending-levels.ts'
import type { Source } from '#server/advisories/sources.ts'
import type { Db } from '#server/db/connection.ts'

/**
 * Asks administrators about a simultaneous lowering of many levels by a source; the new levels are not in force until
 * they answer.
 */
export async function alertMassDowngrade(
  db: Db,
  source: Source,
  pending: PendingFall[],
  { now }: { now: Date },
): Promise<void> {
  const count = pending.filter(({ reason, known }) => reason === 'mass' && known.pending_reason !== 'mass').length
  if (count === 0) return
  await db
    .insertInto('notifications')
    .values({
      user_id: null,
      recipient_role: 'admin',
      type: 'admin_alert',
      title: `${source.organization}: ${count} levels lowered at once`,
      message:
        `This source lowered ${count} levels in one update. The old levels stay in force, and we notified nobody. ` +
        'Compare them with the website of the source, then accept the correct ones.',
      data: JSON.stringify({ source_id: source.id, advisories: count }),
      delivery_method: ['in-app'],
      priority: 'urgent',
      status: 'sent',
      sent_at: now,
      action_url: `/admin/travel-advisories?source=${source.id}&status=pending_level`,
      event_key: `advisory mass fall ${source.id} ${now.toISOString()}`,
    })
    .onConflict((c) => c.column('event_key').doNothing())
    .execute()
}
