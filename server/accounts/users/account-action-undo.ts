import { sql } from 'kysely'
import { auditAll } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import { dashboardOf } from '#shared/roles.ts'
import { type LockedUser, lockUsers } from './account-actions.ts'
import { INBOX_TEXTS } from './inbox-texts.ts'
import { type NotifyDeps, notifyUsers, readsIn } from './notifications.ts'

/**
 * Sets the accounts of a verification or a refusal back to waiting and notifies their users. Accounts changed since, or
 * outside the caller's scope, stay as they are.
 */
export async function undoAction(db: Db, by: SignedIn, id: string, deps: NotifyDeps, now: Date) {
  const action = await db.selectFrom('account_actions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!action) throw new AppError(404, 'action_not_found', 'Action not found.')
  if (action.kind === 'ask')
    throw new AppError(409, 'cannot_undo', 'The question was already sent and cannot be undone.')
  if (action.undone_at) throw new AppError(409, 'already_undone', 'This action was already undone.')
  const done = action.kind === 'verify' ? 'verified' : 'refused'
  const items = await db
    .selectFrom('account_action_items')
    .select('user_id')
    .where('action_id', '=', id)
    .where('result', '=', done)
    .execute()
  const users = await lockUsers(
    db,
    items.map(({ user_id }) => user_id),
  )
  const isAsLeft = (user: LockedUser) =>
    action.kind === 'verify'
      ? user.profile_status === 'active' && user.verified_at?.valueOf() === action.created_at.valueOf()
      : user.profile_status === 'suspended' && user.status_reason === action.message
  const undone = users.filter(isAsLeft)
  await resetToPending(db, by, action.kind, undone, now)
  await recordUndo(
    db,
    by,
    id,
    undone.map((user) => user.id),
    done,
    now,
  )
  await notifyUsers(db, undone, deps, (user) => ({
    template: 'status-changed',
    values: { status: 'pending' as const, reason: '', link: `${deps.publicUrl}/support` },
    title: INBOX_TEXTS[readsIn(user)].waitsTitle,
    message: INBOX_TEXTS[readsIn(user)].waits,
    action_url: dashboardOf(user.role),
    data: { profile_status: 'pending' },
  }))
  return { undone: undone.length, changed_since: items.length - undone.length }
}

async function resetToPending(
  db: Db,
  by: SignedIn,
  kind: 'verify' | 'refuse',
  users: readonly LockedUser[],
  now: Date,
) {
  const after = { profile_status: 'pending', status_reason: null } as const
  const ids = users.map(({ id }) => id)
  // No user may set an account back to waiting; only this undo does, for accounts locked under the caller's claims.
  await asPortal(db, () =>
    db
      .updateTable('user_profiles')
      .set({ ...after, verified_at: null, verified_by: null, updated_at: now })
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute(),
  )
  await auditAll(
    db,
    by,
    users.map(({ id, profile_status, status_reason }) => ({
      action: `user.${kind}_undone`,
      subject_type: 'user',
      subject_id: id,
      before: { profile_status, status_reason },
      after,
    })),
  )
}

async function recordUndo(db: Db, by: SignedIn, id: string, undone: string[], done: 'verified' | 'refused', now: Date) {
  await db
    .updateTable('account_action_items')
    .set({
      undo_result: sql<
        'undone' | 'changed_since'
      >`case when user_id = any(${undone}::uuid[]) then 'undone' else 'changed_since' end`,
    })
    .where('action_id', '=', id)
    .where('result', '=', done)
    .execute()
  await db.updateTable('account_actions').set({ undone_at: now, undone_by: by.id }).where('id', '=', id).execute()
}
