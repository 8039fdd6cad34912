import { randomUUID } from 'node:crypto'
import { type Selectable, sql, type Updateable } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { AnnouncementsTable, Within } from '#server/db/tables-notifications.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { AppError } from '#shared/errors.ts'
import type { AnnouncementBody } from '#shared/notifications/announcements.ts'
import { safeReturnTo } from '#shared/page-access.ts'
import { estimateRecipients } from '../../announcements/reach.ts'
import { audienceOf } from './audience.ts'
import { instantOf } from './local-time.ts'
import { refuseOldPlaces, withinOf } from './scope.ts'
import { missingTexts, storedTexts, writtenOf } from './texts.ts'

export type StoredAnnouncement = Selectable<AnnouncementsTable>

export interface WriteContext {
  by: SignedIn
  now: Date
  /** The portal's time zone: times in forms are local to it. */
  zone: string
  /** Announcements to more recipients need approval by a second administrator. */
  approvalAbove: number
  knowsCountry: (code: string) => boolean
}

export const noSuchAnnouncement = () => new AppError(404, 'announcement_not_found', 'Announcement not found.')
/** The recipient count no longer matches the one that the sender confirmed. */
export const recipientsChanged = (actual: number) =>
  new AppError(409, 'people_changed', `The number of people has changed to ${actual}. Check it and confirm again.`)
export const invalid = (fields: Record<string, string>) =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })

