import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { dashboardOf } from '#shared/roles.ts'
import { auditAll } from '../../audit/writing.ts'
import { asPortal } from '../../db/claims.ts'
import type { Db } from '../../db/connection.ts'
import type { SignedIn } from '../../http/session.ts'
import { type LockedPerson, lockPeople } from './account-actions.ts'
import { readsIn, type TellingParts, tellPeople } from './telling.ts'
import { WORDS } from './words.ts'

/**
 * Lets the accounts of a verification or a refusal wait again and tells their people. An account that was changed since
 * stays as it is; so does one that has left the caller's scope.
 */
export async function undoAction(db: Db, by: SignedIn, id: string, parts: TellingParts, now: Date) {
  const action = await db.selectFrom('account_actions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!action) throw new AppError(404, 'action_not_found', 'There is no such action.')
  if (action.kind === 'ask')
    throw new AppError(409, 'cannot_undo', 'The question was sent. A message cannot be taken back.')
  if (action.undone_at) throw new AppError(409, 'already_undone', 'This action was undone already.')
  const done = action.kind === 'verify' ? 'verified' : 'refused'
  const items = await db
    .selectFrom('account_action_items')
    .select('user_id')
    .where('action_id', '=', id)
    .where('result', '=', done)
    .execute()
  const people = await lockPeople(
    db,
    items.map(({ user_id }) => user_id),
  )
  const isAsLeft = (person: LockedPerson) =>
    action.kind === 'verify'
      ? person.profile_status === 'active' && person.verified_at?.valueOf() === action.created_at.valueOf()
      : person.profile_status === 'suspended' && person.status_reason === action.message
  const undone = people.filter(isAsLeft)
  await waitAgain(db, by, action.kind, undone, now)
  await recordUndo(
    db,
    by,
    id,
    undone.map((person) => person.id),
    done,
    now,
  )
  await tellPeople(db, undone, parts, (person) => ({
    template: 'status-changed',
    values: { status: 'pending' as const, reason: '', link: `${parts.publicUrl}/support` },
    title: WORDS[readsIn(person)].waitsTitle,
    message: WORDS[readsIn(person)].waits,
    action_url: dashboardOf(person.role),
    data: { profile_status: 'pending' },
  }))
  return { undone: undone.length, changed_since: items.length - undone.length }
}

async function waitAgain(db: Db, by: SignedIn, kind: 'verify' | 'refuse', people: readonly LockedPerson[], now: Date) {
  const after = { profile_status: 'pending', status_reason: null } as const
  const ids = people.map(({ id }) => id)
  // No person may make an account wait again: only this undo, of accounts that were locked in the caller's name.
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
    people.map(({ id, profile_status, status_reason }) => ({
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
