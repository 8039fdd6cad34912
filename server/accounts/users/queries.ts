import { type SqlBool, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { containing } from '#server/db/like.ts'
import type { SignedIn } from '#server/http/session.ts'
import {
  type AccountAge,
  type AccountFilter,
  type AccountSign,
  COORDINATOR_TABS,
  DOUBTFUL_SIGNS,
  SAFE_SIGNS,
  USER_TABS,
  type UserFilters,
  type UserRow,
  type UserTab,
} from '#shared/accounts/users.ts'
import { COORDINATORS, isAdmin, type Role } from '#shared/roles.ts'
import { rowsOf, sortOf } from '#shared/table.ts'

type Caller = Pick<SignedIn, 'id' | 'role'>

const ROW = [
  'id',
  'display_name',
  'email',
  'email_verified',
  'role',
  'scope_countries',
  'scope_chapters',
  'scope_everywhere',
  'scope_reason',
  'role_ends_at',
  'profile_status',
  'is_flagged',
  'auth_provider',
  'registration_method',
  'country_code',
  'created_at',
  'last_login_at',
] as const

/** Maximum number of rows in a downloaded table. */
export const MAX_SAVED = 10_000

/** A page of the matching accounts, and their total. */
export async function listUserRows(
  db: Db,
  by: Caller,
  filters: UserFilters,
  now: Date,
): Promise<{ users: UserRow[]; total: number }> {
  const { column, direction } = sortOf(filters.sort)
  const total = await countMatching(db, by, filters, now)
  const users = await matching(db, by, filters, now)
    .select(ROW)
    .select(({ selectFrom }) =>
      selectFrom('mfa_local_chapters as c')
        .select('c.chapter_name')
        .whereRef('c.id', '=', 'user_profiles.chapter_id')
        .as('chapter_name'),
    )
    .select(
      sql<AccountSign[]>`case when profile_status = 'pending' then account_signs(user_profiles) else '{}' end`.as(
        'signs',
      ),
    )
    .orderBy(column, (order) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsLast()))
    .orderBy('user_profiles.id')
    .limit(filters.per_page)
    .offset(rowsOf(filters).offset)
    .execute()
  return {
    users: users.map(({ chapter_name, signs, ...row }) => ({ ...userRowOf(row), chapter_name, signs })),
    total,
  }
}