/** Saves an announcement as a draft. Missing fields are reported unless it is marked as incomplete. */
export async function createAnnouncement(
  db: Db,
  body: AnnouncementBody,
  writing: WriteContext,
): Promise<StoredAnnouncement> {
  const row = await rowOf(db, body, writing, await withinOf(db))
  const made = await db
    .insertInto('announcements')
    .values({
      announcement_key: `announcement ${randomUUID()}`,
      kind: 'announcement',
      template: 'announcement',
      ...row,
      advisory_id: null,
      advisory_version: null,
      reason: null,
      approved_by: null,
      recipient_count: null,
      status: 'draft',
      created_by: writing.by.id,
      created_at: writing.now,
      updated_at: writing.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await auditChange(db, writing, 'announcement.create', made)
  return made
}

export async function updateAnnouncement(
  db: Db,
  id: string,
  { made_from, ...body }: AnnouncementBody & { made_from?: string | undefined },
  writing: WriteContext,
): Promise<StoredAnnouncement> {
  const lockedRow = await lockAnnouncement(db, id, ['draft'], made_from)
  // A coordinator's draft edited by an administrator stays within the coordinator's scope.
  const within = (await withinOf(db)) ?? lockedRow.audience?.within ?? null
  return change(db, lockedRow, await rowOf(db, body, writing, within), writing, 'announcement.update')
}

export async function deleteAnnouncement(db: Db, id: string, writing: WriteContext): Promise<void> {
  const lockedRow = await lockAnnouncement(db, id, ['draft'])
  await db.deleteFrom('announcements').where('id', '=', lockedRow.id).execute()
  await auditChange(db, writing, 'announcement.delete', lockedRow)
}

/** Sends it now or at its scheduled time; above the recipient limit a second administrator approves it first. */
export async function sendAnnouncement(
  db: Db,
  id: string,
  { made_from, people: confirmed }: { made_from?: string | undefined; people?: number | undefined },
  writing: WriteContext,
) {
  const lockedRow = await lockAnnouncement(db, id, ['draft'], made_from)
  await refuseOldPlaces(db, lockedRow.audience?.within)
  const problems = problemsOf(lockedRow)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  if (lockedRow.scheduled_for && lockedRow.scheduled_for <= writing.now)
    throw new AppError(409, 'too_late', 'The scheduled time has passed. Choose another one.')
  const { chosen, people } = await asPortal(db, () => estimateRecipients(db, lockedRow))
  if (confirmed !== undefined && confirmed !== chosen) throw recipientsChanged(chosen)
  if (people === 0) throw new AppError(409, 'nobody', 'None of the recipients can be reached. Nothing was sent.')
  const waits = people > writing.approvalAbove
  if (waits) await asPortal(db, () => notifyApprovers(db, lockedRow))
  return change(
    db,
    lockedRow,
    {
      status: waits ? 'for_approval' : 'waiting',
      // The sender becomes the author and so cannot approve it.
      created_by: writing.by.id,
      declined_by: null,
      declined_at: null,
      decline_reason: null,
    },
    writing,
    waits ? 'announcement.submit' : 'announcement.send',
    { people },
  )
}

/** Notifies those who may approve it in their inbox. */
async function notifyApprovers(db: Db, announcement: StoredAnnouncement): Promise<void> {
  await db
    .insertInto('notifications')
    .values({
      user_id: null,
      recipient_role: 'admin',
      type: 'admin_alert',
      title: 'An announcement needs approval',
      message: titleOf(announcement),
      data: JSON.stringify({ announcement_id: announcement.id }),
      delivery_method: ['in-app'],
      priority: 'high',
      status: 'sent',
      sent_at: sql<Date>`now()`,
      action_url: `/admin/notifications/${announcement.id}`,
      event_key: `approval ${announcement.id} ${announcement.updated_at.toISOString()}`,
    })
    .execute()
}

export async function approveAnnouncement(db: Db, id: string, madeFrom: string | undefined, writing: WriteContext) {
  const lockedRow = await lockAnnouncement(db, id, ['for_approval'], madeFrom)
  refuseAuthor(lockedRow, writing)
  const approval = { status: 'waiting', approved_by: writing.by.id, approved_at: writing.now } as const
  return change(db, lockedRow, approval, writing, 'announcement.approve')
}

/** Returns it to draft, with the reason. */
export async function declineAnnouncement(
  db: Db,
  id: string,
  { made_from, reason }: { made_from?: string | undefined; reason: string },
  writing: WriteContext,
) {
  const lockedRow = await lockAnnouncement(db, id, ['for_approval'], made_from)
  refuseAuthor(lockedRow, writing)
  return change(
    db,
    lockedRow,
    { status: 'draft', declined_by: writing.by.id, declined_at: writing.now, decline_reason: reason },
    writing,
    'announcement.decline',
    { reason },
  )
}

/** Cancels an announcement of any kind before fan-out. */
export async function cancelAnnouncement(db: Db, id: string, writing: WriteContext) {
  const lockedRow = await lockAnnouncement(db, id, ['waiting', 'for_approval'])
  return change(db, lockedRow, { status: 'cancelled', cancelled_at: writing.now }, writing, 'announcement.cancel')
}

/** Locks the row for the transaction; requires one of these statuses and the version the caller has seen. */
export async function lockAnnouncement(
  db: Db,
  id: string,
  statuses: StoredAnnouncement['status'][],
  madeFrom?: string,
): Promise<StoredAnnouncement> {
  const lockedRow = await db.selectFrom('announcements').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!lockedRow) throw noSuchAnnouncement()
  if (!statuses.includes(lockedRow.status))
    throw new AppError(409, 'wrong_status', 'The status of this announcement has changed. Reload the page.')
  if (madeFrom !== undefined && lockedRow.updated_at.getTime() !== Date.parse(madeFrom))
    throw new AppError(409, 'stale', 'Someone has changed this since you opened it. Nothing was saved.')
  return lockedRow
}

function refuseAuthor(lockedRow: StoredAnnouncement, { by }: WriteContext) {
  if (lockedRow.created_by === by.id)
    throw new AppError(403, 'own_announcement', 'Another administrator must approve this announcement.')
}

async function rowOf(db: Db, body: AnnouncementBody, { now, zone, knowsCountry }: WriteContext, within: Within | null) {
  const { audience, problems } = await audienceOf(db, body.audience, knowsCountry, within)
  const scheduled = scheduledFor(body.scheduled_for, zone, problems)
  const path = body.action_url ? safeReturnTo(body.action_url) : null
  if (body.action_url && !path) problems.action_url = 'Enter a page of this portal, such as /travel-advisories'
  if (!body.is_sketch) {
    Object.assign(problems, problemsOf({ audience, channels: body.channels, texts: body.texts }))
    if (scheduled && scheduled <= now) problems.scheduled_for = 'Choose a time in the future'
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return {
    audience: JSON.stringify(audience),
    channels: body.channels,
    priority: body.priority,
    texts: JSON.stringify(storedTexts(body.texts)),
    action_url: path,
    scheduled_for: scheduled,
  }
}

function scheduledFor(local: string, zone: string, problems: Record<string, string>): Date | null {
  const instant = local ? instantOf(local, zone) : null
  if (instant === undefined) problems.scheduled_for = 'Enter a date and a time'
  if (instant === 'skipped')
    problems.scheduled_for = 'The clocks change then, so this time does not exist. Choose another time.'
  return instant instanceof Date ? instant : null
}

/** Missing fields that prevent sending, by field name. */
function problemsOf({ audience, channels, texts }: Pick<StoredAnnouncement, 'audience' | 'channels' | 'texts'>) {
  const problems = missingTexts(writtenOf(texts))
  if (!channels?.length) problems.channels = 'Choose at least one channel'
  const { within: _, ...chosen } = audience ?? {}
  if (Object.keys(chosen).length === 0) problems.audience = 'Choose the recipients'
  return problems
}

async function change(
  db: Db,
  lockedRow: StoredAnnouncement,
  values: Updateable<AnnouncementsTable>,
  writing: WriteContext,
  action: AuditAction,
  more: { people?: number; reason?: string } = {},
): Promise<StoredAnnouncement> {
  const row = await db
    .updateTable('announcements')
    .set({
      ...values,
      updated_at: sql<Date>`greatest(${writing.now}::timestamptz, updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', lockedRow.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await auditChange(db, writing, action, row, { status: lockedRow.status }, more)
  return row
}

function auditChange(
  db: Db,
  { by }: WriteContext,
  action: AuditAction,
  row: StoredAnnouncement,
  before?: object,
  { reason, people }: { people?: number; reason?: string } = {},
) {
  const { status, audience, channels, priority, scheduled_for } = row
  const after = { status, title: titleOf(row), audience: summed(audience), channels, priority, scheduled_for, people }
  const subject = { subject_type: 'announcement', subject_id: row.id }
  return audit(db, by, { action, ...subject, before: before ?? null, after, reason: reason ?? null })
}

/** For the audit log: users only as a count; their ids are in the announcement itself, for as long as it is stored. */
const summed = (audience: StoredAnnouncement['audience']) =>
  audience && { ...audience, ...(audience.users ? { users: audience.users.length } : {}) }

export const titleOf = ({ texts }: Pick<StoredAnnouncement, 'texts'>) => texts.en?.title ?? ''
