import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { findOptedOut } from '#server/delivery/suppressions.ts'
import type { SignedIn } from '#server/http/session.ts'
import { firstOf } from '#shared/assert.ts'
import { type MessageChannel, type Priority, queuePriorityOf } from '#shared/delivery/kinds.ts'
import type { MessageExtras } from '#shared/delivery/message-extras.ts'
import { AppError } from '#shared/errors.ts'
import { isAdmin } from '#shared/roles.ts'

/** One message with free text. */
export interface Raw {
  channel: MessageChannel
  subject?: string
  text: string
  html?: string | null
  replyTo?: string | undefined
  priority: Priority
  template?: string
  language?: string
  extras?: MessageExtras
}

interface Recipient {
  to: string
  userId: string | null
}

/**
 * Queues a message to each recipient, in the caller's transaction `db`: a coordinator writes to users visible through
 * database policies, an administrator to anyone. Recipients who opted out are left out and listed.
 */
export async function sendRaw(
  db: Db,
  target: { to?: string[] | undefined; userId?: string | undefined },
  raw: Raw,
  by: SignedIn,
) {
  const all = await recipientsOf(db, target, raw.channel, by)
  const { recipients, ids } = await asPortal(db, async () => {
    const recipients = isText(raw) ? await withoutOptedOut(db, all) : all
    if (recipients.length === 0) throw new AppError(409, 'opted_out', OPTED_OUT)
    return { recipients, ids: await insertRaw(db, recipients, raw) }
  })
  await audit(db, by, {
    action: 'message.send',
    subject_type: 'message',
    subject_id: firstOf(ids),
    // Content and recipient stay in the outbox, for as long as it keeps them.
    after: {
      channel: raw.channel,
      recipients: ids.length,
      template: raw.template ?? 'raw',
      priority: raw.priority,
      ...summed(raw.extras),
    },
  })
  const errors = all.flatMap((one) => (recipients.includes(one) ? [] : `Failed to send to ${one.to}: ${OPTED_OUT}`))
  return { message_id: firstOf(ids), message_ids: ids, error: null, errors }
}

const OPTED_OUT = 'User has opted out of SMS notifications'
const isText = ({ channel }: Raw) => channel === 'sms' || channel === 'whatsapp'

/** Sender and link for the audit log; the other extras are in the outbox. */
const summed = ({ from, media_url, url }: MessageExtras = {}) => ({ from, media_url, action_url: url })

async function recipientsOf(
  db: Db,
  { to, userId }: { to?: string[] | undefined; userId?: string | undefined },
  channel: MessageChannel,
  by: SignedIn,
): Promise<Recipient[]> {
  const isMail = channel === 'email'
  const users = await db
    .selectFrom('user_profiles as p')
    .select(['p.id', 'p.email', 'p.phone_number'])
    .where('p.profile_status', 'in', ['active', 'pending'])
    .where(
      userId
        ? sql<boolean>`p.id = ${userId}`
        : isMail
          ? sql<boolean>`lower(p.email) = any(${to ?? []}::text[])`
          : sql<boolean>`p.phone_number = any(${to ?? []}::text[])`,
    )
    .execute()
  if (userId) return [await ownAddress(users[0], channel)]
  const known = new Map(users.map((user) => [isMail ? user.email.toLowerCase() : user.phone_number, user.id]))
  const recipients = [...new Set(to)].map((address) => ({ to: address, userId: known.get(address) ?? null }))
  if (!isAdmin(by.role) && recipients.some((recipient) => recipient.userId === null))
    throw new AppError(403, 'not_your_people', 'Coordinators can only write to people they look after.')
  return recipients
}

function ownAddress(
  user: { id: string; email: string; phone_number: string | null } | undefined,
  channel: MessageChannel,
): Recipient {
  if (!user) throw new AppError(404, 'user_not_found', 'Account not found.')
  if (channel === 'push') return { to: user.id, userId: user.id }
  const to = channel === 'email' ? user.email : user.phone_number
  if (to) return { to, userId: user.id }
  const what = channel === 'email' ? 'email address' : 'phone number'
  throw new AppError(409, 'no_address', `No ${what} available for user`)
}

async function insertRaw(db: Db, recipients: Recipient[], raw: Raw): Promise<string[]> {
  const rows = await db
    .insertInto('messages')
    .values(
      recipients.map(({ to, userId }) => ({
        message_key: `raw ${randomUUID()}`,
        channel: raw.channel,
        recipient: raw.channel === 'push' ? null : to,
        user_id: userId,
        reply_to: raw.replyTo ?? null,
        template: raw.template ?? 'raw',
        language: raw.language ?? 'en',
        subject: isText(raw) ? '' : (raw.subject ?? ''),
        body_text: raw.text,
        body_html: raw.html ?? null,
        kind: 'announcement' as const,
        queue_priority: queuePriorityOf(raw.priority),
        extras: raw.extras && Object.keys(raw.extras).length > 0 ? JSON.stringify(raw.extras) : null,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** ADV-NOTIFY-23. */
async function withoutOptedOut(db: Db, recipients: Recipient[]): Promise<Recipient[]> {
  const ids = recipients.flatMap(({ userId }) => userId ?? [])
  const numbers = recipients.map(({ to }) => to)
  const { rows } = await sql<{ user_id: string }>`
    select user_id from notification_preferences where user_id = any(${ids}::uuid[]) and sms_opt_out`.execute(db)
  const optedOut = new Set<string | null>([...rows.map((row) => row.user_id), ...(await findOptedOut(db, numbers))])
  return recipients.filter(({ to, userId }) => !optedOut.has(to) && !optedOut.has(userId))
}
