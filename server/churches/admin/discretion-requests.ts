import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { present } from '#shared/assert.ts'
import type { DiscretionRequest } from '#shared/churches/managed-discretion.ts'
import { AppError } from '#shared/errors.ts'
import { allowLoosening, applyDiscretion } from './apply-discretion.ts'
import { type Change, consequencesOf, type DiscretionTarget, targetOf } from './consequences.ts'
import type { WriteContext } from './write-context.ts'

/** A request expires if not approved within this time. */
const EXPIRES_DAYS = 7
const PAGE = '/admin/locales/discretion'

/** Requests pending a second administrator. */
export async function listRequests(db: Db, me: string, now: Date): Promise<DiscretionRequest[]> {
  const rows = await db
    .selectFrom('discretion_requests as r')
    .leftJoin('user_profiles as p', 'p.id', 'r.requested_by')
    .leftJoin('locales as l', 'l.id', 'r.locale_id')
    .selectAll('r')
    .select(['p.display_name', 'l.name as locale_name'])
    .where('r.status', '=', 'pending')
    .where('r.expires_at', '>', now)
    .orderBy('r.requested_at')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    country_code: row.country_code,
    locale_id: row.locale_id,
    locale_name: row.locale_name,
    discreet_mode: row.discreet_mode,
    needs_second: row.needs_second,
    reason: row.reason,
    locales: row.locales,
    requested_by: row.display_name,
    is_own: row.requested_by === me,
    requested_at: row.requested_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }))
}

