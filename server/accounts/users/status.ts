import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import { dashboardOf } from '#shared/roles.ts'
import { INBOX_TEXTS } from './inbox-texts.ts'
import { type NotifyDeps, notifyUser, readsIn } from './notifications.ts'
import { lockProfile, NOT_FOUND, refuseSelf } from './profile-guards.ts'
import { endSessions } from './role.ts'

/** Suspends or reactivates an account; reactivating an unverified one verifies it. */
export async function setStatus(
  db: Db,
  by: SignedIn,
  id: string,
  { status, reason }: { status: 'active' | 'suspended'; reason: string },
  deps: NotifyDeps,
  now: Date,
): Promise<{ ended: number }> {
  refuseSelf(by, id)
  const was = await lockProfile(db, id)
  if (was.profile_status === status) return { ended: 0 }
  if (was.profile_status === 'pending' && status === 'active') {
    await verify(db, by, id, deps, now)
    return { ended: 0 }
  }
  await db
    .updateTable('user_profiles')
    .set({ profile_status: status, status_reason: status === 'suspended' ? reason : null, updated_at: now })
    .where('id', '=', id)
    .execute()
  await audit(db, by, {
    action: status === 'suspended' ? 'user.suspend' : 'user.reactivate',
    subject_type: 'user',
    subject_id: id,
    before: { profile_status: was.profile_status, status_reason: was.status_reason },
    after: { profile_status: status, status_reason: status === 'suspended' ? reason : null },
    reason,
  })
  const ended = await endSessions(db, id)
  const language = readsIn(was)
  await notifyUser(db, was, deps, {
    template: 'status-changed',
    values: { status, reason, link: `${deps.publicUrl}/support` },
    title: INBOX_TEXTS[language].statusTitle,
    message: INBOX_TEXTS[language].status(status, reason),
    action_url: dashboardOf(was.role),
    data: { profile_status: status },
  })
  return { ended }
}

/**
 * Verifies a new account. Row-level security decides whom a coordinator may verify: others are not found. Sessions
 * stay: they read the new status at their next request.
 */
export async function verify(db: Db, by: SignedIn, id: string, deps: NotifyDeps, now: Date): Promise<void> {
  refuseSelf(by, id)
  const was = await lockProfile(db, id)
  if (was.profile_status === 'active') return
  if (was.profile_status !== 'pending')
    throw new AppError(409, 'not_new', 'This account is suspended. An administrator can reactivate it.')
  const after = { profile_status: 'active', is_flagged: false } as const
  const difference = changed<{ profile_status: string; is_flagged: boolean }>(was, after)
  const { numUpdatedRows } = await db
    .updateTable('user_profiles')
    .set({ ...after, status_reason: null, verified_at: now, verified_by: by.id, updated_at: now })
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw NOT_FOUND()
  await audit(db, by, {
    action: 'user.verify',
    subject_type: 'user',
    subject_id: id,
    ...difference,
  })
  const language = readsIn(was)
  await notifyUser(db, was, deps, {
    template: 'account-verified',
    values: { link: `${deps.publicUrl}${dashboardOf(was.role)}` },
    title: INBOX_TEXTS[language].verifiedTitle,
    message: INBOX_TEXTS[language].verified,
    action_url: dashboardOf(was.role),
    data: { profile_status: 'active' },
  })
}

/** Flags an account for an administrator. The user is not notified: nothing changes for them. */
export async function flag(
  db: Db,
  by: SignedIn,
  id: string,
  { is_flagged, reason }: { is_flagged: boolean; reason: string },
  now: Date,
): Promise<void> {
  refuseSelf(by, id)
  const was = await lockProfile(db, id)
  const after = { is_flagged, status_reason: is_flagged ? reason : null }
  const { numUpdatedRows } = await db
    .updateTable('user_profiles')
    // The reason of a suspension is not overwritten.
    .set({ ...(was.profile_status === 'suspended' ? { is_flagged } : after), updated_at: now })
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw NOT_FOUND()
  await audit(db, by, {
    action: is_flagged ? 'user.flag' : 'user.unflag',
    subject_type: 'user',
    subject_id: id,
    before: { is_flagged: was.is_flagged },
    after: { is_flagged },
    reason,
  })
}
