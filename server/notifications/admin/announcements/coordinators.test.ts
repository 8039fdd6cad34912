import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Claims, inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { scopedSession } from '#server/roll-calls/testing.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import type { AnnouncementDetail } from '#shared/notifications/announcements.ts'
import type { Role } from '#shared/roles.ts'
import { fanOutDue } from '../../announcements/fan-out.ts'

const database = await testDatabase()
const inside = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)
await inside((db) => writeSetting(db, 'notifications.approval_above', 3))
const app = await testApp(database, { readSession: scopedSession })

const admin = await createTestUser(database, 'admin', { display_name: 'Ruth Salazar' })
const hana = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'], display_name: 'Hana Sato' })
const pedro = await createTestUser(database, 'pdos_coordinator', { scope_countries: ['PE'] })
const lea = await createTestUser(database, 'local_servant')
const chapter = await inside(async (db) => {
  const values = { chapter_name: 'Tokyo', country_code: 'JP', coordinator_id: lea.id }
  const { id } = await db
    .insertInto('mfa_local_chapters')
    .values(values as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
})
const ana = await createTestUser(database, 'traveler', { country_code: 'JP', chapter_id: chapter })
const ben = await createTestUser(database, 'member', { country_code: 'PH', countries: ['JP'] })
const carl = await createTestUser(database, 'traveler', { country_code: 'PE' })
await createTestUser(database, 'mfa_coordinator', { country_code: 'JP' })

async function approvalAbove(recipients: number) {
  await inside((db) => writeSetting(db, 'notifications.approval_above', recipients))
  await app.readModel.catchUp()
}
const as = {
  admin: admin.as,
  hana: `${hana.as} JP -`,
  pedro: `${pedro.as} PE -`,
  lea: `${lea.as} - -`,
  everywhere: `mfa_coordinator ${hana.id} - -`,
}
type Answer = { id: string; status: string; code: string; error: string; fields: Record<string, string> }
async function call<T = Answer>(by: string, method: string, path: string, body?: object) {
  const response = await app.request(`/api/admin-operations/announcements${path}`, {
    method,
    headers: { [AS]: by, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, answer: (await response.json()) as T }
}
const texts = { en: { title: 'Office closed', message: 'Until Monday.' }, ar: {} }
const announcementBody = (audience: object = { roles: ['traveler', 'member'] }) => ({
  audience,
  channels: ['in-app'],
  texts,
})
const made = async (by = as.hana, audience?: object) =>
  (await call(by, 'POST', '', announcementBody(audience))).answer.id
const recipientsOf = (id: string) =>
  inside(async (db) => {
    const rows = await db.selectFrom('notifications').select('user_id').where('announcement_id', '=', id).execute()
    return rows.map(({ user_id }) => user_id).sort()
  })
const sorted = (...users: { id: string }[]) => users.map(({ id }) => id).sort()

test('a coordinator notifies travelers and members within their scope, and nobody else', async () => {
  const id = await made()
  const { answer: estimate } = await call<ReachEstimate>(as.hana, 'GET', `/${id}/outlook`)
  expect(estimate).toMatchObject({ chosen: 2, people: 2, needs_approval: false })
  expect((await call(as.hana, 'POST', `/${id}/send`, {})).answer).toMatchObject({ status: 'waiting' })
  await fanOutDue(database)
  expect(await recipientsOf(id)).toEqual(sorted(ana, ben))
  expect((await call<AnnouncementDetail>(as.hana, 'GET', `/${id}`)).answer.audience).toMatchObject({
    within: { everywhere: false, countries: ['JP'], chapters: [] },
  })
  const everywhere = await made(as.everywhere)
  await call(as.everywhere, 'POST', `/${everywhere}/send`, {})
  await fanOutDue(database)
  expect(await recipientsOf(everywhere)).toEqual(sorted(ana, ben, carl))
})

test('a local servant notifies the chapter they lead; one who leads none has no audience', async () => {
  const choices = (by: string) => call(by, 'GET', '/choices').then(({ answer }) => answer)
  expect(await choices(as.lea)).toMatchObject({
    countries: [],
    chapters: [{ id: chapter }],
    roles: ['traveler', 'member'],
  })
  const id = await made(as.lea, { chapters: [chapter] })
  await call(as.lea, 'POST', `/${id}/send`, {})
  await fanOutDue(database)
  expect(await recipientsOf(id)).toEqual([ana.id])
  const idle = await createTestUser(database, 'local_servant')
  expect(await choices(`${idle.as} - -`)).toMatchObject({ countries: [], chapters: [] })
  const nobody = await made(`${idle.as} - -`)
  expect((await call(`${idle.as} - -`, 'POST', `/${nobody}/send`, {})).answer).toMatchObject({ code: 'nobody' })
})

test('offers to write to a user only where the caller’s announcement would reach them', async () => {
  const peru = await createTestUser(database, 'member', { country_code: 'PE', profile_status: 'suspended' })
  const to = async (by: string, { id }: { id: string }) => {
    const { status, answer } = await call<{ recipient: { email: string } | null }>(by, 'GET', `/choices?to=${id}`)
    expect(status).toBe(200)
    return answer.recipient?.email ?? null
  }
  const page = async (by: string, { id }: { id: string }) => {
    const response = await app.request(`/api/admin-operations/users/${id}`, { headers: { [AS]: by } })
    return response.status === 200 ? ((await response.json()) as { can_write: boolean }).can_write : response.status
  }
  for (const [by, person, isOffered, isOnPage] of [
    [as.hana, ana, true, true],
    [as.hana, ben, true, true],
    [as.hana, carl, false, 404],
    [as.hana, pedro, false, 404],
    [as.hana, hana, false, false],
    [as.lea, ana, true, true],
    // The local servant sees users everywhere; their announcements reach only the chapters they lead.
    [as.lea, ben, false, false],
    [as.everywhere, carl, true, true],
    [as.everywhere, pedro, false, 404],
    [as.admin, pedro, true, true],
    [as.admin, ana, true, true],
    [as.admin, admin, false, false],
    // Nothing is sent to a user who cannot sign in.
    [as.admin, peru, false, false],
    [as.admin, { id: randomUUID() }, false, 404],
  ] as const) {
    expect([by, person, await to(by, person)]).toEqual([by, person, isOffered ? (person as typeof ana).email : null])
    expect([by, person, await page(by, person)]).toEqual([by, person, isOnPage])
  }
  expect((await call(as.hana, 'GET', '/choices')).answer).toMatchObject({ recipient: null })
  expect((await call(as.hana, 'GET', '/choices?to=ana')).status).toBe(422)
  for (const by of [ana.as, ben.as]) expect((await call(by, 'GET', `/choices?to=${carl.id}`)).status).toBe(403)
})

test('an unsaved announcement is counted within the scope, and not for others', async () => {
  const count = (by: string, audience: object) =>
    call<ReachEstimate>(by, 'POST', '/estimate', announcementBody(audience))
  expect((await count(as.hana, { roles: ['traveler', 'member'] })).answer).toMatchObject({ chosen: 2, people: 2 })
  expect((await count(as.pedro, { roles: ['traveler', 'member'] })).answer).toMatchObject({ chosen: 1 })
  expect((await count(as.lea, { chapters: [chapter] })).answer).toMatchObject({ chosen: 1 })
  const { answer } = await count(as.hana, { roles: ['traveler'] })
  expect(answer.readers.map(({ id }) => id)).toEqual([ana.id])
  for (const audience of [{ countries: ['JP', 'PE'] }, { people: [carl.email] }, { roles: ['admin'] }])
    expect((await count(as.hana, audience)).status).toBe(422)
  const idle = await createTestUser(database, 'local_servant')
  expect((await count(`${idle.as} - -`, { roles: ['traveler', 'member'] })).answer).toMatchObject({ chosen: 0 })
  for (const by of [ana.as, ben.as]) expect((await count(by, { roles: ['traveler'] })).status).toBe(403)
})

test('audience beyond the role’s scope is reported by field, also when saving an incomplete draft', async () => {
  const refused = async (audience: object) =>
    Object.keys(
      (await call(as.hana, 'POST', '', { ...announcementBody(audience), is_sketch: true })).answer.fields ?? {},
    )
  expect(await refused({ countries: ['JP', 'PE'] })).toEqual(['audience.countries'])
  expect(await refused({ roles: ['traveler', 'admin'] })).toEqual(['audience.roles'])
  // A user the caller may not see is treated as nonexistent.
  expect(await refused({ people: [carl.email, ana.email, admin.email] })).toEqual([
    'audience.people.0',
    'audience.people.2',
  ])
  const lima = await inside(async (db) => {
    const values = { chapter_name: 'Lima', country_code: 'PE' } as never
    return (await db.insertInto('mfa_local_chapters').values(values).returning('id').executeTakeFirstOrThrow()).id
  })
  expect(await refused({ chapters: [chapter, lima] })).toEqual(['audience.chapters'])
  expect(await refused({ roles: ['member'], countries: ['JP'], chapters: [chapter], people: [ana.email] })).toEqual([])
})

test('a coordinator cannot see the announcements of others', async () => {
  for (const id of [await made(as.admin, { countries: ['PE'] }), await made(as.hana)]) {
    const list = await call<{ announcements: { id: string }[] }>(as.pedro, 'GET', '')
    expect(list.answer.announcements).toEqual([])
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '/outlook'],
      ['PUT', '', announcementBody()],
      ['POST', '/send', {}],
      ['POST', '/cancel'],
      ['POST', '/test'],
      ['POST', '/retry'],
      ['DELETE', ''],
    ] as const)
      expect((await call(as.pedro, method, `/${id}${path}`, body)).status, `${method} ${path}`).toBe(404)
    for (const path of ['approve', 'decline'])
      expect((await call(as.pedro, 'POST', `/${id}/${path}`, { reason: 'x' })).status).toBe(403)
  }
})

