import { randomBytes, randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { Tables } from '#server/db/tables.ts'
import { queueMessage } from '#server/delivery/outbox.ts'
import { TEXTS } from '#server/delivery/templates/render.ts'
import type { ActionContext } from '#server/http/router.ts'
import { authUserIdOf } from '#server/http/session.ts'
import { type SignInChangeKind, UNDO_DAYS } from '#shared/accounts/sign-in-changes.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import { AppError } from '#shared/errors.ts'
import { languageOf } from '#shared/language.ts'
import { requireFresh } from './own/freshness.ts'
import type { Mails } from './sign-ins/mails.ts'
import { hashToken } from './token-hash.ts'

export interface SignInChangeDeps {
  publicUrl: string
  brand: () => string
  /** Text messages are really sent. */
  hasPhone: boolean
  mails: Pick<Mails, 'forget'>
}

type Transact = Transaction<Tables>
export type Owner = Awaited<ReturnType<typeof lockOwner>>

export interface SignInChange {
  kind: SignInChangeKind
  /** State that an undo restores; see undo-sign-in-change.ts. Never a password. */
  former: object
  audit: { action: AuditAction; before?: object; after?: object }
}

/** Result of a change; without `change` nothing was changed. */
export interface ChangeResult<T> {
  change?: SignInChange | undefined
  result: T
}

/**
 * Every change of sign-in methods: requires a fresh session, then in one commit makes the change, records it and
 * notifies the owner at their former addresses, with a link that undoes it.
 */
export async function changeSignIn<T>(
  { database, session }: Pick<ActionContext, 'database' | 'session'>,
  deps: SignInChangeDeps,
  apply: (db: Transact, owner: Owner) => Promise<ChangeResult<T>>,
  current_password?: string,
): Promise<T> {
  await requireFresh(database, session, current_password)
  return applySignInChange(database, authUserIdOf(session), deps, apply)
}

/**
 * The same where the owner is authenticated not by a session but by their mailbox, another provider, or the first step
 * of signing in.
 */
export function applySignInChange<T>(
  database: Database,
  authUserId: string,
  deps: SignInChangeDeps,
  apply: (db: Transact, owner: Owner) => Promise<ChangeResult<T>>,
): Promise<T> {
  return database.requests.kysely.transaction().execute(async (db) => {
    const owner = await lockOwner(db, authUserId)
    const { change, result } = await apply(db, owner)
    if (change) await recordSignInChange(db, owner, change, deps)
    return result
  })
}

/** The account before a change, locked until the transaction ends. */
export async function lockOwner(db: Transact, authUserId: string) {
  const user = await db
    .selectFrom('auth_users')
    .select(['id', 'name', 'email', 'email_verified', 'email_since'])
    .select(['phone_number', 'phone_number_verified', 'phone_since'])
    .where('id', '=', authUserId)
    .forUpdate()
    .executeTakeFirst()
  const profile = await db
    .selectFrom('user_profiles')
    .select(['id', 'role', 'preferred_language'])
    .where('auth_user_id', '=', authUserId)
    .executeTakeFirst()
  if (!user || !profile) throw new AppError(401, 'no_profile', 'No active authentication session')
  return { ...user, profile, language: languageOf(profile.preferred_language) ?? ('en' as const) }
}

/** Records a change made in the transaction `db` and notifies `owner`, given as before the change. */
export async function recordSignInChange(
  db: Transact,
  owner: Owner,
  { kind, former, audit: entry }: SignInChange,
  deps: SignInChangeDeps,
): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const recipient = recipientOf(owner, deps)
  await db
    .insertInto('sign_in_changes')
    .values({
      user_id: owner.id,
      kind,
      former: JSON.stringify(former),
      undo_token_hash: recipient ? hashToken(token) : null,
      expires_at: sql<Date>`now() + make_interval(days => ${UNDO_DAYS})`,
    })
    .execute()
  const { profile, language } = owner
  const { changes, inbox } = TEXTS[language]
  await asPortal(db, async () => {
    await audit(db, profile, { ...entry, subject_type: 'user', subject_id: profile.id })
    await insertInboxItem(db, profile.id, {
      type: 'sign-in-changed',
      title: inbox['sign-in-changed'],
      message: changes[kind],
      action_url: '/dashboard/profile/sign-in#changes',
    })
    if (!recipient) return
    await queueMessage(db, {
      key: `sign-in-changed ${randomUUID()}`,
      ...recipient,
      userId: profile.id,
      template: 'sign-in-changed',
      language,
      values: { brand: deps.brand(), change: kind, days: UNDO_DAYS, link: `${deps.publicUrl}/undo-change/${token}` },
      isSecret: true,
    })
  })
}

/** Where the undo link may go: only to an address or number the owner had before. Undefined: only in the portal. */
function recipientOf({ email, email_verified, phone_number, phone_number_verified }: Owner, deps: SignInChangeDeps) {
  if (email_verified) return { channel: 'email' as const, to: email }
  if (deps.hasPhone && phone_number && phone_number_verified) return { channel: 'sms' as const, to: phone_number }
  return undefined
}

interface InboxItem {
  type: string
  title: string
  message: string
  action_url: string
}

/** Inserts an inbox item for a user, in a transaction of the service. */
export async function insertInboxItem(db: Transact, profileId: string, item: InboxItem): Promise<void> {
  await db
    .insertInto('notifications')
    .values({
      ...item,
      user_id: profileId,
      recipient_role: null,
      data: '{}',
      priority: 'high',
      status: 'sent',
      sent_at: new Date(),
      event_key: `${item.type} ${randomUUID()}`,
    })
    .execute()
}