export async function countMatching(db: Db, by: Caller, filter: AccountFilter, now: Date): Promise<number> {
  const { total } = await matching(db, by, filter, now)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/**
 * The matching accounts among those that row-level security shows. Lists, counts and actions on "all that match" share
 * this query, so that they agree.
 */
export function matching(db: Db, by: Caller, filter: AccountFilter, now: Date) {
  const { search, role, status, provider, method, country, age, suggested } = filter
  let query = db.selectFrom('user_profiles').where(inTab(filter.tab, by))
  if (search) query = query.where(isFound(search, by))
  if (role) query = query.where('role', '=', role)
  if (status) query = query.where('profile_status', '=', status)
  // Erased accounts are found by their status only.
  else query = query.where('profile_status', '!=', 'deleted')
  if (provider) query = query.where('auth_provider', '=', provider)
  if (method) query = query.where('registration_method', '=', method)
  if (country)
    query = query.where(
      sql<SqlBool>`(user_profiles.country_code = ${country} or ${country} = any(user_profiles.countries))`,
    )
  if (age) query = query.where('user_profiles.created_at', age.startsWith('under') ? '>' : '<=', madeBefore(age, now))
  if (suggested) query = query.where(isSuggested)
  return query
}

/** Number of accounts in each tab of the list that the caller has. */
export async function countTabs(db: Db, by: Caller): Promise<Partial<Record<UserTab, number>>> {
  const tabs: readonly UserTab[] = isAdmin(by.role) ? USER_TABS : COORDINATOR_TABS
  const counted = await db
    .selectFrom('user_profiles')
    .select(({ fn }) => tabs.map((tab) => fn.countAll<number>().filterWhere(inTab(tab, by)).as(tab)))
    .where('profile_status', '!=', 'deleted')
    .executeTakeFirstOrThrow()
  return Object.fromEntries(tabs.map((tab) => [tab, Number(counted[tab])]))
}

/** Unverified new accounts, wherever they are counted. Nobody verifies themselves. */
export const isWaiting = (me: string) =>
  sql<SqlBool>`user_profiles.profile_status = 'pending' and user_profiles.id <> ${me}::uuid`

function inTab(tab: UserTab, by: Caller) {
  if (tab === 'new') return isWaiting(by.id)
  // Administrators see everyone; coordinators see the users they are responsible for.
  const everybody = isAdmin(by.role) ? sql<SqlBool>`true` : sql<SqlBool>`user_profiles.id <> ${by.id}::uuid`
  if (tab === 'role') return sql<SqlBool>`role not in ('traveler', 'member')`
  if (tab === 'everywhere') return sql<SqlBool>`scope_everywhere`
  if (tab === 'one_step')
    return sql<SqlBool>`case when role in ('admin', ${sql.join(COORDINATORS)}) then not account_has_second_step(user_profiles) else false end`
  if (tab === 'suspended') return sql<SqlBool>`profile_status = 'suspended' and ${everybody}`
  if (tab === 'flagged') return sql<SqlBool>`is_flagged and profile_status <> 'deleted' and ${everybody}`
  return everybody
}

/** Minimum digits of a search by whole number; without its country code it may be this short. */
const WHOLE_NUMBER_DIGITS = 8

/**
 * Matches part of the name, email or hub id, the member number, or the phone number: administrators by any part,
 * coordinators by the whole. Coordinators do not see numbers and must not find them digit by digit.
 */
function isFound(search: string, by: Caller) {
  const digits = search.replaceAll(/[^0-9]/g, '').replace(/^0+/, '')
  const isNumber = /^[+\d\s().-]+$/.test(search) && digits.length >= (isAdmin(by.role) ? 4 : WHOLE_NUMBER_DIGITS)
  const number = isAdmin(by.role) ? `%${digits}%` : `%${digits}`
  return sql<SqlBool>`(search_text like ${containing(search)}
    ${isNumber ? sql`or phone_number like ${number}` : sql``}
    or person_id in (select p.id from persons p where lower(p.mcgi_id) = ${search.replaceAll('\0', '').toLowerCase()}))`
}

const isSuggested = sql<SqlBool>`case when user_profiles.profile_status = 'pending' then (
  select s.signs && ${sql.lit(`{${SAFE_SIGNS.join(',')}}`)}::text[]
    and not s.signs && ${sql.lit(`{${DOUBTFUL_SIGNS.join(',')}}`)}::text[]
  from account_signs(user_profiles) as s(signs)) else false end`

const AGE_DAYS: Record<AccountAge, number> = { under_day: 1, under_week: 7, over_week: 7, over_month: 30 }
const madeBefore = (age: AccountAge, now: Date) => new Date(now.valueOf() - AGE_DAYS[age] * 86_400_000)

type StoredProfile = Pick<Awaited<ReturnType<typeof findProfile>> & {}, (typeof ROW)[number]>

export const userRowOf = (row: StoredProfile): Omit<UserRow, 'chapter_name' | 'signs'> => ({
  ...row,
  role_ends_at: row.role_ends_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  last_login_at: row.last_login_at?.toISOString() ?? null,
})

export function findProfile(db: Db, id: string) {
  return db.selectFrom('user_profiles').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Signs of a waiting account, without data of others. */
export async function findSigns(db: Db, id: string): Promise<AccountSign[]> {
  const found = await db
    .selectFrom('user_profiles')
    .select(sql<AccountSign[]>`account_signs(user_profiles)`.as('signs'))
    .where('id', '=', id)
    .where('profile_status', '=', 'pending')
    .executeTakeFirst()
  return found?.signs ?? []
}

/** Accounts whose role is in force and that may sign in. */
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

/** The waiting accounts, the longest waiting first. */
export async function listWaiting(db: Db, me: string, { page, per_page }: { page: number; per_page: number }) {
  // Row-level security limits a coordinator to their countries.
  const waiting = () => db.selectFrom('user_profiles').where(isWaiting(me))
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
