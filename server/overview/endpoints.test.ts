import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAccount, type NewAccount } from '#server/accounts/create-account.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { everywhere } from '#server/testing/users.ts'
import { ROLES, type Role } from '#shared/roles.ts'

const database = await testDatabase()
const app = await testApp(database, {
  // "role id country,country": the last part is the role's scope.
  readSession: (request, address) => {
    const [role, id, places] = (request.headers.get(AS) ?? '').split(' ')
    const scope = places ? { scope: { countries: places.split(','), chapters: null } } : {}
    return { address, user: role && id ? { id, name: 'Test', role: role as Role, ...scope } : null }
  },
})
const inPortal = <T>(fn: (db: Db) => Promise<T>) => inBackground(database, 'test', fn)

let made = 0
async function createUser(account: Partial<NewAccount> & { status?: 'pending' | 'active' | 'deleted' } = {}) {
  const { status = 'active', ...rest } = account
  made += 1
  const email = rest.email ?? `person-${made}@example.org`
  const id = await createAccount(database, {
    first_name: 'Person',
    last_name: String(made),
    role: 'traveler',
    ...(rest.scope_countries ? {} : everywhere(rest.role)),
    ...rest,
    email,
  })
  await inPortal((db) =>
    db.updateTable('user_profiles').set({ profile_status: status }).where('id', '=', id!).execute(),
  )
  return id!
}

async function get(path: string, as: string) {
  const response = await app.request(`/api${path}`, { headers: as ? { [AS]: as } : {} })
  return { status: response.status, answer: (await response.json()) as never }
}

async function insertMessage(status: 'failed' | 'sent', channel: 'email' | 'sms') {
  const message = { message_key: randomUUID(), channel, recipient: 'x', template: 'welcome', body_text: 'x', status }
  await inPortal((db) => db.insertInto('messages').values(message).execute())
}

test.each([
  ['/admin-operations/frame', ['admin', 'mfa_coordinator', 'pdos_coordinator', 'local_servant']],
  ['/admin-operations/search?search=an', ['admin', 'mfa_coordinator', 'pdos_coordinator', 'local_servant']],
  ['/admin-operations/overview', ['admin']],
  ['/admin-operations/coordinator', ['mfa_coordinator', 'pdos_coordinator', 'local_servant']],
  ['/account/dashboard', ROLES],
  ['/account/countries', ROLES],
])('%s is available to its roles only', async (path, allowed) => {
  expect((await get(path, '')).status).toBe(401)
  for (const role of ROLES) {
    const id = await createUser({ role })
    expect((await get(path, `${role} ${id}`)).status, role).toBe(
      (allowed as readonly string[]).includes(role) ? 200 : 403,
    )
  }
})

test('an administrator sees counts of pending work, with the time of the oldest', async () => {
  const admin = await createUser({ role: 'admin' })
  const before = (await get('/admin-operations/overview', `admin ${admin}`)).answer as {
    new_accounts: { count: number }
  }
  await createUser({ status: 'pending', countries: ['JP'] })
  await createUser({ status: 'deleted' })
  for (const [status, channel] of [
    ['failed', 'email'],
    ['failed', 'sms'],
    ['failed', 'sms'],
    ['sent', 'email'],
  ] as const)
    await insertMessage(status, channel)
  await inPortal((db) => insertAdvisory(db, { unresolved_countries: ['Atlantis', 'Avalon'] }))
  await inPortal((db) => insertAdvisory(db, { unresolved_countries: ['Atlantis'] }))
  const { answer } = await get('/admin-operations/overview', `admin ${admin}`)
  expect(answer).toMatchObject({
    new_accounts: { count: before.new_accounts.count + 1, oldest_at: expect.any(String) },
    failed_messages: { count: 3, email: 1, sms: 2, oldest_at: expect.any(String) },
    // Each source has its own list of names.
    unresolved_names: 3,
    open_cases: 0,
  })
  expect((await get('/admin-operations/frame', `admin ${admin}`)).answer).toMatchObject({ failed_messages: 3 })
})

test('a coordinator counts and finds only users in their countries, and no messages', async () => {
  const servant = await createUser({ role: 'local_servant', scope_countries: ['QA'] })
  await createUser({ status: 'pending', countries: ['QA'], email: 'zuleika@qatar.example' })
  await createUser({ status: 'pending', countries: ['NO'], email: 'zuleika@norway.example' })
  await createUser({ role: 'admin', countries: ['QA'], email: 'zuleika@admin.example' })
  await insertMessage('failed', 'email')
  const as = `local_servant ${servant} QA`
  expect((await get('/admin-operations/frame', as)).answer).toMatchObject({ new_accounts: 1, failed_messages: 0 })
  const { people } = (await get('/admin-operations/search?search=zuleika', as)).answer as {
    people: { email: string }[]
  }
  expect(people.map(({ email }) => email)).toEqual(['zuleika@qatar.example'])
  expect((await get('/admin-operations/coordinator', as)).answer).toMatchObject({
    countries: ['QA'],
    new_accounts: { count: 1 },
  })
})

