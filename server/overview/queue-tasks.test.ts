import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { asking, scopedSession } from '#server/roll-calls/testing.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { QueueRow } from '#shared/overview/queue.ts'
import { ROLES } from '#shared/roles.ts'

const NOW = new Date('2026-11-22T08:00:00Z')
const database = await testDatabase()
const app = await testApp(database, { readSession: scopedSession, now: () => NOW })
const ask = asking(app)
const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'test', run)
const admin = await createTestUser(database, 'admin', { first_name: 'Adam' })
const other = await createTestUser(database, 'admin', { first_name: 'Olga' })
const ago = (hours: number) => new Date(NOW.valueOf() - hours * 3_600_000)

beforeEach(() =>
  work(async (db) => {
    for (const table of [
      'messages',
      'announcements',
      'delivery_monitor_alarms',
      'imports',
      'discretion_requests',
    ] as const)
      await db.deleteFrom(table).execute()
    await db.deleteFrom('assistant_questions').execute()
    await db.updateTable('user_profiles').set({ profile_status: 'active' }).execute()
  }),
)

const read = async (by: string, query = '?show=all') => (await ask(by, 'GET', `/admin-operations/queue${query}`)).body
const rowOf = async (by: string, kind: QueueRow['kind']): Promise<QueueRow | undefined> =>
  (await read(by)).rows.find((row: QueueRow) => row.kind === kind)
const kinds = async (by: string): Promise<string[]> => (await read(by)).rows.map(({ kind }: QueueRow) => kind)

const insertMessage = (channel: 'email' | 'sms', created_at: Date) =>
  work((db) =>
    db
      .insertInto('messages')
      .values({
        ...{ message_key: randomUUID(), channel, recipient: 'x', template: 'welcome', body_text: 'x' },
        ...{ status: 'failed', created_at },
      })
      .execute(),
  )
const insertAnnouncement = (created_by: string, title: string) =>
  work((db) =>
    db
      .insertInto('announcements')
      .values({
        ...{
          announcement_key: randomUUID(),
          kind: 'announcement',
          template: 'announcement',
          status: 'for_approval',
          created_by,
        },
        ...{ texts: JSON.stringify({ en: { title, message: 'x' } }), updated_at: ago(1) },
      } as never)
      .execute(),
  )

test('failed messages are one row with their channels, late after an hour', async () => {
  expect(await rowOf(admin.as, 'failed_messages')).toBeUndefined()
  await insertMessage('sms', ago(0.5))
  expect(await rowOf(admin.as, 'failed_messages')).toMatchObject({ count: 1, is_late: false, owner_name: null })
  await insertMessage('email', ago(1))
  expect(await rowOf(admin.as, 'failed_messages')).toMatchObject({
    ...{ count: 2, is_late: true, figures: { email: 1, sms: 1, others: 0 }, since: ago(1).toISOString() },
  })
})

test('a delivery alarm comes before other work, also one about a missing provider', async () => {
  await insertMessage('sms', ago(200))
  await work((db) =>
    db
      .insertInto('delivery_monitor_alarms')
      .values([
        { cause: 'no_mail_provider', count: 1, raised_at: ago(0) },
        { cause: 'not_announced', count: 2, detail: 'Storm', raised_at: ago(1) },
      ])
      .execute(),
  )
  const { rows } = await read(admin.as)
  expect(rows.slice(0, 2)).toMatchObject([
    { kind: 'alarm', cause: 'not_announced', count: 2, about: 'Storm', is_late: true },
    { kind: 'alarm', cause: 'no_mail_provider', is_late: true },
  ])
  expect((await kinds(admin.as)).indexOf('failed_messages')).toBeGreaterThan(1)
})

test('an announcement waits for every administrator but its author', async () => {
  await insertAnnouncement(other.id, 'عاصفة في مانيلا')
  expect(await rowOf(admin.as, 'announcement')).toMatchObject({
    name: 'عاصفة في مانيلا',
    about: expect.stringMatching(/^Olga/),
  })
  expect(await rowOf(other.as, 'announcement')).toBeUndefined()
})

test('a request to publish more waits for a second administrator until it expires', async () => {
  const request = { country_code: 'KW', needs_second: true, reason: 'Asked', locales: 2, requested_at: ago(1) }
  await work((db) =>
    db
      .insertInto('discretion_requests')
      .values([
        { ...request, requested_by: other.id, expires_at: ago(-1), decided_by: null },
        { ...request, country_code: 'QA', requested_by: other.id, expires_at: ago(0), decided_by: null },
      ])
      .execute(),
  )
  expect((await kinds(admin.as)).filter((kind) => kind === 'discretion')).toHaveLength(1)
  expect(await rowOf(admin.as, 'discretion')).toMatchObject({
    country_code: 'KW',
    about: expect.stringMatching(/^Olga/),
  })
  expect(await rowOf(other.as, 'discretion')).toBeUndefined()
})

