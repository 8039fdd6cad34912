import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { networkOf } from '#server/http/address.ts'
import type { Log } from '#server/log.ts'
import type { FailureReason, SignInMethod } from '#shared/accounts/sign-ins.ts'
import { FAILED_SIGN_IN_DAYS, type FailedSignIns } from '#shared/accounts/users.ts'
import { count, type Limit } from '../limits.ts'
import type { Caller } from './callers.ts'

export const RETENTION_DAYS = 90
/** The window over which the alarm rate is measured. */
export const ALARM_SECONDS = 600
const HOUR: Limit = { name: 'failed sign-ins hour', count: 0, seconds: 3600 }
const ALL: Limit = { name: 'failed sign-ins', count: 0, seconds: ALARM_SECONDS }
const ACCOUNT: Limit = { name: 'failed sign-ins account', count: 0, seconds: ALARM_SECONDS }

export interface Failure {
  method: SignInMethod
  reason: FailureReason
  /** Of auth_users; undefined when the name is unknown. */
  userId?: string | undefined
}

/** Raises an alarm when `all` or `account` failures within ten minutes reach the configured number. */
export type OnFailure = (counted: { all: number; account: number; userId: string | undefined }) => Promise<void>

export type Failures = ReturnType<typeof createFailures>

/** Counts failures: method, reason, account and network. Never the input. */
export function createFailures(deps: { database: Database; log: Log; onFailure: OnFailure }) {
  const { database, log } = deps
  const notCounted = ({ message }: Error) => log.error({ reason: message }, 'a failed sign-in was not counted')

  async function afterwards(
    counted: Parameters<OnFailure>[0],
    method: SignInMethod,
    reason: FailureReason,
    hour: number,
  ) {
    // An account gets an audit entry at 1, 10, 100 … failures an hour, so that an attack cannot fill the log.
    if (counted.userId && Number.isInteger(Math.log10(hour)))
      await auditFailures(database, counted.userId, method, reason, hour)
    await deps.onFailure(counted)
  }

  return {
    /** Never throws: a sign-in gets the same response whether or not it could be counted. */
    async record(caller: Pick<Caller, 'session'>, { method, reason, userId }: Failure): Promise<void> {
      try {
        await sql`insert into sign_in_failures as f (at, method, reason, auth_user_id, network, count)
          values (date_bin('10 minutes', now(), timestamptz '2020-01-01Z'), ${method}, ${reason}, ${userId ?? null},
            ${networkOf(caller.session.address)}, 1)
          on conflict (at, method, reason, auth_user_id, network) do update set count = f.count + 1`.execute(
          database.requests.kysely,
        )
        const counted = await count(database, [
          { limit: ALL, subject: '' },
          ...(userId ? [ACCOUNT, HOUR].map((limit) => ({ limit, subject: userId })) : []),
        ])
        const [all = 0, account = 0, hour = 0] = counted.map(({ used }) => used)
        // Not awaited: the response must not take longer when the account exists.
        void afterwards({ all, account, userId }, method, reason, hour).catch(notCounted)
      } catch (error) {
        notCounted(error as Error)
      }
    },
  }
}

function auditFailures(
  database: Database,
  userId: string,
  method: SignInMethod,
  reason: FailureReason,
  failures: number,
) {
  return inBackground(database, 'accounts', async (db) => {
    const profile = await db
      .selectFrom('user_profiles')
      .select('id')
      .where('auth_user_id', '=', userId)
      .executeTakeFirst()
    if (!profile) return
    await audit(db, null, {
      action: 'user.sign_in_failed',
      subject_type: 'user',
      subject_id: profile.id,
      after: { method, reason, failures_this_hour: failures },
    })
  })
}

/**
 * Failed sign-ins of one account within the period shown on its page: their number, from how many networks and when
 * last, to ten minutes. In an administrator's transaction: the policies hide them from everyone else.
 */
export async function findFailedSignIns(db: Db, authUserId: string | null): Promise<FailedSignIns> {
  const { last_at, ...counts } = await db
    .selectFrom('sign_in_failures')
    .select([
      sql<number>`coalesce(sum(count), 0)::int`.as('count'),
      sql<number>`count(distinct network)::int`.as('networks'),
      sql<Date | null>`max(at)`.as('last_at'),
    ])
    .where('auth_user_id', '=', authUserId)
    .where('at', '>', sql<Date>`now() - make_interval(days => ${FAILED_SIGN_IN_DAYS})`)
    .executeTakeFirstOrThrow()
  return { ...counts, last_at: last_at?.toISOString() ?? null }
}