test('a coordinator reads the countries of their scope, the worst first; everywhere those with urgent advisories', async () => {
  const [, norway] = await inPortal(async (db) => [
    await insertAdvisory(db, { country_codes: ['QA'], affected_countries: ['Qatar'], severity_level: 'caution' }),
    await insertAdvisory(db, { country_codes: ['NO'], affected_countries: ['Norway'], is_urgent: true }),
  ])
  await createUser({ country_code: 'QA', countries: ['QA', 'NO'] })
  await createUser({ country_code: 'FR' })
  await app.readModel.catchUp()
  const id = await createUser({ role: 'mfa_coordinator' })
  type Places = { places: { country_code: string; users: number }[]; place_count: number }
  const read = async (as: string) => (await get('/admin-operations/coordinator', as)).answer as Places
  const usersIn = async (code: string, as: string) =>
    ((await get(`/admin-operations/users?country=${code}`, as)).answer as { total: number }).total
  const as = `mfa_coordinator ${id} QA,NO,FR`
  const { places, place_count } = await read(as)
  expect(place_count).toBe(3)
  expect(places).toMatchObject([
    { country_code: 'NO', is_affected: true, advisory_id: norway!.id, time_zone: 'Europe/Oslo' },
    { country_code: 'QA', is_affected: false, severity: 'caution', time_zone: 'Asia/Qatar' },
    { country_code: 'FR', is_affected: false, severity: null, advisory_id: null },
  ])
  for (const { country_code, users } of places)
    expect([country_code, users]).toEqual([country_code, await usersIn(country_code, as)])
  expect((await read(`mfa_coordinator ${id} QA`)).places.map(({ country_code }) => country_code)).toEqual(['QA'])
  const everywhere = (await read(`mfa_coordinator ${id}`)).places.map(({ country_code }) => country_code)
  expect(everywhere).toContain('NO')
  expect(everywhere).not.toContain('QA')
})

test('finds up to eight users by part of name or email, treats wildcards literally, never finds deleted users', async () => {
  const admin = await createUser({ role: 'admin' })
  for (let i = 0; i < 9; i++) await createUser({ first_name: 'Wilhelmina', email: `wilhelmina-${i}@example.org` })
  await createUser({ first_name: 'Wilhelmina', status: 'deleted', email: 'wilhelmina-gone@example.org' })
  await createUser({ first_name: 'Per%cent', email: 'percent@example.org' })
  const find = async (search: string) => {
    const path = `/admin-operations/search?search=${encodeURIComponent(search)}`
    return ((await get(path, `admin ${admin}`)).answer as { people: { email: string }[] }).people.map((p) => p.email)
  }
  expect(await find('WILHELM')).toHaveLength(8)
  expect(await find('wilhelmina-gone')).toEqual([])
  expect(await find('r%c')).toEqual(['percent@example.org'])
  expect((await get('/admin-operations/search?search=a', `admin ${admin}`)).status).toBe(422)
})

test('recent activity names the actor and the subject', async () => {
  const admin = await createUser({ role: 'admin', first_name: 'Ada' })
  const subject = await createUser({ first_name: 'Ben' })
  const entry = { actor_id: admin, actor_role: 'admin', subject_type: 'user', before: '{"role":"member"}' }
  await inPortal((db) =>
    db
      .insertInto('audit_log')
      .values([
        { ...entry, action: 'user.role', subject_id: subject },
        { ...entry, action: 'user.update', subject_id: 'not an id', actor_id: null, actor_role: 'service' },
      ])
      .execute(),
  )
  const { activity } = (await get('/admin-operations/overview', `admin ${admin}`)).answer as { activity: unknown[] }
  expect(activity.slice(0, 2)).toMatchObject([
    { action: 'user.update', actor_name: null, subject_name: null },
    {
      action: 'user.role',
      actor_name: expect.stringMatching(/^Ada/),
      subject_name: expect.stringMatching(/^Ben/),
      before: { role: 'member' },
    },
  ])
})

test('a dashboard starts with missing fields, and lists residence and destinations once', async () => {
  const bare = await createUser()
  expect((await get('/account/dashboard', `traveler ${bare}`)).answer).toMatchObject({
    countries: [],
    missing: ['country_code', 'countries', 'phone_number', 'emergency_contact'],
    email_verified: true,
  })
  const full = await createUser({ country_code: 'PH', countries: ['SA', 'PH', 'JP'] })
  await inPortal((db) =>
    db
      .updateTable('user_profiles')
      .set({ phone_number: '+639170000000', emergency_contact: '{"name":"Ana","phone":"+639170000001"}' })
      .where('id', '=', full)
      .execute(),
  )
  expect((await get('/account/dashboard', `traveler ${full}`)).answer).toMatchObject({
    countries: ['PH', 'SA', 'JP'],
    missing: [],
  })
  expect((await get('/account/countries', `traveler ${full}`)).answer).toMatchObject({ countries: ['PH', 'SA', 'JP'] })
})

