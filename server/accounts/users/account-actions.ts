import { sql } from 'kysely'
import type * as z from 'zod'
import { auditAll } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import {
  type AccountActionKind,
  type AccountActionResult,
  MAX_ACTION_ACCOUNTS,
  type runAccountAction,
} from '#shared/accounts/account-actions.ts'
import type { AccountFilter, AccountSign } from '#shared/accounts/users.ts'
import { AppError } from '#shared/errors.ts'
import { dashboardOf } from '#shared/roles.ts'
import { INBOX_TEXTS } from './inbox-texts.ts'
import { type NotifyDeps, notifyUsers, readsIn } from './notifications.ts'
import { matching } from './queries.ts'

type ActionInput = z.output<(typeof runAccountAction)['body']>

const WANTED: Record<AccountActionKind, AccountActionResult> = { verify: 'verified', ask: 'asked', refuse: 'refused' }

/**
 * Verifies, refuses or requests details of many accounts in one transaction, and records each result. Returns the id of
 * the action. Idempotent by request key.
 */
export async function runAction(db: Db, by: SignedIn, input: ActionInput, deps: NotifyDeps, now: Date) {
  const { kind, message } = input
  // First, so that a duplicate submission waits here for the first to commit.
  const made = await db
    .insertInto('account_actions')
    .values({ request_key: input.request_key, kind, actor_id: by.id, message: message || null, created_at: now })
    .onConflict((c) => c.columns(['actor_id', 'request_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return findByKey(db, by, input.request_key)
  const ids = await selectedIds(db, by, input.selection, now)
  const users = await lockUsers(db, ids)
  const results = users.map((user) => ({ user, result: resultOf(kind, user, by) }))
  const changed = results.filter(({ result }) => result === WANTED[kind]).map(({ user }) => user)
  await change(db, by, kind, message, changed, now)
  await notify(db, kind, message, changed, deps)
  await record(db, made.id, results)
  const found = new Set(users.map(({ id }) => id))
  await db
    .updateTable('account_actions')
    .set({ missing: ids.filter((id) => !found.has(id)) })
    .where('id', '=', made.id)
    .execute()
  return made.id
}

async function findByKey(db: Db, by: SignedIn, requestKey: string): Promise<string> {
  const { id } = await db
    .selectFrom('account_actions')
    .select('id')
    .where('actor_id', '=', by.id)
    .where('request_key', '=', requestKey)
    .executeTakeFirstOrThrow()
  return id
}

/** The submitted ids, or those that match now if their number is the one the caller saw. */
async function selectedIds(db: Db, by: SignedIn, selection: ActionInput['selection'], now: Date): Promise<string[]> {
  if ('ids' in selection) return [...new Set(selection.ids)]
  const ids = await findMatchingIds(db, by, selection.filter, now)
  if (ids.length !== selection.count)
    throw new AppError(
      409,
      'count_changed',
      `The list has changed and ${ids.length} accounts match now. Nothing was changed. Check the list and try again.`,
    )
  return ids
}

/** Ids of all matching accounts; throws when there are too many for one transaction. */
export async function findMatchingIds(db: Db, by: SignedIn, filter: AccountFilter, now: Date): Promise<string[]> {
  const rows = await matching(db, by, filter, now)
    .select('user_profiles.id')
    .limit(MAX_ACTION_ACCOUNTS + 1)
    .execute()
  if (rows.length > MAX_ACTION_ACCOUNTS)
    throw new AppError(
      422,
      'too_many_accounts',
      `More than ${MAX_ACTION_ACCOUNTS} accounts match. Filter the list, for example by country, and work in smaller groups.`,
    )
  return rows.map(({ id }) => id)
}

export type LockedUser = Awaited<ReturnType<typeof lockUsers>>[number]

/** Those of the accounts that the caller may change, locked in a fixed order so that two callers never deadlock. */
export function lockUsers(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('user_profiles')
    .select(['id', 'email', 'email_verified', 'phone_verified', 'auth_provider', 'display_name', 'preferred_language'])
    .select(['role', 'profile_status', 'status_reason', 'is_flagged', 'verified_at', 'verified_by'])
    .select(sql<AccountSign[]>`account_signs(user_profiles)`.as('signs'))
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('profile_status', '<>', 'deleted')
    .orderBy('id')
    .forUpdate()
    .execute()
}

function resultOf(kind: AccountActionKind, user: LockedUser, by: SignedIn): AccountActionResult {
  if (user.id === by.id) return 'own'
  if (user.profile_status === 'suspended') return 'suspended'
  if (user.profile_status === 'active') return 'already_verified'
  // They cannot be notified, and the address is likely not theirs. A refusal needs neither.
  if (kind !== 'refuse' && user.signs.includes('bounced') && !user.phone_verified) return 'bounced'
  return WANTED[kind]
}

async function change(
  db: Db,
  by: SignedIn,
  kind: AccountActionKind,
  message: string,
  users: readonly LockedUser[],
  now: Date,
) {
  const ids = users.map(({ id }) => id)
  const update = (to: object) =>
    db
      .updateTable('user_profiles')
      .set({ ...to, updated_at: now })
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute()
  const after =
    kind === 'verify'
      ? { profile_status: 'active', is_flagged: false, status_reason: null }
      : { profile_status: 'suspended', status_reason: message }
  if (kind === 'verify') await update({ ...after, verified_at: now, verified_by: by.id })
  // A coordinator's own claims only allow verifying and flagging. The accounts were locked under those claims.
  if (kind === 'refuse') await asPortal(db, () => update(after))
  await auditAll(
    db,
    by,
    users.map((user) => ({
      action: `user.${kind}`,
      subject_type: 'user',
      subject_id: user.id,
      ...(kind === 'ask' ? { after: { question: message } } : { before: before(user), after }),
      reason: kind === 'refuse' ? message : null,
    })),
  )
}

const before = ({ profile_status, is_flagged, status_reason }: LockedUser) => ({
  profile_status,
  is_flagged,
  status_reason,
})

async function notify(
  db: Db,
  kind: AccountActionKind,
  message: string,
  users: readonly LockedUser[],
  deps: NotifyDeps,
) {
  if (kind === 'verify')
    await notifyUsers(db, users, deps, (user) => ({
      template: 'account-verified',
      values: { link: `${deps.publicUrl}${dashboardOf(user.role)}` },
      title: INBOX_TEXTS[readsIn(user)].verifiedTitle,
      message: INBOX_TEXTS[readsIn(user)].verified,
      action_url: dashboardOf(user.role),
      data: { profile_status: 'active' },
    }))
  if (kind === 'ask')
    await notifyUsers(db, users, deps, (user) => ({
      template: 'account-question',
      values: { question: message, link: `${deps.publicUrl}/dashboard/profile` },
      title: INBOX_TEXTS[readsIn(user)].askTitle,
      message: INBOX_TEXTS[readsIn(user)].ask(message),
      action_url: '/dashboard/profile',
      data: {},
    }))
  if (kind === 'refuse')
    await notifyUsers(db, users, deps, (user) => ({
      template: 'status-changed',
      values: { status: 'suspended' as const, reason: message, link: `${deps.publicUrl}/support` },
      title: INBOX_TEXTS[readsIn(user)].refusedTitle,
      message: INBOX_TEXTS[readsIn(user)].refused(message),
      action_url: '/support',
      data: { profile_status: 'suspended' },
    }))
}

const ITEMS_AT_ONCE = 500

async function record(db: Db, actionId: string, results: { user: LockedUser; result: AccountActionResult }[]) {
  for (let at = 0; at < results.length; at += ITEMS_AT_ONCE)
    await db
      .insertInto('account_action_items')
      .values(
        results.slice(at, at + ITEMS_AT_ONCE).map(({ user, result }) => ({
          action_id: actionId,
          user_id: user.id,
          result,
          earlier_by: result === 'already_verified' ? user.verified_by : null,
        })),
      )
      .execute()
}
