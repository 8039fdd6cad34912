import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inBackground, withClaims } from '#server/db/claims.ts'
import { accountApp } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { signedIn } from './testing.ts'

const database = await testDatabase()
const app = await accountApp(database, {}, { needsSecondStep: false })

const versionOf = async (user: Awaited<ReturnType<typeof signedIn>>) =>
  (await user.fetchJson('GET', '/account/profile')).answer.updated_at as string

test('a user reads and changes their own profile, and the audit log names the fields without their values', async () => {
  const ana = await signedIn(app, database)
  const read = await ana.fetchJson('GET', '/account/profile')
  expect(read).toMatchObject({
    status: 200,
    answer: { first_name: 'Anastasia', email: ana.email, role: 'traveler', countries: [], time_zone: null },
  })
  const change = {
    updated_at: read.answer.updated_at,
    first_name: 'José',
    last_name: 'د. مريم',
    display_name: 'José M.',
    preferred_language: 'ar',
    time_zone: 'asia/riyadh',
    country_code: 'SA',
    countries: ['PH', 'JP'],
    emergency_contact: { name: 'Ben', relation: 'Brother', phone: '+63 917 123 4567' },
    preferences: { single_key_shortcuts: false },
  }
  const saved = await ana.fetchJson('PUT', '/account/profile', change)
  const { updated_at, ...values } = change
  expect(saved).toMatchObject({
    status: 200,
    answer: {
      ...values,
      time_zone: 'Asia/Riyadh',
      emergency_contact: { name: 'Ben', relation: 'Brother', phone: '+639171234567' },
    },
  })
  expect((await ana.fetchJson('GET', '/account/profile')).answer).toEqual(saved.answer)
  expect((await ana.fetchJson('GET', '/auth/user')).answer).toMatchObject({
    user: { user_metadata: { display_name: 'José M.' } },
  })
  const entries = await inBackground(database, 'test', (db) =>
    db.selectFrom('audit_log').select(['action', 'after']).where('actor_id', '=', ana.id).execute(),
  )
  const fields = expect.arrayContaining(Object.keys(values))
  expect(entries).toEqual([{ action: 'account.profile', after: { fields } }])
})

test('omitted fields stay as they are; saving the same again is no change', async () => {
  const ana = await signedIn(app, database)
  const updated_at = await versionOf(ana)
  const saved = await ana.fetchJson('PUT', '/account/profile', { updated_at, time_zone: 'Europe/Berlin' })
  expect(saved.answer).toMatchObject({ time_zone: 'Europe/Berlin', first_name: 'Anastasia' })
  const again = await ana.fetchJson('PUT', '/account/profile', {
    updated_at: saved.answer.updated_at,
    time_zone: 'Europe/Berlin',
  })
  expect(again.answer.updated_at).toBe(saved.answer.updated_at)
})

test('of two concurrent saves of the same version, the second gets a conflict', async () => {
  const ana = await signedIn(app, database)
  const updated_at = await versionOf(ana)
  const [first, second] = await Promise.all([
    ana.fetchJson('PUT', '/account/profile', { updated_at, display_name: 'First' }),
    ana.fetchJson('PUT', '/account/profile', { updated_at, display_name: 'Second' }),
  ])
  expect([first.status, second.status].sort()).toEqual([200, 409])
  expect([first, second].find(({ status }) => status === 409)!.answer.code).toBe('changed_meanwhile')
})

test.each([
  ['role', { role: 'admin' }],
  ['permissions', { permissions: ['everything'] }],
  ['profile_status', { profile_status: 'active' }],
  ['email', { email: 'other@example.org' }],
  ['scope_countries', { scope_countries: ['PH'] }],
  ['id', { id: '00000000-0000-4000-8000-000000000001' }],
  ['time_zone', { time_zone: 'Mars/Olympus' }],
  ['time_zone', { time_zone: '+03:00' }],
  ['country_code', { country_code: 'QQ' }],
  ['countries', { countries: ['PH', 'QQ'] }],
  ['countries', { countries: ['PH', 'PH'] }],
  ['countries', { countries: Array.from({ length: 31 }, () => 'PH') }],
  ['preferred_language', { preferred_language: 'fr' }],
  ['first_name', { first_name: '<b>Ana</b>' }],
  ['first_name', { first_name: '' }],
  ['display_name', { display_name: 'a'.repeat(101) }],
  ['emergency_contact.phone', { emergency_contact: { phone: '12' } }],
  ['emergency_contact.phone', { emergency_contact: { phone: '+1 000 000 0000' } }],
  ['emergency_contact.name', { emergency_contact: { name: 'a\0b' } }],
  ['theme', { preferences: { single_key_shortcuts: true, theme: 'dark' } }],
])('%s is refused with its field when it is %j, and nothing is written', async (field, change) => {
  const ana = await signedIn(app, database)
  const before = await ana.fetchJson('GET', '/account/profile')
  const refused = await ana.fetchJson('PUT', '/account/profile', { updated_at: before.answer.updated_at, ...change })
  expect([refused.status, Object.keys(refused.answer.fields as object)]).toEqual([422, expect.arrayContaining([field])])
  expect((await ana.fetchJson('GET', '/account/profile')).answer).toEqual(before.answer)
})

