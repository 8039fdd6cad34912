import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import { somebody } from '#server/testing/people.ts'
import { COORDINATORS } from '#shared/roles.ts'

const database = await testDatabase()
const { kysely } = database.background
const change = async (id: string, scope: object) =>
  kysely.updateTable('user_profiles').set(scope).where('id', '=', id).execute()
const nowhere = { scope_countries: null, scope_chapters: null, scope_everywhere: false, scope_reason: null }

test.each(COORDINATORS)('a %s is limited to places, or counts everywhere with a reason', async (role) => {
  const { id } = await somebody(database, role, { scope_countries: ['JP'] })
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
  const { id } = await somebody(database, role)
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
  const japan = await somebody(database, 'local_servant', { scope_countries: ['JP'] })
  const chapter = await somebody(database, 'mfa_coordinator', { scope_chapters: [japan.id] })
  const world = await somebody(database, 'pdos_coordinator', { scope_everywhere: true, scope_reason: 'Head office' })
  const traveler = await somebody(database, 'traveler')
  expect(await covers(japan.id, ['PH', 'JP'], null)).toBe(true)
  expect(await covers(japan.id, ['IT'], null)).toBe(false)
  expect(await covers(japan.id, [null], null)).toBe(false)
  expect(await covers(chapter.id, ['JP'], japan.id)).toBe(true)
  expect(await covers(chapter.id, ['JP'], chapter.id)).toBe(false)
  expect(await covers(world.id, [null], null)).toBe(true)
  expect(await covers(traveler.id, ['JP'], null)).toBe(false)
})
