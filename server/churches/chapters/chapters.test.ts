import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { withClaims } from '#server/db/claims.ts'
import { createTestUser } from '#server/testing/users.ts'
import { searchable } from '#shared/churches/chapters.ts'
import { ROLES } from '#shared/roles.ts'
import { churchAdministration } from '../admin/testing.ts'

const administration = await churchAdministration()
const { database, ask, inside, audits, create: createLocale, publicOf } = administration

async function create(more: Record<string, unknown> = {}) {
  const answer = await ask('POST', '/mfa/chapters', { chapter_name: `Chapter ${randomUUID()}`, ...more })
  expect(answer.body).toMatchObject({ success: true })
  return answer.body.chapter as { id: string; chapter_name: string; updated_at: string }
}
const idsOf = async (query: string, as?: string) =>
  (await ask('GET', `/mfa/chapters?${query}`, undefined, as)).body.chapters.map(({ id }: { id: string }) => id)

/** A signed-in user whose role is limited to that scope. */
const limited = (
  role: 'mfa_coordinator' | 'local_servant',
  scope: { countries: string[] | null; chapters: string[] | null },
) => ({
  as: 'user' as const,
  userId: randomUUID(),
  role,
  scope,
})

describe('access', () => {
  const calls: [string, string, unknown, readonly string[]][] = [
    ['GET', '/mfa/chapters', undefined, ['admin', 'mfa_coordinator']],
    ['GET', '/mfa/chapters/choices', undefined, ['admin', 'mfa_coordinator']],
    ['GET', '/mfa/stats', undefined, ['admin', 'mfa_coordinator']],
    ['GET', '/mfa/chapters/{id}', undefined, ['admin', 'mfa_coordinator']],
    ['PUT', '/mfa/chapters/{id}', { membership_count: 5 }, ['admin', 'mfa_coordinator']],
    ['POST', '/mfa/chapters/{id}/travelers', { change: 1 }, ['admin', 'mfa_coordinator']],
    ['POST', '/mfa/chapters', { chapter_name: 'Taken' }, ['admin']],
    ['DELETE', '/mfa/chapters/{id}', {}, ['admin']],
  ]
  test.each(calls)('%s %s', async (method, path, body, allowed) => {
    for (const role of ROLES) {
      const { id } = await create()
      const { status } = await ask(method, path.replace('{id}', id), body, `${role} ${randomUUID()}`)
      expect([role, status < 300]).toEqual([role, allowed.includes(role)])
      if (!allowed.includes(role)) expect([role, status]).toEqual([role, 403])
    }
    expect((await ask(method, path.replace('{id}', randomUUID()), body, null)).status).toBe(401)
  })

  test('a coordinator sees and counts the chapters of their own countries and chapters only', async () => {
    const [kenya, own, other] = [
      await create({ country_code: 'KE' }),
      await create({ country_code: 'JP' }),
      await create({ country_code: 'JP' }),
    ]
    const seenBy = (claims: ReturnType<typeof limited>) =>
      withClaims(database, claims, (db) => db.selectFrom('mfa_local_chapters').select('id').execute())
    const both = limited('mfa_coordinator', { countries: ['KE'], chapters: [own.id] })
    const seen = (await seenBy(both)).map(({ id }) => id)
    expect(seen).toEqual(expect.arrayContaining([kenya.id, own.id]))
    expect(seen).not.toContain(other.id)
    expect(
      (await seenBy(limited('mfa_coordinator', { countries: null, chapters: [own.id] }))).map(({ id }) => id),
    ).toEqual([own.id])
    expect(await seenBy(limited('local_servant', { countries: ['KE'], chapters: [own.id] }))).toEqual([])
    const counted = await withClaims(database, both, (db) =>
      db
        .updateTable('mfa_local_chapters')
        .set({ membership_count: 7 })
        .where('id', 'in', [kenya.id, own.id, other.id])
        .returning('id')
        .execute(),
    )
    expect(counted.map(({ id }) => id).sort()).toEqual([kenya.id, own.id].sort())
  })

  test('without all checks of the portal, a coordinator changes contact and counts only', async () => {
    const { id } = await create({ country_code: 'KE' })
    const claims = limited('mfa_coordinator', { countries: ['KE'], chapters: null })
    const change = (set: object) =>
      withClaims(database, claims, (db) => db.updateTable('mfa_local_chapters').set(set).where('id', '=', id).execute())
    await change({ contact_person: 'Ana', contact_phone: '+254700000000', active_travelers_count: 3 })
    for (const set of [
      { chapter_name: 'Mine' },
      { chapter_status: 'suspended' },
      { compliance_status: 'compliant', country_code: 'JP' },
      { coordinator_id: claims.userId },
      { is_public: true },
    ])
      await expect(change(set)).rejects.toMatchObject({ code: '42501' })
    const gone = await withClaims(database, claims, (db) =>
      db.deleteFrom('mfa_local_chapters').where('id', '=', id).executeTakeFirst(),
    )
    expect(Number(gone.numDeletedRows)).toBe(0)
    await expect(
      withClaims(database, claims, (db) => db.insertInto('mfa_local_chapters').values({ chapter_name: 'X' }).execute()),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test('a coordinator who submits more than contact and counts gets an error message', async () => {
    const { id } = await create()
    const coordinator = await createTestUser(database, 'mfa_coordinator')
    const update = (body: object) => ask('PUT', `/mfa/chapters/${id}`, body, coordinator.as)
    expect((await update({ contact_person: 'Ana', membership_count: 4 })).body.chapter).toMatchObject({
      contact_person: 'Ana',
      membership_count: 4,
    })
    expect(await update({ chapter_name: 'Mine' })).toMatchObject({ status: 403 })
    expect(await update({ contact_person: 'Ben', chapter_status: 'suspended' })).toMatchObject({ status: 403 })
    expect((await ask('GET', `/mfa/chapters/${id}`)).body.chapter).toMatchObject({ contact_person: 'Ana' })
  })
})

describe('a chapter', () => {
  test('is created with the fields of the specification, by either name, and audited', async () => {
    const { body, status } = await ask('POST', '/mfa/chapters', { name: 'Chapter of Osaka', country_code: 'jp' })
    expect([status, body.chapter]).toMatchObject([
      201,
      {
        chapter_name: 'Chapter of Osaka',
        name: 'Chapter of Osaka',
        country: 'Japan',
        chapter_status: 'active',
        compliance_status: 'compliant',
        membership_count: 0,
        active_travelers_count: 0,
        facilities: [],
        is_public: false,
      },
    ])
    expect(await audits(body.chapter.id)).toMatchObject([{ action: 'chapter.create' }])
    const rows = await inside((db) =>
      db.selectFrom('mfa_local_chapters').select('chapter_name').where('id', '=', body.chapter.id).execute(),
    )
    expect(rows).toEqual([{ chapter_name: 'Chapter of Osaka' }])
  })

  test('that does not exist is null when read, and "Chapter not found" when changed', async () => {
    const id = randomUUID()
    expect((await ask('GET', `/mfa/chapters/${id}`)).body).toMatchObject({ success: true, chapter: null })
    for (const [method, body] of [
      ['PUT', { city: 'Osaka' }],
      ['DELETE', {}],
    ] as const)
      expect(await ask(method, `/mfa/chapters/${id}`, body)).toMatchObject({
        status: 404,
        body: { error: 'Chapter not found' },
      })
    expect((await ask('POST', `/mfa/chapters/${id}/travelers`, { change: 1 })).body.error).toBe('Chapter not found')
  })

  test('is rejected beside the invalid field', async () => {
    const traveler = await createTestUser(database, 'traveler')
    for (const [fields, field] of [
      [{ chapter_name: '' }, 'chapter_name'],
      [{ country_code: 'XX' }, 'country_code'],
      [{ contact_phone: '1' }, 'contact_phone'],
      [{ contact_email: 'x' }, 'contact_email'],
      [{ latitude: 0, longitude: 0 }, 'latitude'],
      [{ latitude: 1 }, 'longitude'],
      [{ membership_count: -1 }, 'membership_count'],
      [{ coordinator_id: traveler.id }, 'coordinator_id'],
      [{ photos_urls: ['javascript:alert(1)'] }, 'photos_urls.0'],
    ] as const) {
      const { status, body } = await ask('POST', '/mfa/chapters', { chapter_name: 'C', ...fields })
      expect([status, Object.keys(body.fields ?? {})]).toEqual([422, [field]])
    }
  })

  test('is rejected for a stale form', async () => {
    const { id, updated_at } = await create()
    const save = (city: string) => ask('PUT', `/mfa/chapters/${id}`, { city, made_from: updated_at })
    const answers = await Promise.all(['A', 'B', 'C'].map(save))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('renamed or deleted, it changes on its churches’ pages at once', async () => {
    const { id } = await create({ chapter_name: 'Old name' })
    const locale = await createLocale({ chapter_id: id })
    expect(await publicOf(locale.id)).toMatchObject({ chapter_name: 'Old name' })
    await ask('PUT', `/mfa/chapters/${id}`, { chapter_name: 'New name' })
    expect(await publicOf(locale.id)).toMatchObject({ chapter_name: 'New name' })
    expect((await ask('GET', `/mfa/chapters/${id}`)).body).toMatchObject({ locales: 1, members: 0 })
    await ask('DELETE', `/mfa/chapters/${id}`, { reason: 'Merged' })
    expect(await publicOf(locale.id)).toMatchObject({ chapter_name: null, name: locale.name })
    expect((await audits(id)).at(-1)).toMatchObject({ action: 'chapter.delete', reason: 'Merged' })
  })
})

describe('counting travellers', () => {
  test('loses no concurrent count', async () => {
    const { id } = await create({ active_travelers_count: 0 })
    const changes = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 2 : 1))
    const answers = await Promise.all(changes.map((change) => ask('POST', `/mfa/chapters/${id}/travelers`, { change })))
    // A busy machine rejects some with 503. Those it accepted were counted.
    const taken = changes.filter((_, at) => answers[at]!.status === 200)
    expect(taken.length).toBeGreaterThan(1)
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true)
    const sum = taken.reduce((total, change) => total + change, 0)
    expect((await ask('GET', `/mfa/chapters/${id}`)).body.chapter.active_travelers_count).toBe(sum)
  })

  test('never drops below 0, however many leave at once', async () => {
    const { id } = await create({ active_travelers_count: 5 })
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask('POST', `/mfa/chapters/${id}/travelers`, { change: -1 })),
    )
    const taken = answers.filter(({ status }) => status === 200)
    const counts = taken.map(({ body }) => body.active_travelers_count)
    expect(taken.length).toBeGreaterThan(1)
    expect(counts.filter((count) => count > 0).sort()).toEqual([1, 2, 3, 4].slice(Math.max(0, 5 - taken.length)))
    expect(Math.min(...counts)).toBe(Math.max(0, 5 - taken.length))
    await expect(
      inside((db) =>
        db.updateTable('mfa_local_chapters').set({ active_travelers_count: -1 }).where('id', '=', id).execute(),
      ),
    ).rejects.toMatchObject({ code: '23514' })
    expect((await ask('POST', `/mfa/chapters/${id}/travelers`, { change: 0.5 })).status).toBe(422)
  })
})

