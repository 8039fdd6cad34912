import { countTry, LIMITS, type Limit } from '#server/accounts/limits.ts'
import { audit } from '#server/audit/audit-log.ts'
import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { composedMail, type Writer } from '#server/delivery/templates/authored-mail.ts'
import { domainsOf } from '#server/http/domains.ts'
import { isAppError } from '#server/http/failure.ts'
import { type ActionContext, claimsOf, type Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { Log } from '#server/log.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { AppError } from '#shared/errors.ts'
import * as management from '#shared/notifications/admin-notifications.ts'
import * as sending from '#shared/notifications/send-api.ts'
import { listEmailTemplates, listSmsTemplates } from '#shared/notifications/templates.ts'
import * as tracking from '#shared/notifications/tracking.ts'
import { systemStats } from '../../delivery-monitor/system-stats.ts'
import { extrasOf, replyToOf, type Senders } from './extras.ts'
import * as notifications from './notifications.ts'
import { sendRaw } from './raw-messages.ts'
import { filledSms, filledTemplate, listSendable } from './template-messages.ts'
import * as tracked from './tracking.ts'

export interface ManagementDeps {
  settings: SettingsModel
  countries: () => Countries
  publicUrl: string
  log: Log
  senders: Senders
}

/** The documented API to send, list and track messages; everything goes through the outbox (F-14). */
export function managementEndpoints(router: Router, deps: ManagementDeps) {
  const { settings, publicUrl } = deps
  router.act(management.getSystemStats, (ctx) =>
    asService(ctx, null, (db) => systemStats(db, settings.get('time_zone'))),
  )
  router.handle(management.listAllNotifications, ({ db }, { query }) => notifications.listAll(db, query))
  router.act(management.createNotification, (ctx, { body }) =>
    asService(ctx, LIMITS.sendByCall, (db) => notifications.createNotification(db, body, ctx.user, publicUrl)),
  )
  router.act(management.changeNotification, (ctx, { params, body }) =>
    asService(ctx, LIMITS.trackByCall, (db) => notifications.updateNotification(db, params.id, body, ctx.user)),
  )
  sendEndpoints(router, deps)
  templateEndpoints(router, deps)
  trackingEndpoints(router, deps)
}

/** Sends messages with the caller's own text. */
function sendEndpoints(router: Router, { settings, publicUrl, log, senders }: ManagementDeps) {
  /** The portal's own domain and those configured by administrators. */
  const linkDomains = () => [
    new URL(publicUrl).hostname,
    ...(domainsOf(settings.get('notifications.link_domains')) ?? []),
  ]

  router.act(sending.sendEmail, (ctx, { body }) => {
    const content = { text: body.text ?? body.content ?? body.message ?? null, html: body.html ?? null }
    const { subject, headers, priority } = body
    const replyTo = replyToOf(headers, body.reply_to)
    const extras = extrasOf('email', body, senders, publicUrl)
    return withErrorMessage(log, 'Email service error: 500', () =>
      asCaller(ctx, async (db) => {
        const writer = await writerOf(db, ctx.user)
        const mail = composedMail(content, writer, 'en', linkDomains())
        return sendRaw(db, addressed(body), { channel: 'email', subject, ...mail, replyTo, priority, extras }, ctx.user)
      }),
    )
  })
  for (const [call, channel] of [
    [sending.sendSms, 'sms'],
    [sending.sendWhatsapp, 'whatsapp'],
  ] as const)
    router.act(call, (ctx, { body }) => {
      const { priority, message = body.body! } = body
      const extras = extrasOf(channel, body, senders, publicUrl)
      return withErrorMessage(log, 'SMS service error: 500', () =>
        asCaller(ctx, (db) => sendRaw(db, addressed(body), { channel, text: message, priority, extras }, ctx.user)),
      )
    })
  router.act(sending.sendPush, (ctx, { body }) => {
    const { title: subject, priority, message = body.body!, data, action_url = body.actionUrl } = body
    const extras = extrasOf('push', { data, action_url }, senders, publicUrl)
    const raw = { channel: 'push', subject, text: message, priority, extras } as const
    return asCaller(ctx, (db) => sendRaw(db, { userId: body.user_id ?? body.userId }, raw, ctx.user))
  })
}

/** Lists the templates and sends messages by them. */
function templateEndpoints(router: Router, { settings, publicUrl }: ManagementDeps) {
  const frame = () => ({ brand: settings.get('brand'), publicUrl })
  router.act(sending.sendTemplatedEmail, (ctx, { body }) => {
    return asCaller(ctx, async (db) => {
      const { name, role } = await writerOf(db, ctx.user)
      const { subject, text, html } = filledTemplate(body, frame(), { writer_name: name, writer_role: role })
      const raw = { channel: 'email', subject, text, html, priority: 'medium', template: body.templateId } as const
      return sendRaw(db, { to: body.recipients }, { ...raw, language: body.language }, ctx.user)
    })
  })
  router.act(sending.sendTemplatedSms, (ctx, { body }) => {
    const raw = {
      channel: 'sms',
      text: filledSms(body, frame()),
      priority: 'medium',
      template: body.templateId,
    } as const
    return asCaller(ctx, (db) => sendRaw(db, { to: body.recipients }, { ...raw, language: body.language }, ctx.user))
  })
  router.serve(listEmailTemplates, () => ({ templates: listSendable(false) }))
  router.serve(listSmsTemplates, () => ({ templates: listSendable(true) }))
}

/** Tracks advisory messages that another system sends. */
function trackingEndpoints(router: Router, { countries, log }: ManagementDeps) {
  router.act(tracking.createTracked, (ctx, { body }) =>
    withErrorMessage(log, 'Failed to create notification record', () =>
      asService(ctx, LIMITS.trackByCall, async (db) => {
        const createdBy = ctx.user.id
        const notification = await tracked.createTracked(db, body, { countries: countries(), createdBy })
        await auditCall(db, ctx, 'tracking.create', notification.id, body)
        return { id: notification.id, notification_id: notification.id, notification }
      }),
    ),
  )
  router.act(tracking.updateTracked, (ctx, { body }) =>
    withErrorMessage(log, 'Failed to update notification status', () =>
      asService(ctx, LIMITS.trackByCall, async (db) => {
        const notification = await tracked.updateTracked(db, body)
        await auditCall(db, ctx, 'tracking.update', notification.id, { status: notification.status })
        return { notification }
      }),
    ),
  )
  router.act(tracking.listPendingTracked, (ctx, { query }) =>
    asService(ctx, LIMITS.trackByCall, (db) => tracked.listTracked(db, 'pending', query)),
  )
  router.act(tracking.listFailedTracked, (ctx, { query }) =>
    withErrorMessage(log, 'Failed to get failed notifications', () =>
      asService(ctx, LIMITS.trackByCall, (db) => tracked.listTracked(db, 'failed', query)),
    ),
  )
  router.act(tracking.trackedStats, (ctx) =>
    withErrorMessage(log, 'Failed to get notification stats', () =>
      asService(ctx, LIMITS.trackByCall, tracked.trackedStats),
    ),
  )
  router.act(tracking.cleanUpTracked, (ctx, { body: { days_to_keep } }) =>
    withErrorMessage(log, 'Failed to cleanup notifications', () =>
      asService(ctx, LIMITS.trackByCall, async (db) => {
        const deleted = await tracked.cleanUp(db, days_to_keep)
        await auditCall(db, ctx, 'tracking.cleanup', 'messages', { days_to_keep, deleted })
        return { deleted, deleted_count: deleted, days_to_keep }
      }),
    ),
  )
}

/** Responds to an unexpected error with the documented message and logs the original. */
async function withErrorMessage<T>(log: Log, message: string, fn: () => Promise<T>): Promise<T> {
  try {
    return await fn()
  } catch (cause) {
    if (isAppError(cause)) throw cause
    log.error({ err: cause }, message)
    throw new AppError(500, 'storage_failed', message)
  }
}

/** Runs as the service, which alone reads messages; counts against the caller's limit. */
async function asService<T>(
  { database, user }: ActionContext<SignedIn>,
  limit: Limit | null,
  fn: (db: Db) => Promise<T>,
) {
  if (limit) await countTry(database, limit, user.id)
  return withClaims(database, { as: 'service', name: 'management' }, fn)
}

/** Runs as the caller: database policies decide whom a coordinator may write to. */
async function asCaller<T>({ database, session, user }: ActionContext<SignedIn>, fn: (db: Db) => Promise<T>) {
  await countTry(database, LIMITS.sendByCall, user.id)
  return withClaims(database, claimsOf(session), fn)
}

const addressed = ({
  to,
  user_id,
  userId,
}: {
  to?: string[] | undefined
  user_id?: string | undefined
  userId?: string | undefined
}) => ({
  to,
  userId: to ? undefined : (user_id ?? userId),
})

const auditCall = (db: Db, { user }: ActionContext<SignedIn>, action: AuditAction, id: string, after: object) =>
  audit(db, user, { action, subject_type: 'message', subject_id: id, after })

/** The profile name, which recipients know, not the one in the session. */
async function writerOf(db: Db, { id, name, role }: SignedIn): Promise<Writer> {
  const own = await db.selectFrom('user_profiles').select('display_name').where('id', '=', id).executeTakeFirst()
  return { name: own?.display_name || name, role }
}
