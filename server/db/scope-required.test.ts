import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { COORDINATORS } from '#shared/roles.ts'
import { inBackground } from './claims.ts'

const database = await testDatabase()
const { kysely } = database.background
const change = async (id: string, scope: object) =>
  kysely.updateTable('user_profiles').set(scope).where('id', '=', id).execute()
const nowhere = { scope_countries: null, scope_chapters: null, scope_everywhere: false, scope_reason: null }

test.each(COORDINATORS)('a %s is limited to places, or unrestricted with a reason', async (role) => {
  const { id } = await createTestUser(database, role, { scope_countries: ['JP'] })
  const refused = (constraint: string) => ({ code: '23514', constraint })
  for (const none of [nowhere, { ...nowhere, scope_countries: [] }, { ...nowhere, scope_chapters: [] }])
    await expect(change(id, none)).rejects.toMatchObject(refused('user_profiles_scope_required'))
  for (const mixed of [
    { ...nowhere, scope_everywhere: true },
    { ...nowhere, scope_everywhere: true, scope_countries: ['JP'], scope_reason: 'Head office' },
    { ...nowhere, scope_countries: ['JP'], scope_reason: 'Head office' },
  ])
    await expect(change(id, mixed)).rejects.toMatchObject(refused('user_profiles_scope_reason'))
  await change(id, { ...nowhere, scope_everywhere: true, scope_reason: 'Head office' })
  await change(id, { ...nowhere, scope_chapters: [id] })
})

test.each(['admin', 'coordinator', 'member', 'traveler'] as const)('a %s has no scope', async (role) => {
  const { id } = await createTestUser(database, role)
  for (const scope of [{ scope_countries: ['JP'] }, { scope_everywhere: true, scope_reason: 'Head office' }])
    await expect(change(id, scope)).rejects.toMatchObject({
      code: '23514',
      constraint: 'user_profiles_scope_of_role',
    })
})

test('a scope covers its countries and chapters and nothing else', async () => {
  const covers = async (id: string, places: (string | null)[], chapter: string | null) => {
    const { rows } = await sql<{ covers: boolean }>`
      select scope_covers(p, ${places}::text[], ${chapter}::uuid) as covers from user_profiles p where id = ${id}`.execute(
      kysely,
    )
    return rows[0]!.covers
  }
  const japan = await createTestUser(database, 'local_servant', { scope_countries: ['JP'] })
  const chapter = await createTestUser(database, 'mfa_coordinator', { scope_chapters: [japan.id] })
  const world = await createTestUser(database, 'pdos_coordinator', {
    scope_everywhere: true,
    scope_reason: 'Head office',
  })
  const traveler = await createTestUser(database, 'traveler')
  expect(await covers(japan.id, ['PH', 'JP'], null)).toBe(true)
  expect(await covers(japan.id, ['IT'], null)).toBe(false)
  expect(await covers(japan.id, [null], null)).toBe(false)
  expect(await covers(chapter.id, ['JP'], japan.id)).toBe(true)
  expect(await covers(chapter.id, ['JP'], chapter.id)).toBe(false)
  expect(await covers(world.id, [null], null)).toBe(true)
  expect(await covers(traveler.id, ['JP'], null)).toBe(false)
})

test('a role that loses places or ends also loses its alerts about users; one that grows keeps them', async () => {
  const inboxTitles = async (id: string) =>
    (await kysely.selectFrom('notifications').select('title').where('user_id', '=', id).orderBy('title').execute()).map(
      ({ title }) => title,
    )
  const newCoordinator = async (scope: object) => {
    const { id } = await createTestUser(database, 'mfa_coordinator', scope)
    const notification = {
      user_id: id,
      recipient_role: null,
      event_key: null,
      type: 'roll_call',
      message: 'x',
      data: '{}',
    }
    await inBackground(database, 'test', (db) =>
      db
        .insertInto('notifications')
        .values([
          { ...notification, title: 'Ana needs help', action_url: `/admin/roll-calls/${id}` },
          { ...notification, title: 'Your own', action_url: '/dashboard' },
          { ...notification, title: 'Your own too', action_url: null },
        ])
        .execute(),
    )
    return id
  }
  const everywhere = { ...nowhere, scope_everywhere: true, scope_reason: 'Head office' }
  for (const [was, is, remains] of [
    [{ scope_countries: ['JP'] }, { scope_countries: ['IT', 'JP'] }, true],
    [{ scope_countries: ['JP'] }, everywhere, true],
    [{ scope_countries: ['JP'] }, { display_name: 'Hana' }, true],
    [{ scope_countries: ['IT', 'JP'] }, { scope_countries: ['JP'] }, false],
    [{ scope_countries: ['JP'] }, { scope_countries: null, scope_chapters: [randomUUID()] }, false],
    [{}, { ...nowhere, scope_countries: ['JP'] }, false],
    [{ scope_countries: ['JP'] }, { ...nowhere, role: 'traveler' }, false],
    [{ scope_countries: ['JP'] }, { ...nowhere, role: 'admin' }, true],
  ] as const) {
    const id = await newCoordinator(was)
    await change(id, is)
    expect([was, is, await inboxTitles(id)]).toEqual([
      was,
      is,
      [...(remains ? ['Ana needs help'] : []), 'Your own', 'Your own too'],
    ])
  }
})
