import { type Expression, type SqlBool, sql } from 'kysely'
import type { UserFilters, UserRow } from '#shared/accounts/users.ts'
import type { Role } from '#shared/roles.ts'
import { rowsOf, sortOf } from '#shared/table.ts'
import type { Db } from '../../db/connection.ts'
import { containing } from './search.ts'

const ROW = [
  'id',
  'display_name',
  'email',
  'email_verified',
  'role',
  'scope_countries',
  'scope_chapters',
  'role_ends_at',
  'profile_status',
  'is_flagged',
  'auth_provider',
  'registration_method',
  'country_code',
  'created_at',
  'last_login_at',
] as const

/** The most rows that a table to save holds. */
export const MOST_SAVED = 10_000

export async function listUserRows(db: Db, filters: UserFilters): Promise<{ users: UserRow[]; total: number }> {
  const { column, direction } = sortOf(filters.sort)
  const { total } = await matching(db, filters)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const users = await matching(db, filters)
    .select(ROW)
    .orderBy(column, (order) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('id')
    .limit(filters.per_page)
    .offset(rowsOf(filters).offset)
    .execute()
  return { users: users.map(userRowOf), total }
}

function matching(db: Db, { search, role, status, provider, tab }: UserFilters) {
  let query = db.selectFrom('user_profiles')
  if (search) query = query.where('search_text', 'like', containing(search))
  if (role) query = query.where('role', '=', role)
  if (status) query = query.where('profile_status', '=', status)
  // What was erased is looked for by its status only.
  else query = query.where('profile_status', '!=', 'deleted')
  if (provider) query = query.where('auth_provider', '=', provider)
  if (tab === 'new') query = query.where('profile_status', '=', 'pending')
  if (tab === 'flagged') query = query.where('is_flagged', '=', true)
  return query
}

export async function countTabs(db: Db) {
  const all: Expression<SqlBool> = sql<boolean>`profile_status <> 'deleted'`
  return db
    .selectFrom('user_profiles')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(all).as('all'),
      fn.countAll<number>().filterWhere('profile_status', '=', 'pending').as('new'),
      fn.countAll<number>().filterWhere('is_flagged', '=', true).filterWhere(all).as('flagged'),
    ])
    .executeTakeFirstOrThrow()
}

type Stored = Pick<Awaited<ReturnType<typeof findProfile>> & {}, (typeof ROW)[number]>

export const userRowOf = (row: Stored): UserRow => ({
  ...row,
  role_ends_at: row.role_ends_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  last_login_at: row.last_login_at?.toISOString() ?? null,
})

export function findProfile(db: Db, id: string) {
  return db.selectFrom('user_profiles').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Those whose role counts now and who may sign in. */
const inForce = sql<SqlBool>`profile_status in ('pending', 'active') and (role_ends_at is null or role_ends_at > now())`

export async function listByRole(db: Db, role: Role, { limit, offset }: { limit: number; offset: number }) {
  const holding = () => db.selectFrom('user_profiles').where('role', '=', role).where(inForce)
  const { total } = await holding()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const users = await holding()
    .select(['id', 'display_name', 'email', 'role'])
    .orderBy('display_name')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { users, total }
}

export function countByRole(db: Db) {
  return db
    .selectFrom('user_profiles')
    .select(({ fn }) => [
      'role' as const,
      fn.countAll<number>().as('total'),
      fn
        .countAll<number>()
        .filterWhere(sql<boolean>`(scope_countries is not null or scope_chapters is not null)`)
        .as('scoped'),
      fn.countAll<number>().filterWhere('role_ends_at', 'is not', null).as('ending'),
    ])
    .where(inForce)
    .groupBy('role')
    .execute()
}

export async function listWaiting(db: Db, { page, per_page }: { page: number; per_page: number }) {
  // Row-level security leaves a coordinator those of her countries.
  const waiting = () =>
    db.selectFrom('user_profiles').where('profile_status', '=', 'pending').where('role', 'in', ['traveler', 'member'])
  const { total } = await waiting()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const accounts = await waiting()
    .select(['id', 'display_name', 'email', 'email_verified', 'registration_method', 'country_code', 'countries'])
    .select(['is_flagged', 'status_reason', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(per_page)
    .offset(rowsOf({ page, per_page }).offset)
    .execute()
  return { accounts: accounts.map((a) => ({ ...a, created_at: a.created_at.toISOString() })), total, page, per_page }
}