test('above the limit an administrator approves, and sees the scope of the announcement', async () => {
  await approvalAbove(1)
  const id = await made()
  expect((await call(as.hana, 'POST', `/${id}/send`, {})).answer).toMatchObject({ status: 'for_approval' })
  expect((await call(as.hana, 'POST', `/${id}/approve`, {})).status).toBe(403)
  const seen = await call<AnnouncementDetail>(as.admin, 'GET', `/${id}`)
  expect(seen.answer).toMatchObject({ created_by_name: 'Hana Sato', audience: { within: { countries: ['JP'] } } })
  expect((await call(as.admin, 'POST', `/${id}/approve`, {})).answer).toMatchObject({ status: 'waiting' })
  await fanOutDue(database)
  expect(await recipientsOf(id)).toEqual(sorted(ana, ben))
  await approvalAbove(3)
})

test('a coordinator’s draft edited by an administrator keeps its author’s scope', async () => {
  const id = await made()
  await call(as.admin, 'PUT', `/${id}`, announcementBody({ roles: ['traveler', 'member', 'admin'] }))
  expect((await call<ReachEstimate>(as.admin, 'GET', `/${id}/outlook`)).answer.chosen).toBe(2)
})

test('an announcement written before the role’s scope changed is not sent', async () => {
  const id = await made()
  const now = `${hana.as} PE -`
  expect((await call(now, 'POST', `/${id}/send`, {})).answer).toMatchObject({ code: 'other_places' })
  await call(now, 'PUT', `/${id}`, announcementBody())
  expect((await call<ReachEstimate>(now, 'GET', `/${id}/outlook`)).answer.chosen).toBe(1)
})

