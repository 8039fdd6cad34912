import type { Insertable } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AnnouncementsTable, AnnouncementText, Audience } from '#server/db/tables-notifications.ts'
import type { Template } from '#server/delivery/templates/render.ts'
import type { Severity } from '#shared/advisories/severity.ts'
import type { AdvisoryReason, Channel, Kind, Priority } from '#shared/delivery/kinds.ts'
import type { Localized } from '#shared/language.ts'
import { sendCanary } from '../delivery-monitor/canary.ts'

export interface Announcement {
  /** Deduplication key from subject and version. */
  key: string
  kind: Kind
  priority: Priority
  template: Template
  /** Template values by language, except brand, link and recipient values. */
  texts: Localized<AnnouncementText>
  /** Target path inside the portal. */
  actionUrl: string | null
  advisory?: { id: string; version: number; reason: AdvisoryReason }
  /** Of an advisory whose delivery is monitored: if urgent, it also goes to the canary addresses. */
  severity?: Severity
  /** Null: subscribers of the advisory, over the channels they chose. */
  audience: Audience | null
  channels: Channel[] | null
  createdBy?: string
  scheduledFor?: Date | null
}

/**
 * Creates an announcement in the transaction `db` (of the service) of its cause: it is sent if, and only if, that
 * commits. Idempotent: for a known key it returns the existing id.
 */
export async function announce(db: Db, announcement: Announcement): Promise<string> {
  const { key, kind, priority, template, texts, advisory, severity, audience, channels } = announcement
  const row: Insertable<AnnouncementsTable> = {
    announcement_key: key,
    kind,
    priority,
    template,
    texts: JSON.stringify(texts),
    action_url: announcement.actionUrl,
    advisory_id: advisory?.id ?? null,
    advisory_version: advisory?.version ?? null,
    reason: advisory?.reason ?? null,
    audience: audience && JSON.stringify(audience),
    channels,
    created_by: announcement.createdBy ?? null,
    scheduled_for: announcement.scheduledFor ?? null,
    approved_by: null,
    recipient_count: null,
  }
  await db
    .insertInto('announcements')
    .values(row)
    .onConflict((c) => c.column('announcement_key').doNothing())
    .execute()
  const { id } = await db
    .selectFrom('announcements')
    .select('id')
    .where('announcement_key', '=', key)
    .executeTakeFirstOrThrow()
  if (severity && priority === 'urgent') await sendCanary(db, { ...announcement, id }, severity)
  return id
}
