import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { FailureReason, PERIODS, SignInMethod } from '#shared/accounts/sign-ins.ts'
import { canGetMail } from '../users/notifications.ts'

const MAX_ROWS = 50

const failures = sql<number>`sum(f.count)::int`.as('failures')

/** Failed sign-ins of the last days, as shown on the administrators' page. */
export async function failedSignInsOf(db: Db, days: (typeof PERIODS)[number]) {
  const recent = db
    .selectFrom('sign_in_failures as f')
    .where('f.at', '>', sql<Date>`now() - make_interval(days => ${Number(days)})`)
  const times = await recent
    .select([sql<Date>`date_trunc(${days === '1' ? 'hour' : 'day'}, f.at, 'UTC')`.as('at'), failures])
    .groupBy(sql`1`)
    .orderBy('at')
    .execute()
  const by_way = await recent
    .select(['f.method as way', failures])
    .groupBy('f.method')
    .orderBy('failures', 'desc')
    .$narrowType<{ way: SignInMethod }>()
    .execute()
  const by_reason = await recent
    .select(['f.reason', failures])
    .groupBy('f.reason')
    .orderBy('failures', 'desc')
    .$narrowType<{ reason: FailureReason }>()
    .execute()
  const accounts = await recent
    .innerJoin('user_profiles as p', 'p.auth_user_id', 'f.auth_user_id')
    .select(['p.id', 'p.display_name', 'p.email', 'p.email_verified', 'p.auth_provider', failures])
    .select([sql<number>`count(distinct f.network)::int`.as('networks'), sql<Date>`max(f.at)`.as('last_at')])
    .groupBy('p.id')
    .orderBy('failures', 'desc')
    .orderBy('p.id')
    .limit(MAX_ROWS)
    .execute()
  const networks = await recent
    .select(['f.network', failures, sql<number>`count(distinct f.auth_user_id)::int`.as('accounts')])
    .groupBy('f.network')
    .orderBy('failures', 'desc')
    .orderBy('f.network')
    .limit(MAX_ROWS)
    .execute()
  return {
    days,
    total: by_way.reduce((sum, row) => sum + row.failures, 0),
    by_time: times.map((row) => ({ at: row.at.toISOString(), failures: row.failures })),
    by_way,
    by_reason,
    accounts: accounts.map(({ email_verified, auth_provider, last_at, ...account }) => ({
      ...account,
      last_at: last_at.toISOString(),
      can_get_mail: canGetMail({ email_verified, auth_provider }),
    })),
    networks,
  }
}
