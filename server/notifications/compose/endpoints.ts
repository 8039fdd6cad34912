import { randomUUID } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import {
  approveNotice,
  cancelNotice,
  createNotice,
  declineNotice,
  deleteNotice,
  getAnnouncement,
  getOutlook,
  listAnnouncements,
  listTellable,
  retryAnnouncement,
  sendNotice,
  testNotice,
  updateNotice,
} from '#shared/notifications/notices.ts'
import { isAdmin } from '#shared/roles.ts'
import { countTry, LIMITS } from '../../accounts/limits.ts'
import { audit } from '../../audit/writing.ts'
import type { Countries } from '../../countries/reference.ts'
import { inBackground, withClaims } from '../../db/claims.ts'
import type { Database, Db } from '../../db/connection.ts'
import { type ActAsked, type Asked, claimsOf, type Door } from '../../http/door.ts'
import type { SignedIn } from '../../http/session.ts'
import { onceMore, wakeSenders } from '../../messages/outgoing.ts'
import type { SettingsModel } from '../../settings/settings.ts'
import { announce } from '../announcing.ts'
import { countReaders } from '../counting.ts'
import * as listing from './listing.ts'
import * as notices from './notices.ts'
import { outlookOf } from './outlook.ts'
import { findTellable } from './scope.ts'

export interface NoticeParts {
  settings: SettingsModel
  countries: () => Countries
  publicUrl: string
}

/** Telling many: notices from the first draft to what became of them (N-23). */
export function noticeEndpoints(door: Door, parts: NoticeParts) {
  const { settings } = parts
  const writing = ({ session, now }: Asked): notices.Writing => ({
    by: session.user!,
    now,
    zone: settings.get('time_zone'),
    approvalAbove: settings.get('notifications.approval_above'),
    knowsCountry: (code) => parts.countries().find(code) !== undefined,
  })
  const outlookParts = () => ({
    brand: settings.get('brand'),
    publicUrl: parts.publicUrl,
    approvalAbove: settings.get('notifications.approval_above'),
    smsPrice: settings.get('notifications.sms_price'),
  })

  door.handle(listTellable, ({ db, session }, { query }) => findTellable(db, session.user!, query.to))
  door.act(listAnnouncements, ({ database, session }, { query }) => {
    const { id, role } = session.user!
    return asService(database, (db) => listing.listAnnouncements(db, query, isAdmin(role) ? undefined : id))
  })
  door.act(getAnnouncement, async (asked, { params }) => {
    await refuseForeign(asked, params.id)
    return asService(asked.database, (db) =>
      listing.getAnnouncement(db, params.id, asked.session.user!.id, settings.get('time_zone')),
    )
  })
  door.act(getOutlook, async (asked, { params, query }) => {
    await refuseForeign(asked, params.id)
    return inBackground(asked.database, 'compose', async (db) =>
      outlookOf(db, await find(db, params.id), query.page, outlookParts()),
    )
  })

  door.handle(createNotice, async (asked, { body }) =>
    stateOf(await notices.createNotice(asked.db, body, writing(asked))),
  )
  door.handle(updateNotice, async (asked, { params, body }) =>
    stateOf(await notices.updateNotice(asked.db, params.id, body, writing(asked))),
  )
  door.handle(deleteNotice, async (asked, { params }) => {
    await notices.deleteNotice(asked.db, params.id, writing(asked))
    return {}
  })
  door.handle(sendNotice, async (asked, { params, body }) =>
    stateOf(await notices.sendNotice(asked.db, params.id, body.made_from, writing(asked))),
  )
  door.handle(approveNotice, async (asked, { params, body }) =>
    stateOf(await notices.approveNotice(asked.db, params.id, body.made_from, writing(asked))),
  )
  door.handle(declineNotice, async (asked, { params, body }) =>
    stateOf(await notices.declineNotice(asked.db, params.id, body, writing(asked))),
  )
  door.handle(cancelNotice, async (asked, { params }) =>
    stateOf(await notices.cancelAnnouncement(asked.db, params.id, writing(asked))),
  )

  door.act(testNotice, async (asked, { params }) => {
    const { database, session } = asked
    await refuseForeign(asked, params.id)
    await countTry(database, LIMITS.testNotice, session.user!.id)
    return asService(database, (db) => testOn(db, params.id, session.user!))
  })
  door.act(retryAnnouncement, async (asked, { params }) => {
    await refuseForeign(asked, params.id)
    return asService(asked.database, async (db) => {
      const messages = await retry(db, params.id, asked.session.user!)
      await wakeSenders(db)
      return { messages }
    })
  })
}

/** What the policies do not show to the caller is not there for her, though the portal could read it. */
async function refuseForeign({ database, session }: ActAsked, id: string): Promise<void> {
  await withClaims(database, claimsOf(session), (db) => find(db, id))
}

const stateOf = ({ id, status }: notices.Announced) => ({ id, status })

/** No role of a person reads messages: what may be shown of them is decided here. */
const asService = <T>(database: Database, fn: (db: Db) => Promise<T>) =>
  withClaims(database, { as: 'service', name: 'notices' }, fn)

async function find(db: Db, id: string): Promise<notices.Announced> {
  const row = await db.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notices.noSuchNotice()
  return row
}

/** The same words by the same ways, told to one person only and on no list. */
async function testOn(db: Db, id: string, by: SignedIn) {
  const notice = await find(db, id)
  const audience = { users: [by.id] }
  const target = { kind: 'notice', template: 'notice', audience, channels: notice.channels, advisory_id: null } as const
  const { channels } = await countReaders(db, target)
  if (channels.length === 0)
    throw new AppError(409, 'no_channel', 'None of its ways reaches you: look at your own address and preferences.')
  await announce(db, {
    key: `test ${id} ${randomUUID()}`,
    kind: 'notice',
    priority: notice.priority,
    template: 'notice',
    texts: notice.texts,
    actionUrl: notice.action_url,
    audience,
    channels: notice.channels,
    createdBy: by.id,
  })
  await audit(db, by, { action: 'notice.test', subject_type: 'announcement', subject_id: id })
  return { channels: channels.map(({ channel }) => channel) }
}

async function retry(db: Db, id: string, by: SignedIn): Promise<number> {
  await find(db, id)
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ status: 'pending', attempts: 0, not_before: new Date(0), error: null, extras: onceMore })
    .where('announcement_id', '=', id)
    .where('status', '=', 'failed')
    .executeTakeFirst()
  const messages = Number(numUpdatedRows)
  await audit(db, by, { action: 'notice.retry', subject_type: 'announcement', subject_id: id, after: { messages } })
  return messages
}