test('a scheduled announcement returns to draft when its author’s role changes', async () => {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const { answer } = await call(as.hana, 'POST', '', { ...announcementBody(), scheduled_for: `${day}T09:30` })
  await call(as.hana, 'POST', `/${answer.id}/send`, {})
  const status = () => call<AnnouncementDetail>(as.admin, 'GET', `/${answer.id}`).then((seen) => seen.answer.status)
  expect(await status()).toBe('waiting')
  const change = (set: object) =>
    withClaims(database, { as: 'user', userId: admin.id, role: 'admin' }, (db) =>
      db.updateTable('user_profiles').set(set).where('id', '=', hana.id).execute(),
    )
  await change({ display_name: 'Hana Sato-Cruz' })
  expect(await status()).toBe('waiting')
  await change({ role: 'member', scope_countries: null })
  expect(await status()).toBe('draft')
  await change({ role: 'mfa_coordinator', scope_countries: ['JP'] })
})

test('a scheduled announcement whose author’s role expired is sent to nobody and returns to draft', async () => {
  // The test session does not check expiry; simulates a role that expires between sending and fan-out.
  const over = { scope_countries: ['JP'], role_ends_at: new Date(Date.now() - 1_000) }
  const dora = await createTestUser(database, 'mfa_coordinator', over)
  const [waiting, other] = [await made(`${dora.as} JP -`), await made()]
  await call(`${dora.as} JP -`, 'POST', `/${waiting}/send`, {})
  await call(as.hana, 'POST', `/${other}/send`, {})
  expect(await fanOutDue(database)).toMatchObject([{ id: other, recipients: 2 }])
  expect((await call<AnnouncementDetail>(as.admin, 'GET', `/${waiting}`)).answer.status).toBe('draft')
})

