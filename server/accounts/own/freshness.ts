import { sql } from 'kysely'
import { FRESH_MINUTES } from '#shared/accounts/profile.ts'
import { AppError } from '#shared/errors.ts'
import type { Database } from '../../db/connection.ts'
import type { Session } from '../../http/session.ts'
import { countTry, LIMITS } from '../limits.ts'
import { verifyPassword } from '../passwords.ts'

/** Whether the session began, or its second step or password was given, within the last minutes. */
export async function isFresh(database: Database, session: Session): Promise<boolean> {
  const row = await database.requests.kysely
    .selectFrom('auth_sessions')
    .select(
      sql<boolean>`greatest(created_at, second_factor_at, confirmed_at) > now() - make_interval(mins => ${FRESH_MINUTES})`.as(
        'is_fresh',
      ),
    )
    .where('id', '=', session.id ?? null)
    .executeTakeFirst()
  return row?.is_fresh ?? false
}

/** The kept password of a person, or undefined where another way of signing in is used. */
export async function findPassword(database: Database, authUserId: string | undefined): Promise<string | undefined> {
  const account = await database.requests.kysely
    .selectFrom('auth_accounts')
    .select('password')
    .where('user_id', '=', authUserId ?? null)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return account?.password ?? undefined
}

/** Takes the password of the person again; from now on the session counts as just begun. */
export async function confirm(database: Database, session: Session, given: string): Promise<void> {
  await countTry(database, LIMITS.signInAccount, session.user!.id)
  const hash = await findPassword(database, session.authUserId)
  if (!hash) throw signInAgain()
  if (!(await verifyPassword({ hash, password: given })))
    throw new AppError(422, 'invalid_password', 'The current password is not right.', {
      fields: { current_password: 'The current password is not right.' },
    })
  await database.requests.kysely
    .updateTable('auth_sessions')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('id', '=', session.id!)
    .execute()
}

/** Refuses a caller who has not shown lately who she is, unless the password comes with the call. */
export async function requireFresh(database: Database, session: Session, given?: string): Promise<void> {
  if (given !== undefined) return confirm(database, session, given)
  if (await isFresh(database, session)) return
  if (!(await findPassword(database, session.authUserId))) throw signInAgain()
  throw new AppError(403, 'confirm_first', 'Please give your password again.', {
    fields: { current_password: 'This field is required' },
  })
}

const signInAgain = () =>
  new AppError(403, 'sign_in_again', 'Please sign out and sign in again, so that we know it is you.')
