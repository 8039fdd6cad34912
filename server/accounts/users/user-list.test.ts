import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { scopedSession } from '#server/roll-calls/testing.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { COORDINATOR_TABS, USER_TABS, type UserRow } from '#shared/accounts/users.ts'

const database = await testDatabase()
const NOW = new Date('2026-11-22T08:00:00Z')
const app = await testApp(database, { readSession: scopedSession, now: () => NOW })
const AS = 'x-test-as'
async function list(by: string, query: string) {
  const response = await app.request(`/api/admin-operations/users?${query}`, { headers: { [AS]: by } })
  return { status: response.status, answer: (await response.json()) as any }
}
const work = <T>(fn: Parameters<typeof inBackground<T>>[2]) => inBackground(database, 'test', fn)

const admin = `${(await createTestUser(database, 'admin')).as} - -`
const leah = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
const japan = `${leah.as} JP -`
const hoursAgo = (hours: number) => new Date(NOW.valueOf() - hours * 3_600_000)

/** 3,000 accounts, of which 310 wait: 200 of Japan, 110 of Spain. The longest waiting has the number 1. */
await work((db) =>
  sql`insert into user_profiles (email, display_name, profile_status, country_code, created_at)
    select 'account-' || n || '@example.org', 'Account ' || n, case when n <= 310 then 'pending' else 'active' end,
      case when n <= 200 or (n > 310 and n % 3 = 0) then 'JP' else 'ES' end, ${NOW}::timestamptz - (3001 - n) * interval '1 minute'
    from generate_series(1, 2998) n`.execute(db),
)

test('of 3,000 accounts all are reachable: every waiting one is on a page, and each count matches its list', async () => {
  const everyone = async (by: string, query: string) => {
    const found: string[] = []
    for (let page = 1; ; page++) {
      const { answer } = await list(by, `${query}&page=${page}&per_page=200&sort=created_at`)
      found.push(...answer.users.map(({ id }: UserRow) => id))
      if (found.length >= answer.total || answer.users.length === 0) return { found, ...answer }
    }
  }
  for (const [by, tabs] of [
    [admin, USER_TABS],
    [japan, COORDINATOR_TABS],
  ] as const)
    for (const tab of tabs) {
      const { found, total, counts } = await everyone(by, `tab=${tab}`)
      expect([tab, new Set(found).size, total]).toEqual([tab, counts[tab], counts[tab]])
    }
  const { answer } = await list(admin, 'tab=new')
  expect(answer.counts).toMatchObject({ new: 310, all: 3000, role: 2, everywhere: 0, one_step: 2 })
  expect((await list(japan, 'tab=new')).answer).toMatchObject({ total: 200, counts: { new: 200 } })
})

test('a coordinator lists only the users of their countries, and no tab about roles', async () => {
  expect((await list(japan, 'tab=new&country=ES')).answer.total).toBe(0)
  expect((await list(japan, 'search=account-300@')).answer.total).toBe(0)
  expect((await list(admin, 'search=account-300@')).answer.total).toBe(1)
  expect((await list(`${leah.as} XX -`, 'tab=all')).answer).toMatchObject({ total: 0, counts: { new: 0, all: 0 } })
  for (const query of ['tab=role', 'tab=everywhere', 'tab=one_step', 'format=csv'])
    expect([query, (await list(japan, query)).status]).toEqual([query, 403])
})

test('the list is searched by name, address, phone and member number, with wildcards taken literally', async () => {
  const user = await createTestUser(database, 'member', { display_name: '100%_sure', phone_number: '+819011112222' })
  await work((db) =>
    sql`update persons set mcgi_id = '014-30117' where id = (select person_id from user_profiles where id = ${user.id})`.execute(
      db,
    ),
  )
  const ids = async (search: string) =>
    (await list(admin, `search=${encodeURIComponent(search)}`)).answer.users.map(({ id }: UserRow) => id)
  for (const search of ['100%_s', '+81 90-1111-2222', '090 1111 2222', '014-30117', user.email])
    expect([search, await ids(search)]).toEqual([search, [user.id]])
  for (const search of ['100__sure', '1000sure', '%', "' or 1=1 --", '014-3011'])
    expect([search, await ids(search)]).toEqual([search, search === '%' ? [user.id] : []])
})

