import type { Insertable } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { AnnouncementsTable, Audience } from '#server/db/tables-notifications.ts'
import type { Template } from '#server/delivery/templates/render.ts'
import type { AdvisoryReason, Channel, Kind, Priority } from '#shared/delivery/kinds.ts'
import type { Language } from '#shared/language.ts'

/** Every announcement has a title and a message: what a bell, a push and a text message show. */
export interface AnnouncementText {
  title: string
  message: string
  [value: string]: string
}

export interface Announcement {
  /** Subject and version: the same thing announced twice is announced once. */
  key: string
  kind: Kind
  priority: Priority
  template: Template
  /** What the template needs beyond brand, link and what belongs to the reader, by language. */
  texts: Record<Language, AnnouncementText>
  /** Path inside the portal that it leads to. */
  actionUrl: string | null
  advisory?: { id: string; version: number; reason: AdvisoryReason }
  /** Null: those who subscribed to the advisory, by the ways they chose. */
  audience: Audience | null
  channels: Channel[] | null
  createdBy?: string
  scheduledFor?: Date | null
}

/**
 * Announces something in the transaction `db` (of the service) of its cause: it is told when, and only when, that
 * commits. Returns the id; that of the earlier one where the key is known already.
 */
export async function announce(db: Db, announcement: Announcement): Promise<string> {
  const { key, kind, priority, template, texts, advisory, audience, channels } = announcement
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
    people: null,
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
  return id
}