/** Submits a change for approval by another administrator; nothing takes effect yet. Returns the request id. */
export async function requestLoosening(
  db: Db,
  { country, locale }: DiscretionTarget,
  change: Change & { reason: string; locales: number },
  { by, now }: WriteContext,
): Promise<string> {
  const same = (q: { country_code: string; locale_id: string | null }) =>
    q.country_code === country && q.locale_id === (locale?.id ?? null)
  const pending = await db
    .selectFrom('discretion_requests')
    .select(['id', 'country_code', 'locale_id', 'expires_at'])
    .where('status', '=', 'pending')
    .where('country_code', '=', country)
    .forUpdate()
    .execute()
  const waiting = pending.find(same)
  if (waiting && waiting.expires_at > now)
    throw new AppError(409, 'request_pending', 'A request for this is already waiting. Withdraw it to send another.')
  if (waiting)
    await db.updateTable('discretion_requests').set({ status: 'expired' }).where('id', '=', waiting.id).execute()
  const country_code = present(country, 'the country of the rule')
  const { id } = await db
    .insertInto('discretion_requests')
    .values({
      country_code,
      locale_id: locale?.id ?? null,
      ...change,
      requested_by: by.id,
      requested_at: now,
      expires_at: new Date(now.valueOf() + EXPIRES_DAYS * 86_400_000),
      decided_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(db, by, {
    action: 'discretion.request',
    ...subjectOf({ country_code, locale_id: locale?.id ?? null }),
    after: { discreet_mode: change.discreet_mode, needs_second: change.needs_second, locales: change.locales },
    reason: change.reason,
  })
  await asPortal(db, () => notifyAdministrators(db, id, by, country_code))
  return id
}

/** Notifies every other administrator through the inbox. */
async function notifyAdministrators(db: Db, id: string, by: SignedIn, country: string): Promise<void> {
  const others = await db
    .selectFrom('user_profiles')
    .select('id')
    .where('role', '=', 'admin')
    .where('profile_status', '=', 'active')
    .where('id', '<>', by.id)
    .execute()
  if (others.length === 0) return
  const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' }).of(country) ?? country
  await db
    .insertInto('notifications')
    .values(
      others.map((other) => ({
        user_id: other.id,
        recipient_role: null,
        type: 'admin_alert' as const,
        title: 'A visibility change needs approval',
        message: `It would show more about churches in ${name}. Approve or reject it.`,
        data: JSON.stringify({ discretion_request_id: id }),
        delivery_method: ['in-app' as const],
        priority: 'high' as const,
        status: 'sent' as const,
        sent_at: new Date(),
        action_url: PAGE,
        event_key: `discretion ${id} ${other.id}`,
      })),
    )
    .execute()
}

/** Approves, declines or withdraws a pending request; an approval is applied at once. */
export async function decideRequest(
  db: Db,
  id: string,
  decision: 'approve' | 'decline' | 'withdraw',
  writing: WriteContext,
): Promise<number> {
  const { by, now } = writing
  const found = await db
    .selectFrom('discretion_requests')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new AppError(404, 'request_not_found', 'Request not found.')
  if (found.status !== 'pending' || found.expires_at <= now)
    throw new AppError(
      409,
      'request_over',
      'This request is closed. It was decided, withdrawn or is older than 7 days.',
    )
  if (decision !== 'approve') {
    const status = decision === 'decline' ? ('declined' as const) : ('withdrawn' as const)
    await decided(status)
    await audit(db, by, { action: `discretion.${decision}`, ...subjectOf(found), before: { request_id: id } })
    return 0
  }
  if (found.requested_by === by.id)
    throw new AppError(403, 'own_request', 'Another administrator must approve this request.')
  await refuseFormerAdministrator(db, found.requested_by, now)
  await refuseOwnAppointee(db, by.id, found)
  const target = await targetOf(db, found, writing.countries)
  const change = { discreet_mode: found.discreet_mode, needs_second: found.needs_second, reason: found.reason }
  const consequences = await consequencesOf(db, target, change)
  if (consequences.locales !== found.locales || target.country !== found.country_code)
    throw new AppError(409, 'count_changed', 'The number of churches has changed since this request. Send a new one.')
  await decided('approved')
  await allowLoosening(db, id)
  await applyDiscretion(db, target, change, writing, { request_id: id, requested_by: found.requested_by })
  await decided('applied')
  return consequences.locales

  async function decided(status: 'approved' | 'applied' | 'declined' | 'withdrawn') {
    await db
      .updateTable('discretion_requests')
      .set({ status, decided_by: by.id, decided_at: now })
      .where('id', '=', id)
      .execute()
  }
}

/** Two administrators must agree: a requester whose role was revoked meanwhile does not count. */
async function refuseFormerAdministrator(db: Db, id: string, now: Date): Promise<void> {
  const requester = await asPortal(db, () =>
    db
      .selectFrom('user_profiles')
      .select(['role', 'profile_status', 'role_ends_at'])
      .where('id', '=', id)
      .executeTakeFirst(),
  )
  const isOver = requester?.role_ends_at != null && requester.role_ends_at <= now
  if (requester?.role !== 'admin' || requester.profile_status !== 'active' || isOver)
    throw new AppError(
      409,
      'requester_gone',
      'The person who sent this request is no longer an administrator. Send a new one.',
    )
}

const INDEPENDENT_AFTER_DAYS = 30

/**
 * Rejects an approval by an account that the requester made an administrator in the last days, or that became one less
 * than a day before the request: one user with two accounts does not count as two.
 */
async function refuseOwnAppointee(db: Db, approver: string, request: { requested_by: string; requested_at: Date }) {
  const appointed = await asPortal(db, () =>
    db
      .selectFrom('audit_log')
      .select('id')
      .where('subject_id', '=', approver)
      .where('action', 'in', ['user.role', 'user.create'])
      .where(sql<boolean>`after ->> 'role' = 'admin'`)
      .where((eb) =>
        eb.or([
          eb('at', '>', sql<Date>`${request.requested_at}::timestamptz - interval '1 day'`),
          eb.and([
            eb('actor_id', '=', request.requested_by),
            eb('at', '>', sql<Date>`now() - make_interval(days => ${INDEPENDENT_AFTER_DAYS})`),
          ]),
        ]),
      )
      .executeTakeFirst(),
  )
  if (appointed)
    throw new AppError(
      403,
      'not_independent',
      'Another administrator must approve this. Yours is too new, or the sender of this request created it.',
    )
}

const subjectOf = ({ country_code, locale_id }: { country_code: string; locale_id: string | null }) =>
  locale_id ? { subject_type: 'locale', subject_id: locale_id } : { subject_type: 'country', subject_id: country_code }