test('a coordinator finds a user by a known whole number, and cannot probe one digit by digit', async () => {
  const user = await createTestUser(database, 'member', { country_code: 'JP', phone_number: '+818033334444' })
  const ids = async (by: string, search: string) =>
    (await list(by, `search=${encodeURIComponent(search)}`)).answer.users.map(({ id }: UserRow) => id)
  for (const search of ['+81 80 3333 4444', '080-3333-4444']) expect(await ids(japan, search)).toEqual([user.id])
  for (const search of ['8180', '80333', '+81803333444', '3334444']) {
    expect([search, await ids(japan, search)]).toEqual([search, []])
    expect(await ids(admin, search)).toContain(user.id)
  }
})

test('the list is filtered by country, by how the account was made, and by its age', async () => {
  const make = (display_name: string, hours: number, more: object = {}) =>
    createTestUser(database, 'traveler', {
      profile_status: 'pending',
      display_name: `Filter ${display_name}`,
      created_at: hoursAgo(hours),
      ...more,
    })
  const today = await make('today', 3, { country_code: 'KW' })
  const days = await make('days', 72, { countries: ['KW'], registration_method: 'google_oauth' })
  const old = await make('old', 24 * 40, { country_code: 'QA', registration_method: 'mcgi_hub' })
  const ids = async (query: string) =>
    (await list(admin, `search=Filter&sort=-created_at&${query}`)).answer.users.map(({ id }: UserRow) => id)
  expect(await ids('country=KW')).toEqual([today.id, days.id])
  expect(await ids('method=google_oauth')).toEqual([days.id])
  expect(await ids('age=under_day')).toEqual([today.id])
  expect(await ids('age=under_week')).toEqual([today.id, days.id])
  expect(await ids('age=over_week')).toEqual([old.id])
  expect(await ids('age=over_month')).toEqual([old.id])
  expect((await list(admin, 'country=Japan')).status).toBe(422)
})

test('signs come from records: hub, servants, bounced addresses, numbers and names that occur twice', async () => {
  const make = (display_name: string, more: object = {}) =>
    createTestUser(database, 'traveler', { profile_status: 'pending', country_code: 'JP', display_name, ...more })
  const hub = await make('Signs hub', { mcgi_hub_id: 'h-1' })
  const servant = await make('Signs servant', { phone_number: '+819055556666', phone_verified: true })
  const pretender = await make('Signs pretender', { email_verified: false })
  const bounced = await make('Signs bounced', { mcgi_hub_id: 'h-2' })
  const twin = await make('Signs Twin')
  await createTestUser(database, 'member', { display_name: 'signs twin' })
  const shared = await make('Signs shared', { phone_number: '+819077778888', mcgi_hub_id: 'h-3' })
  await createTestUser(database, 'member', { phone_number: '+819077778888' })
  await work(async (db) => {
    const locale = await db
      .insertInto('locales')
      .values({ name: 'Osaka', country_code: 'JP' } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('locale_servants')
      .values([
        { locale_id: locale.id, name: 'Sister Aki', phone: '090-5555-6666' } as never,
        { locale_id: locale.id, name: 'Brother Ken', email: pretender.email } as never,
      ])
      .execute()
    await db
      .insertInto('suppressions')
      .values({ channel: 'email', address: bounced.email, reason: 'bounced' })
      .execute()
  })
  const { answer } = await list(japan, 'tab=new&search=Signs&per_page=50')
  const signsOf = ({ id }: { id: string }) => answer.users.find((user: UserRow) => user.id === id).signs
  expect(signsOf(hub)).toEqual(['hub', 'email_confirmed'])
  expect(signsOf(servant)).toEqual(['servant', 'email_confirmed', 'phone_confirmed'])
  // Anyone can enter the address of a servant: it counts once it is confirmed.
  expect(signsOf(pretender)).toEqual(['unconfirmed'])
  expect(signsOf(bounced)).toEqual(['bounced', 'hub', 'email_confirmed'])
  expect(signsOf(twin)).toEqual(['same_name', 'email_confirmed'])
  expect(signsOf(shared)).toEqual(['hub', 'phone_in_use', 'email_confirmed'])
  // Only certain accounts are suggested: not the bounced one, not the number shared by two accounts.
  expect(answer.suggested).toBe(2)
  const suggested = await list(japan, 'tab=new&search=Signs&suggested=yes')
  expect(suggested.answer.users.map(({ id }: UserRow) => id).toSorted()).toEqual([hub.id, servant.id].toSorted())
})