test('nobody reads or changes a profile without a session', async () => {
  expect((await app.request('/api/account/profile')).status).toBe(401)
  const response = await app.request('/api/account/profile', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ updated_at: new Date().toISOString(), display_name: 'Mallory' }),
  })
  expect(response.status).toBe(401)
})

const PERSONAL = { first_name: 'Mallory', mcgi_id: '7', status: 'inactive' } as const
const GUARDED = [
  { role: 'admin' },
  { permissions: ['everything'] },
  { profile_status: 'active' },
  { email: 'other@example.org' },
  { email_verified: false },
  { scope_countries: ['PH'] },
  { is_flagged: false, admin_notes: 'fine' },
  { mcgi_hub_id: '7' },
  { phone_number: '+639171234567', phone_verified: true },
] as const

test.each(GUARDED)('the database refuses a user who writes %j into their own profile', async (change) => {
  const ana = await signedIn(app, database)
  await inBackground(database, 'test', (db) =>
    db
      .updateTable('user_profiles')
      .set({ profile_status: 'pending', is_flagged: true })
      .where('id', '=', ana.id)
      .execute(),
  )
  const write = withClaims(database, { as: 'user', userId: ana.id, role: 'traveler' }, (db) =>
    db
      .updateTable('user_profiles')
      .set(change as never)
      .where('id', '=', ana.id)
      .execute(),
  )
  await expect(write).rejects.toMatchObject({ code: '42501' })
})

test('the database refuses a user who changes more than the name in their own user record', async () => {
  const ana = await signedIn(app, database)
  const own = (change: object) =>
    withClaims(database, { as: 'user', userId: ana.id, role: 'traveler' }, async (db) => {
      const { person_id } = await db.selectFrom('user_profiles').select('person_id').executeTakeFirstOrThrow()
      const { numUpdatedRows } = await db
        .updateTable('persons')
        .set(change)
        .where('id', '=', person_id)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    })
  expect(await own({ first_name: 'Mallory' })).toBe(1)
  for (const change of [{ mcgi_id: '7' }, { status: 'inactive' }, { person_types: ['servant'] }, PERSONAL])
    await expect(own(change)).rejects.toMatchObject({ code: '42501' })
})

test('in the database, another user’s profile and record can neither be read nor written', async () => {
  const [ana, ben] = [await signedIn(app, database), await signedIn(app, database)]
  const { person_id } = await inBackground(database, 'test', (db) =>
    db.selectFrom('user_profiles').select('person_id').where('id', '=', ana.id).executeTakeFirstOrThrow(),
  )
  for (const role of ['traveler', 'member', 'coordinator'] as const)
    await withClaims(database, { as: 'user', userId: ben.id, role }, async (db) => {
      const seen = await db.selectFrom('user_profiles').select('id').execute()
      expect(seen).toEqual([{ id: ben.id }])
      expect(await db.selectFrom('persons').select('id').where('id', '=', person_id).execute()).toEqual([])
      const profile = await db
        .updateTable('user_profiles')
        .set({ display_name: 'Mallory' })
        .where('id', '=', ana.id)
        .executeTakeFirst()
      const person = await db
        .updateTable('persons')
        .set({ first_name: 'Mallory' })
        .where('id', '=', person_id)
        .executeTakeFirst()
      expect([profile.numUpdatedRows, person.numUpdatedRows]).toEqual([0n, 0n])
    })
})

test("the photo is one of the user’s own pictures, never another user's file", async () => {
  const [ana, ben] = [await signedIn(app, database), await signedIn(app, database)]
  const picture = (owner_id: string, bucket: 'avatars' | 'pdos-documents' = 'avatars') =>
    inBackground(database, 'test', async (db) => {
      const file = {
        bucket,
        owner_id,
        path: randomUUID(),
        name: 'me.png',
        content_type: 'image/png',
        size: 1,
        sha256: 'x',
      }
      return (await db.insertInto('stored_files').values(file).returning('id').executeTakeFirstOrThrow()).id
    })
  const [first, second] = [await picture(ana.id), await picture(ana.id)]
  const choose = (file_id: string | null) => ana.fetchJson('PUT', '/account/photo', { file_id })
  expect((await choose(first)).answer).toMatchObject({ replaced_file_id: null })
  expect((await choose(second)).answer).toMatchObject({ replaced_file_id: first })
  for (const foreign of [await picture(ben.id), await picture(ana.id, 'pdos-documents'), randomUUID()])
    expect((await choose(foreign)).status).toBe(404)
  expect((await ana.fetchJson('GET', '/account/profile')).answer.photo_file_id).toBe(second)
  expect((await choose(null)).answer).toMatchObject({ replaced_file_id: second })
  expect((await ana.fetchJson('GET', '/account/profile')).answer.photo_file_id).toBeNull()
})
