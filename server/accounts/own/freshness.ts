import { sql } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import type { Session } from '#server/http/session.ts'
import { sessionIdOf } from '#server/http/session.ts'
import { FRESH_MINUTES, type Freshness, NEW_METHOD_HOURS } from '#shared/accounts/profile.ts'
import { AppError } from '#shared/errors.ts'
import { countTry, LIMITS } from '../limits.ts'
import { verifyPassword } from '../password-rules.ts'

/**
 * Whether the caller has proved their identity within the last minutes, by a method they have had for longer than a
 * day: a number added by a thief today gives access to nothing today. On the first day of an account every method is
 * new, so all count.
 */
export async function findFreshness(database: Database, session: Session): Promise<Freshness> {
  const recent = (moment: string) =>
    sql<boolean>`coalesce(${sql.ref(moment)} > now() - make_interval(mins => ${FRESH_MINUTES}), false)`
  const old = (since: string) =>
    sql<boolean>`(u.created_at > now() - make_interval(hours => ${NEW_METHOD_HOURS})
      or coalesce(${sql.ref(since)} <= now() - make_interval(hours => ${NEW_METHOD_HOURS}), false))`
  const row = await database.requests.kysely
    .selectFrom('auth_sessions as s')
    .innerJoin('auth_users as u', 'u.id', 's.user_id')
    .leftJoin('auth_accounts as p', (join) =>
      join.onRef('p.user_id', '=', 's.user_id').on('p.provider_id', '=', 'credential').on('p.password', 'is not', null),
    )
    .leftJoin('auth_two_factors as f', 'f.user_id', 's.user_id')
    .select([
      sql<boolean>`(${recent('s.created_at')} and ${old('s.method_since')})
        or (${recent('s.confirmed_at')} and ${old('p.since')})
        -- Of a passkey it is written with the session, and says no more than that.
        or (${recent('s.second_factor_at')} and s.sign_in_method <> 'passkey' and ${old('f.since')})`.as('is_fresh'),
      sql<boolean>`${recent('s.created_at')} or ${recent('s.confirmed_at')}`.as('is_recent'),
      sql<boolean>`p.id is not null`.as('has_password'),
      sql<boolean>`p.id is not null and ${old('p.since')}`.as('has_old_password'),
    ])
    .where('s.id', '=', session.id ?? null)
    .executeTakeFirst()
  const { is_fresh = false, is_recent, has_password = false, has_old_password } = row ?? {}
  const confirm_by = has_old_password ? 'password' : has_password || is_recent ? 'older_method' : 'sign_in_again'
  return { is_fresh, has_password, confirm_by }
}

/** The user's password hash, or undefined without a password. */
export async function findPassword(database: Database, authUserId: string | undefined): Promise<string | undefined> {
  const account = await database.requests.kysely
    .selectFrom('auth_accounts')
    .select('password')
    .where('user_id', '=', authUserId ?? null)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return account?.password ?? undefined
}

/** Verifies the user's password again; from then on the session counts as fresh. */
export async function confirm(database: Database, session: Session, password: string): Promise<void> {
  if (!session.user) throw refusals.sign_in_again()
  await countTry(database, LIMITS.signInAccount, session.user.id)
  const hash = await findPassword(database, session.authUserId)
  if (!hash) throw refusals.sign_in_again()
  if (!(await verifyPassword({ hash, password })))
    throw new AppError(422, 'invalid_password', 'The current password is wrong.', {
      fields: { current_password: 'The current password is wrong.' },
    })
  await database.requests.kysely
    .updateTable('auth_sessions')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('id', '=', sessionIdOf(session))
    .execute()
  const { is_fresh, confirm_by } = await findFreshness(database, session)
  if (!is_fresh) throw refusals[confirm_by]()
}

/** Refuses a caller without fresh proof of identity, unless the password comes with the call. */
export async function requireFresh(database: Database, session: Session, password?: string): Promise<void> {
  if (password !== undefined) return confirm(database, session, password)
  const { is_fresh, confirm_by } = await findFreshness(database, session)
  if (!is_fresh) throw refusals[confirm_by]()
}

const refusals: Record<Freshness['confirm_by'], () => AppError> = {
  password: () =>
    new AppError(403, 'confirm_first', 'Please enter your password again.', {
      fields: { current_password: 'This field is required' },
    }),
  older_method: () =>
    new AppError(
      403,
      'older_method',
      'Sign in again with a method you have had for more than a day, such as a code by email.',
    ),
  sign_in_again: () =>
    new AppError(403, 'sign_in_again', 'Please sign out and sign in again to confirm that it is you.'),
}