describe('the list', () => {
  test('treats special characters as spaces', () => {
    expect(searchable(' a,b(c)%d ')).toBe('a b c d')
    expect(searchable(',()%')).toBe('')
  })

  test('is searched by name, city and contact person ignoring case, without wildcards', async () => {
    const mark = randomUUID().slice(0, 8)
    const { id } = await create({
      chapter_name: `Núñez ${mark}`,
      city: `City${mark}`,
      contact_person: `Per_son${mark}`,
    })
    for (const search of [
      `NUNEZ ${mark}`,
      `núñez ${mark}`,
      `city${mark.toUpperCase()}`,
      `per_SON${mark}`,
      `,(${mark})%`,
    ])
      expect([search, await idsOf(`search=${encodeURIComponent(search)}`)]).toEqual([search, [id]])
    expect(await idsOf(`search=perxson${mark}`)).toEqual([])
    expect((await ask('GET', `/mfa/chapters?search=${'%2C'.repeat(500)}`)).status).toBe(200)
    const { search_text } = await inside((db) =>
      db.selectFrom('mfa_local_chapters').select('search_text').where('id', '=', id).executeTakeFirstOrThrow(),
    )
    // Visitors search this column: it excludes the contact person.
    expect(search_text).toBe(`nunez ${mark} | city${mark}`)
  })

  test('supports each filter, pages of 10, and counts', async () => {
    const coordinator = await createTestUser(database, 'mfa_coordinator', { display_name: 'Cora Coordinator' })
    const made = await create({
      country_code: 'IS',
      chapter_status: 'suspended',
      compliance_status: 'under_review',
      coordinator_id: coordinator.id,
    })
    for (const query of [
      'country=IS',
      'country=Iceland',
      'chapter_status=suspended',
      'compliance_status=under_review',
      `coordinator_id=${coordinator.id}`,
    ])
      expect([query, await idsOf(query)]).toEqual([query, [made.id]])
    expect(await idsOf('country=Atlantis')).toEqual([])
    for (let n = 0; n < 12; n++) await create({ country_code: 'GL' })
    const { body } = await ask('GET', '/mfa/chapters?country=GL')
    expect([body.chapters.length, body.total, body.page, body.per_page]).toEqual([10, 12, 1, 10])
    expect((await ask('GET', '/mfa/chapters?country=GL&page=2')).body.chapters).toHaveLength(2)
    expect((await ask('GET', '/mfa/chapters?country=GL&limit=3')).body.chapters).toHaveLength(3)
    const { stats } = (await ask('GET', '/mfa/stats')).body
    expect(stats.chapters).toBeGreaterThanOrEqual(13)
    expect(stats).toMatchObject({ suspended_chapters: 1, chapters_under_review: 1 })
  })

  test('near a point has those within 50 km, nearest first, over the date line too', async () => {
    const at = (latitude: number, longitude: number) => create({ latitude, longitude, country_code: 'FJ' })
    const [there, across, far] = [await at(-17, 179.9), await at(-17, -179.9), await at(-17, 179)]
    expect(await idsOf('latitude=-17&longitude=179.95&country=FJ')).toEqual([there.id, across.id])
    expect(await idsOf('latitude=-17&longitude=179.95&country=FJ&radiusKm=150')).toEqual([there.id, across.id, far.id])
    const { body } = await ask('GET', '/mfa/chapters?latitude=-17&longitude=179.95&country=FJ')
    expect(body.chapters[0].distance_km).toBeCloseTo(5.3, 1)
    expect((await ask('GET', '/mfa/chapters?latitude=91&longitude=0')).status).toBe(422)
  })
})

