import { withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { ActionContext, Router } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import {
  getMessage,
  getMessagesByDay,
  getOpenMessage,
  listMessages,
  listOpenMessages,
  retryMessage,
} from '#shared/delivery/endpoints.ts'
import { AppError } from '#shared/errors.ts'
import { isLoopback } from './channels.ts'
import { messagesByDay } from './messages-by-day.ts'
import { resendExtras, wakeDispatchers } from './outbox.ts'
import { findMessage, findMessages, rowOf } from './queries.ts'

export interface MessageDeps {
  hasOpenOutbox: boolean
  publicUrl: string
  brand: () => string
  timeZone: () => string
}

/** The outbox and sent messages: for administrators, and for anyone trying the portal on their own machine. */
export function messages(router: Router, deps: MessageDeps) {
  const frame = () => ({ brand: deps.brand(), publicUrl: deps.publicUrl })

  router.act(listMessages, ({ database }, { query }) =>
    asService(database, (db) => findMessages(db, query, deps.hasOpenOutbox)),
  )

  router.act(getMessagesByDay, ({ database, now }) =>
    asService(database, async (db) => ({ days: await messagesByDay(db, { now, zone: deps.timeZone() }) })),
  )

  router.act(getMessage, ({ database }, { params }) =>
    asService(database, async (db) => (await findMessage(db, params.id, deps.hasOpenOutbox, frame())) ?? notFound()),
  )

  router.act(retryMessage, ({ database, user }, { params }) => asService(database, (db) => retry(db, params.id, user)))

  router.act(listOpenMessages, (ctx, { query }) => {
    if (!deps.hasOpenOutbox || !isOwnMachine(ctx)) throw nothingHere()
    return asService(ctx.database, (db) => findMessages(db, query, true))
  })

  router.act(getOpenMessage, (ctx, { params }) => {
    if (!deps.hasOpenOutbox || !isOwnMachine(ctx)) throw nothingHere()
    return asService(ctx.database, async (db) => (await findMessage(db, params.id, true, frame())) ?? notFound())
  })
}

/** No user role may read this table: the handlers decide which parts of a message to return. */
const asService = <T>(database: Database, fn: (db: Db) => Promise<T>) =>
  withClaims(database, { as: 'service', name: 'outbox' }, fn)

async function retry(db: Db, id: string, user: SignedIn) {
  const row = await db.selectFrom('messages').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) return notFound()
  if (row.status !== 'failed') throw new AppError(409, 'not_failed', 'You can only resend a message that failed.')
  if (row.body_text === '')
    throw new AppError(
      409,
      'wiped',
      'The text of this message is no longer stored. The person can request a new message.',
    )
  const again = await db
    .updateTable('messages')
    .set({ status: 'pending', attempts: 0, not_before: new Date(0), extras: resendExtras })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .insertInto('audit_log')
    .values({
      actor_id: user.id,
      actor_role: user.role,
      action: 'message.retry',
      subject_type: 'message',
      subject_id: id,
      before: JSON.stringify({ status: row.status, attempts: row.attempts, error: row.error }),
    })
    .execute()
  await wakeDispatchers(db)
  return rowOf(again, false)
}

/**
 * Whether the request comes from this machine under its own name. Checks headers because a foreign page can point its
 * domain here (DNS rebinding), and an unconfigured proxy could let others in.
 */
function isOwnMachine({ headers, session }: ActionContext): boolean {
  const host = (headers.get('host') ?? '').replace(/:\d+$/, '')
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'via'].some((name) => headers.has(name))
  return isLoopback(host) && !isForwarded && (session.address === '' || /^(::ffff:)?127\.|^::1$/.test(session.address))
}

const nothingHere = () => new AppError(404, 'not_found', 'There is nothing at this address.')
const notFound = () => {
  throw new AppError(404, 'message_not_found', 'Message not found.')
}
