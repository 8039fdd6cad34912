import { randomUUID } from 'node:crypto'
import { countTry, LIMITS } from '#server/accounts/limits.ts'
import { audit } from '#server/audit/audit-log.ts'
import type { Countries } from '#server/countries/reference.ts'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { resendExtras, wakeDispatchers } from '#server/delivery/outbox.ts'
import { type ActionContext, claimsOf, type RequestContext, type Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import type { MessageChannel } from '#shared/delivery/kinds.ts'
import { AppError } from '#shared/errors.ts'
import {
  approveAnnouncement,
  cancelAnnouncement,
  createAnnouncement,
  declineAnnouncement,
  deleteAnnouncement,
  estimateAnnouncement,
  getAnnouncement,
  getReachEstimate,
  listAnnouncements,
  listAudienceChoices,
  retryAnnouncement,
  sendAnnouncement,
  testAnnouncement,
  updateAnnouncement,
} from '#shared/notifications/announcements.ts'
import { isAdmin } from '#shared/roles.ts'
import { announce } from '../../announcements/create.ts'
import { estimateRecipients } from '../../announcements/reach.ts'
import * as announcements from './lifecycle.ts'
import * as listing from './queries.ts'
import { estimateReach } from './reach-estimate.ts'
import { findAudienceChoices } from './scope.ts'
import { unsavedAnnouncement } from './unsaved.ts'

export interface AnnouncementDeps {
  settings: SettingsModel
  countries: () => Countries
  publicUrl: string
  /** Channels without a provider. */
  unsentChannels: readonly MessageChannel[]
}

/** Manual announcements, from draft to delivery statistics (N-23). */
export function announcementEndpoints(router: Router, deps: AnnouncementDeps) {
  const { settings } = deps
  const writing = ({ user, now }: Pick<RequestContext<SignedIn>, 'user' | 'now'>): announcements.WriteContext => ({
    by: user,
    now,
    zone: settings.get('time_zone'),
    approvalAbove: settings.get('notifications.approval_above'),
    knowsCountry: (code) => deps.countries().find(code) !== undefined,
  })
  const estimateDeps = () => ({
    brand: settings.get('brand'),
    publicUrl: deps.publicUrl,
    approvalAbove: settings.get('notifications.approval_above'),
    smsPrice: settings.get('notifications.sms_price'),
    zone: settings.get('time_zone'),
    unsent: deps.unsentChannels,
  })

  router.handle(listAudienceChoices, async ({ db, user }, { query }) => ({
    ...(await findAudienceChoices(db, user, query.to)),
    unsent: [...deps.unsentChannels],
  }))
  router.act(listAnnouncements, ({ database, user }, { query }) => {
    const { id, role } = user
    return asService(database, (db) => listing.listAnnouncements(db, query, isAdmin(role) ? undefined : id))
  })
  router.act(getAnnouncement, async (ctx, { params }) => {
    await refuseForeign(ctx, params.id)
    return asService(ctx.database, (db) =>
      listing.getAnnouncement(db, params.id, ctx.user.id, settings.get('time_zone')),
    )
  })
  router.act(getReachEstimate, async (ctx, { params, query }) => {
    await refuseForeign(ctx, params.id)
    return inBackground(ctx.database, 'compose', async (db) =>
      estimateReach(db, await find(db, params.id), query.page, estimateDeps()),
    )
  })

  router.act(estimateAnnouncement, async (ctx, { body }) => {
    const { database, session } = ctx
    const draft = await withClaims(database, claimsOf(session), (db) => unsavedAnnouncement(db, body, writing(ctx)))
    return inBackground(database, 'compose', (db) => estimateReach(db, draft, 1, estimateDeps()))
  })

  router.handle(createAnnouncement, async (ctx, { body }) =>
    stateOf(await announcements.createAnnouncement(ctx.db, body, writing(ctx))),
  )
  router.handle(updateAnnouncement, async (ctx, { params, body }) =>
    stateOf(await announcements.updateAnnouncement(ctx.db, params.id, body, writing(ctx))),
  )
  router.handle(deleteAnnouncement, async (ctx, { params }) => {
    await announcements.deleteAnnouncement(ctx.db, params.id, writing(ctx))
    return {}
  })
  router.handle(sendAnnouncement, async (ctx, { params, body }) =>
    stateOf(await announcements.sendAnnouncement(ctx.db, params.id, body, writing(ctx))),
  )
  router.handle(approveAnnouncement, async (ctx, { params, body }) =>
    stateOf(await announcements.approveAnnouncement(ctx.db, params.id, body.made_from, writing(ctx))),
  )
  router.handle(declineAnnouncement, async (ctx, { params, body }) =>
    stateOf(await announcements.declineAnnouncement(ctx.db, params.id, body, writing(ctx))),
  )
  router.handle(cancelAnnouncement, async (ctx, { params }) =>
    stateOf(await announcements.cancelAnnouncement(ctx.db, params.id, writing(ctx))),
  )

  router.act(testAnnouncement, async (ctx, { params }) => {
    const { database, user } = ctx
    await refuseForeign(ctx, params.id)
    await countTry(database, LIMITS.testAnnouncement, user.id)
    return asService(database, (db) => testOn(db, params.id, user))
  })
  router.act(retryAnnouncement, async (ctx, { params }) => {
    await refuseForeign(ctx, params.id)
    return asService(ctx.database, async (db) => {
      const messages = await retry(db, params.id, ctx.user)
      await wakeDispatchers(db)
      return { messages }
    })
  })
}

/** An announcement hidden from the caller by policies is not found, though the portal itself could read it. */
async function refuseForeign({ database, session }: ActionContext, id: string): Promise<void> {
  await withClaims(database, claimsOf(session), (db) => find(db, id))
}

const stateOf = ({ id, status }: announcements.StoredAnnouncement) => ({ id, status })

/** No user role may read messages: the handlers decide which parts to return. */
const asService = <T>(database: Database, fn: (db: Db) => Promise<T>) =>
  withClaims(database, { as: 'service', name: 'announcements' }, fn)

async function find(db: Db, id: string): Promise<announcements.StoredAnnouncement> {
  const row = await db.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw announcements.noSuchAnnouncement()
  return row
}

/** The same content over the same channels, sent to the caller only and not listed. */
async function testOn(db: Db, id: string, by: SignedIn) {
  const announcement = await find(db, id)
  const audience = { users: [by.id] }
  const target = {
    kind: 'announcement',
    template: 'announcement',
    audience,
    channels: announcement.channels,
    advisory_id: null,
  } as const
  const { channels } = await estimateRecipients(db, target)
  if (channels.length === 0)
    throw new AppError(
      409,
      'no_channel',
      'We cannot reach you on any of its channels. Check your own contact details and settings.',
    )
  await announce(db, {
    key: `test ${id} ${randomUUID()}`,
    kind: 'announcement',
    priority: announcement.priority,
    template: 'announcement',
    texts: announcement.texts,
    actionUrl: announcement.action_url,
    audience,
    channels: announcement.channels,
    createdBy: by.id,
  })
  await audit(db, by, { action: 'announcement.test', subject_type: 'announcement', subject_id: id })
  return { channels: channels.map(({ channel }) => channel) }
}

async function retry(db: Db, id: string, by: SignedIn): Promise<number> {
  await find(db, id)
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ status: 'pending', attempts: 0, not_before: new Date(0), error: null, extras: resendExtras })
    .where('announcement_id', '=', id)
    .where('status', '=', 'failed')
    .executeTakeFirst()
  const messages = Number(numUpdatedRows)
  await audit(db, by, {
    action: 'announcement.retry',
    subject_type: 'announcement',
    subject_id: id,
    after: { messages },
  })
  return messages
}