describe('travelers of a chapter', () => {
  test('a coordinator limited to chapters sees and verifies their travelers only', async () => {
    const [mine, other] = [await create(), await create()]
    const inMine = await createTestUser(database, 'traveler', {
      chapter_id: mine.id,
      profile_status: 'pending',
      countries: ['JP'],
    })
    const inOther = await createTestUser(database, 'traveler', { chapter_id: other.id, countries: ['JP'] })
    const admin = await createTestUser(database, 'admin', { chapter_id: mine.id })
    const ids = [inMine.id, inOther.id, admin.id]
    const claims = limited('mfa_coordinator', { countries: null, chapters: [mine.id] })
    const seenBy = (who: ReturnType<typeof limited>) =>
      withClaims(database, who, (db) => db.selectFrom('user_profiles').select('id').where('id', 'in', ids).execute())
    expect(await seenBy(claims)).toEqual([{ id: inMine.id }])
    expect(await seenBy(limited('mfa_coordinator', { countries: ['KE'], chapters: [] }))).toEqual([])
    expect(await seenBy(limited('local_servant', { countries: null, chapters: [mine.id] }))).toEqual([])
    const verify = (id: string) =>
      withClaims(database, claims, (db) =>
        db.updateTable('user_profiles').set({ profile_status: 'active' }).where('id', '=', id).executeTakeFirst(),
      )
    expect(Number((await verify(inMine.id)).numUpdatedRows)).toBe(1)
    expect(Number((await verify(inOther.id)).numUpdatedRows)).toBe(0)
    await expect(
      withClaims(database, claims, (db) =>
        db.updateTable('user_profiles').set({ role: 'admin' }).where('id', '=', inMine.id).execute(),
      ),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(
      withClaims(database, claims, (db) =>
        db.updateTable('user_profiles').set({ chapter_id: other.id }).where('id', '=', inMine.id).execute(),
      ),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test('users cannot assign themselves to a chapter', async () => {
    const { id } = await create()
    const traveler = await createTestUser(database, 'traveler')
    await expect(
      withClaims(database, { as: 'user', userId: traveler.id, role: 'traveler' }, (db) =>
        db.updateTable('user_profiles').set({ chapter_id: id }).where('id', '=', traveler.id).execute(),
      ),
    ).rejects.toMatchObject({ code: '42501' })
  })
})