test('the tables accept a coordinator’s announcement only within their scope, as a draft, in their own name', async () => {
  const claims = (role: Role, countries: string[] | null, userId = hana.id): Claims => ({
    as: 'user',
    userId,
    role,
    scope: { countries, chapters: null },
  })
  const right = claims('mfa_coordinator', ['JP'])
  const within = { countries: ['JP'], chapters: [] }
  const insert = (more: object = {}, by = right) =>
    withClaims(database, by, (db) =>
      db
        .insertInto('announcements')
        .values({
          announcement_key: `announcement ${randomUUID()}`,
          kind: 'announcement',
          template: 'announcement',
          texts: '{"en":{"title":"x","message":"x"}}',
          audience: JSON.stringify({ within }),
          status: 'draft',
          created_by: hana.id,
          ...more,
        } as never)
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  for (const [more, by] of [
    [{ audience: '{"roles":["traveler"]}' }],
    [{ audience: null }],
    [{ audience: JSON.stringify({ within: { everywhere: true } }) }],
    [{ audience: JSON.stringify({ within: { countries: ['JP', 'PE'], chapters: [] } }) }],
    [{ status: 'waiting' }],
    [{ created_by: admin.id }],
    [{ template: 'roll-call' }],
    [{}, claims('mfa_coordinator', ['PE'])],
    [{}, claims('member', null)],
    [{ audience: JSON.stringify({ within: { everywhere: true } }) }, claims('local_servant', null)],
  ] as const)
    await expect(insert(more, by), JSON.stringify(more)).rejects.toThrow(/row-level security/)

  const { id } = await insert()
  const update = (set: string, by = right) =>
    withClaims(database, by, (db) => sql`update announcements set ${sql.raw(set)} where id = ${id}`.execute(db)).then(
      ({ numAffectedRows }) => Number(numAffectedRows),
    )
  const other = claims('pdos_coordinator', ['JP'], pedro.id)
  expect(await update(`status = 'cancelled'`, other)).toBe(0)
  expect(await withClaims(database, other, (db) => db.selectFrom('announcements').select('id').execute())).toEqual([])
  await expect(update(`audience = '{"roles":["traveler"]}'`)).rejects.toThrow(/row-level security/)
  await expect(update(`status = 'waiting', approved_by = '${hana.id}'`)).rejects.toThrow()
  await expect(update(`status = 'waiting'`, claims('mfa_coordinator', ['PE']))).rejects.toThrow(/row-level security/)
  expect(await update(`status = 'for_approval'`)).toBe(1)
  await expect(update(`status = 'waiting'`)).rejects.toThrow(/second person/)
  expect(await update(`status = 'cancelled'`, claims('mfa_coordinator', ['PE']))).toBe(1)
})