test('an import waits for its uploader until it is applied or abandoned', async () => {
  const file = { kind: 'locales', sha256: 'x', columns: ['name'], row_count: 12, created_by: other.id }
  await work((db) =>
    db
      .insertInto('imports')
      .values([
        { ...file, file_name: 'new.csv', status: 'planned', created_at: ago(1) },
        { ...file, file_name: 'done.csv', status: 'committed', created_at: ago(1) },
        { ...file, file_name: 'old.csv', status: 'planned', created_at: ago(24 * 30) },
      ] as never)
      .execute(),
  )
  expect((await kinds(admin.as)).filter((kind) => kind === 'import')).toHaveLength(1)
  expect(await rowOf(other.as, 'import')).toMatchObject({ name: 'new.csv', is_mine: true, figures: { rows: 12 } })
  expect((await read(other.as, '?show=all&owner=mine')).rows).toMatchObject([{ kind: 'import' }])
  expect(await rowOf(admin.as, 'import')).toMatchObject({ is_mine: false, owner_name: expect.stringMatching(/^Olga/) })
})

test('lower levels and withheld news wait by source', async () => {
  const advisory = await work((db) =>
    insertAdvisory(db, {
      ...{ pending_severity_level: 'info', pending_wording: 'Level 1', pending_since: ago(30), pending_reason: 'mass' },
    } as never),
  )
  await work((db) =>
    db
      .insertInto('withheld_announcements')
      .values({
        ...{ source_id: advisory.source_id, advisory_id: advisory.id, advisory_version: 1, reason: 'new' },
        ...{ priority: 'urgent', announcement_key: randomUUID(), texts: '{}', withheld_at: ago(1), decision: null },
      } as never)
      .execute(),
  )
  expect(await rowOf(admin.as, 'lower_levels')).toMatchObject({ id: advisory.source_id, count: 1, is_late: true })
  expect(await rowOf(admin.as, 'withheld')).toMatchObject({ id: advisory.source_id, count: 1, is_late: false })
  await work((db) => db.deleteFrom('travel_advisories').where('id', '=', advisory.id).execute())
})

test('late work comes before work that is not, then the longest waiting', async () => {
  await insertMessage('sms', ago(2))
  await insertAnnouncement(other.id, 'Older, not late')
  await createTestUser(database, 'traveler', { profile_status: 'pending', created_at: ago(80) })
  const order = await kinds(admin.as)
  const places = (['accounts', 'failed_messages', 'announcement'] as const).map((kind) => order.indexOf(kind))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
})

test('facts of the assistant wait when their confirmation has expired, unless they are switched off', async () => {
  const fact = {
    kind: 'rule' as const,
    code: 'pdos.required',
    value: '{}',
    source_title: 'x',
    source_url: '/travel-faq',
  }
  const days = { checked_on: '2020-01-01', position: 0 }
  const before = (await rowOf(admin.as, 'facts'))?.count ?? 0
  await work((db) =>
    db
      .insertInto('assistant_facts')
      .values([
        { ...fact, ...days, id: 'rule.past', valid_until: '2020-12-31' },
        { ...fact, ...days, id: 'rule.holds', valid_until: '2099-12-31' },
        { ...fact, ...days, id: 'rule.switched_off', valid_until: '2020-12-31', is_active: false },
      ])
      .execute(),
  )
  const { count } = (await rowOf(admin.as, 'facts'))!
  expect(count).toBe(before + 1)
  expect((await ask(admin.as, 'GET', '/admin/assistant/facts?status=expired')).body.total).toBe(count)
})

test('each role has only the work of its own pages and places', async () => {
  await insertMessage('sms', ago(2))
  await insertAnnouncement(other.id, 'For administrators')
  await work((db) =>
    db
      .insertInto('assistant_questions')
      .values({
        ...{ status: 'unknown', language: 'en', intent: 'general_inquiry', processing_time_ms: 5, asked_at: ago(1) },
      } as never)
      .execute(),
  )
  for (const place of ['QA', 'NO'])
    await createTestUser(database, 'traveler', { profile_status: 'pending', country_code: place })
  expect(await kinds(admin.as)).toEqual(
    expect.arrayContaining(['failed_messages', 'announcement', 'questions', 'accounts']),
  )
  expect((await rowOf(admin.as, 'accounts'))?.count).toBe(2)
  const { id } = await createTestUser(database, 'local_servant')
  for (const role of ['mfa_coordinator', 'pdos_coordinator', 'local_servant']) {
    expect([role, await kinds(`${role} ${id} QA -`)]).toEqual([role, ['accounts']])
    expect((await rowOf(`${role} ${id} QA -`, 'accounts'))?.count).toBe(1)
    expect([role, await kinds(`${role} ${id} XX -`)]).toEqual([role, []])
  }
  for (const role of ROLES.filter((known) => ['traveler', 'member', 'coordinator'].includes(known)))
    expect((await ask(`${role} ${id} - -`, 'GET', '/admin-operations/queue')).status).toBe(403)
})

test('a group that cannot be read is named, and the rest is shown', async () => {
  await insertMessage('sms', ago(2))
  await createTestUser(database, 'traveler', { profile_status: 'pending', country_code: 'QA' })
  expect((await read(admin.as)).failed).toEqual([])
  await sql`alter table assistant_cases rename to assistant_cases_away`.execute(database.background.kysely)
  try {
    const { failed, rows } = await read(admin.as)
    expect(failed).toEqual(['calls'])
    expect(rows.map(({ kind }: QueueRow) => kind)).toEqual(expect.arrayContaining(['failed_messages', 'accounts']))
  } finally {
    await sql`alter table assistant_cases_away rename to assistant_cases`.execute(database.background.kysely)
  }
})
