import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { type TwoCountries, twoCountries } from '#server/testing/two-countries.ts'
import { COORDINATORS, type Role } from '#shared/roles.ts'
import type { Scope } from './claims.ts'
import { withClaims } from './claims.ts'

// No handler in between: tests what the database allows if a check is forgotten.
const database = await testDatabase()
const app = await accountApp(database, {}, { needsSecondStep: false })
const scene = await twoCountries(database, app)
const { JP, IT } = scene

/** Tables with data about users or places; a role without a scope sees none of it. */
const TABLES = [
  ...[
    'user_profiles',
    'persons',
    'assistant_cases',
    'roll_calls',
    'roll_call_recipients',
    'roll_call_in_scope',
    'roll_call_texts',
  ],
  ...['inbound_texts', 'locales', 'locale_servants', 'locale_schedules', 'locale_photos', 'locale_corrections'],
  ...['locale_messages', 'imports', 'import_rows', 'mfa_local_chapters', 'announcements', 'notifications'],
  ...['scheduled_notifications', 'messages', 'message_attempts', 'notification_preferences', 'push_subscriptions'],
  ...['stored_files', 'advisory_subscriptions', 'advisory_acknowledgments', 'ai_conversations', 'chat_messages'],
  ...['ai_process_states', 'ai_user_preferences', 'assistant_questions', 'audit_log', 'notification_reads'],
  ...[
    'suppressions',
    'unmatched_delivery_events',
    'delivery_monitor_alarms',
    'delivery_monitor_checks',
    'withheld_announcements',
    'announcement_stats',
  ],
] as const

/** The rows of both countries a table shows to a user who owns none of them. */
async function marksIn(role: Role, scope: Scope | undefined): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of TABLES) {
    const text = await withClaims(
      database,
      { as: 'user', userId: '00000000-0000-4000-8000-000000000000', role, ...(scope ? { scope } : {}) },
      async (db) => {
        const { rows } = await sql<{
          all: string | null
        }>`select string_agg(t::text, ' ') as all from ${sql.table(table)} t`.execute(db)
        return rows[0]!.all ?? ''
      },
      // Some tables cannot be read by users at all.
    ).catch((error: { code?: string }) => (error.code === '42501' ? '' : Promise.reject(error)))
    const marks = [...new Set(text.match(/only-(jp|it|nowhere)/gi)?.map((mark) => mark.slice(5).toUpperCase()))].sort()
    if (marks.length > 0) found[table] = marks
  }
  return found
}

const NONE: Scope[] = [
  { countries: null, chapters: null },
  { countries: [], chapters: [] },
  { countries: null, chapters: [] },
  { countries: ['IS'], chapters: null },
]

test.each(COORDINATORS)('a %s without a scope, or with an empty one, sees nobody in any table', async (role) => {
  for (const scope of NONE) expect([scope, await marksIn(role, scope)]).toEqual([scope, {}])
})

test.each(['coordinator', 'member', 'traveler'] as const)('a %s sees nobody in any table', async (role) => {
  expect(await marksIn(role, undefined)).toEqual({})
})

const OF_USERS = ['user_profiles', 'persons']
const OF_CALLS = ['assistant_cases', 'roll_calls', 'roll_call_recipients', 'roll_call_in_scope']
const OF_CHURCHES = ['locales', 'locale_servants', 'locale_corrections', 'locale_messages', 'mfa_local_chapters']

test.each([
  ['mfa_coordinator', [...OF_USERS, ...OF_CALLS, ...OF_CHURCHES, 'stored_files']],
  ['local_servant', [...OF_USERS, ...OF_CALLS]],
  ['pdos_coordinator', [...OF_USERS, 'stored_files']],
] as const)('a %s of one country sees only that country, in the tables of the role', async (role, tables) => {
  const expected = (mark: string) => Object.fromEntries(tables.map((table) => [table, [mark]]))
  expect(await marksIn(role, { countries: ['JP'], chapters: null })).toEqual(expected('JP'))
  expect(await marksIn(role, { countries: ['IT'], chapters: [] })).toEqual(expected('IT'))
})

test('a coordinator of one chapter sees only its users and the chapter itself', async () => {
  expect(await marksIn('mfa_coordinator', { countries: null, chapters: [IT.chapter] })).toEqual({
    ...{ user_profiles: ['IT'], persons: ['IT'], mfa_local_chapters: ['IT'] },
  })
})

test('an unrestricted scope covers everything of the role', async () => {
  const everywhere = await marksIn('mfa_coordinator', undefined)
  expect(everywhere).toMatchObject({
    user_profiles: ['IT', 'JP', 'NOWHERE'],
    roll_call_recipients: ['IT', 'JP'],
    locales: ['IT', 'JP'],
  })
  // An unrestricted local servant is so for accounts only: roll calls and cases need named places.
  expect(Object.keys(await marksIn('local_servant', undefined)).sort()).toEqual(OF_USERS.toSorted())
})

/** Functions that run with more rights than the caller. */
const FUNCTIONS: ((of: TwoCountries['IT']) => ReturnType<typeof sql<{ all: string | null }>>)[] = [
  ({ rollCall }) => sql`select string_agg(t::text, ' ') as all from roll_call_list(${rollCall}) t`,
  ({ rollCall }) => sql`select string_agg(t::text, ' ') as all from roll_call_names(${rollCall}) t`,
  ({ chapter }) => sql`select string_agg(t::text, ' ') as all from roll_call_concerned('{IT}', ${chapter}) t`,
  () => sql`select string_agg(t::text, ' ') as all from roll_call_chapters() t`,
  () => sql`select string_agg(t::text, ' ') as all from audience_chapters() t`,
  ({ cases }) =>
    sql`select string_agg(assistant_case_taker(id), ' ') as all from unnest(${cases.map(({ id }) => id)}::uuid[]) id`,
]

test('functions with more rights than their caller reveal nothing from other places', async () => {
  for (const role of COORDINATORS)
    for (const scope of [...NONE, { countries: ['JP'], chapters: [JP.chapter] }])
      for (const ask of FUNCTIONS) {
        const claims = { as: 'user', userId: JP.coordinator.id, role, scope } as const
        const { rows } = await withClaims(database, claims, (db) => ask(IT).execute(db))
        expect([role, scope, rows[0]!.all?.match(/only-it[^,")]*/i)?.[0]]).toEqual([role, scope, undefined])
        expect([role, scope, rows[0]!.all?.includes(IT.traveler.id) ?? false]).toEqual([role, scope, false])
      }
})