test('shows only the user’s own acknowledgment, with the version read', async () => {
  const advisory = await inPortal((db) => insertAdvisory(db, { country_codes: ['TL'], version: 3 }))
  await app.readModel.catchUp()
  const [ana, ben] = [await createUser({ countries: ['TL'] }), await createUser({ countries: ['TL'] })]
  const address = `/travel-advisories/${advisory.id}/acknowledgment`
  expect((await get(address, '')).status).toBe(401)
  expect((await get(address, `traveler ${ana}`)).answer).toMatchObject({ is_offered: true, version: null })
  await app.request(`/api/travel-advisories/${advisory.id}/acknowledge`, {
    method: 'POST',
    headers: { [AS]: `traveler ${ana}` },
  })
  expect((await get(address, `traveler ${ana}`)).answer).toMatchObject({ version: 3 })
  expect((await get(address, `traveler ${ben}`)).answer).toMatchObject({ version: null })
  expect((await get('/account/dashboard', `traveler ${ana}`)).answer).toMatchObject({
    acknowledged: [{ advisory_id: advisory.id, version: 3 }],
  })
  expect((await get('/account/dashboard', `traveler ${ben}`)).answer).toMatchObject({ acknowledged: [] })
})

test('several countries are filtered by code: Niger is not Nigeria, Oman not Romania (F-06)', async () => {
  await inPortal(async (db) => {
    await insertAdvisory(db, { country_codes: ['NE'], title: 'Niger' })
    await insertAdvisory(db, { country_codes: ['NG'], title: 'Nigeria' })
    await insertAdvisory(db, { country_codes: ['RO'], title: 'Romania' })
    await insertAdvisory(db, { country_codes: ['OM', 'YE'], title: 'Oman' })
    await insertAdvisory(db, { country_codes: [], affected_countries: [], title: 'Everywhere' })
  })
  await app.readModel.catchUp()
  const titles = async (countries: string) => {
    const { answer } = await get(`/public/travel-advisories?countries=${countries}`, '')
    return (answer as { advisories: { title: string }[] }).advisories.map(({ title }) => title).sort()
  }
  expect(await titles('NE')).toEqual(['Niger'])
  expect(await titles('NE,OM')).toEqual(['Niger', 'Oman'])
  for (const wrong of ['', 'ne', 'Niger', 'NE,,OM', ','])
    expect((await get(`/public/travel-advisories?countries=${encodeURIComponent(wrong)}`, '')).status, wrong).toBe(422)
})

test('visitor messages are counted only for those responsible for the church', async () => {
  const [servant, stranger, admin] = [
    await createUser({ role: 'local_servant' }),
    await createUser({ role: 'local_servant' }),
    await createUser({ role: 'admin', first_name: 'Ada' }),
  ]
  const id = await inPortal(async (db) => {
    const locale = await db
      .insertInto('locales')
      .values({ name: 'Locale of Shinjuku', created_at: new Date('2020-01-01') })
      .returning('id')
      .executeTakeFirstOrThrow()
    const locale_id = locale.id
    await db.insertInto('locale_servants').values({ locale_id, name: 'Ana', user_id: servant }).execute()
    await db.insertInto('locale_corrections').values({ locale_id, kind: 'closed' }).execute()
    const message = { locale_id, kind: 'question' as const, sender_name: 'Ben', sender_contact: 'ben@example.org' }
    await db.insertInto('locale_messages').values([message, message]).execute()
    await db
      .insertInto('audit_log')
      .values({
        actor_id: admin,
        actor_role: 'admin',
        action: 'locale.close',
        subject_type: 'locale',
        subject_id: locale_id,
      })
      .execute()
    return locale_id
  })
  const careOf = async (path: string, as: string) => (await get(path, as)).answer as { church_care: unknown }
  for (const [as, count] of [
    [`local_servant ${servant}`, 3],
    [`local_servant ${stranger}`, 0],
    [`pdos_coordinator ${await createUser({ role: 'pdos_coordinator' })}`, 0],
    [`admin ${admin}`, 3],
  ] as const)
    expect((await careOf('/admin-operations/frame', as)).church_care, as).toBe(count)
  expect(await careOf('/admin-operations/coordinator', `local_servant ${servant}`)).toMatchObject({
    church_care: { due: 1, messages: { count: 2 }, corrections: { count: 1, oldest_at: expect.any(String) } },
  })
  const { activity } = (await get('/admin-operations/overview', `admin ${admin}`)).answer as { activity: unknown[] }
  expect(activity[0]).toMatchObject({ subject_id: id, subject_name: 'Locale of Shinjuku' })
})
