import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { allowLoosening } from './admin/apply-discretion.ts'
import { projectLocales } from './projection.ts'

const database = await testDatabase()
const work = <T>(run: Parameters<typeof inBackground<T>>[2]) => inBackground(database, 'test', run)
const names = (code: string) => ({ SA: 'Saudi Arabia', JP: 'Japan' })[code] ?? null

async function makeLocale(values: object = {}) {
  return work(async (db) => {
    await allowLoosening(db, 'confirmed')
    const { id } = await db
      .insertInto('locales')
      .values({
        name: 'Locale of Shinjuku',
        address_line1: '1-0-0 Nishi-Shinjuku',
        city: 'Tokyo',
        state_province: 'Tokyo-to',
        country_code: 'JP',
        latitude: 35.6897,
        longitude: 139.6922,
        phone: '+810000',
        ...values,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('locale_servants')
      .values([
        {
          locale_id: id,
          name: 'Ana',
          phone: '+811',
          is_name_public: true,
          is_contact_public: true,
          agreed_at: new Date(),
        },
        { locale_id: id, name: 'Secret', phone: '+812', position: 1 },
      ])
      .execute()
    await projectLocales(db, [id], names)
    return id
  })
}
const publicOf = (id: string) =>
  work((db) => db.selectFrom('public_locales').selectAll().where('id', '=', id).executeTakeFirst())

test('a locale that hides nothing is public in full, but of its servants only what they consented to', async () => {
  const row = await publicOf(await makeLocale())
  expect(row).toMatchObject({ name: 'Locale of Shinjuku', latitude: 35.6897, phone: '+810000', discreet_mode: 'exact' })
  expect(row!.servants).toEqual([
    { name: 'Ana', role: 'local_servant', contact: '+811' },
    { name: null, role: 'local_servant', contact: null },
  ])
  expect(row!.search_text).toBe('locale of shinjuku | tokyo | tokyo-to | 1-0-0 nishi-shinjuku')
})

test('an approximate locale shows its city and area, a contact-only one its country, a hidden one nothing', async () => {
  const approximate = await publicOf(await makeLocale({ discreet_mode: 'approximate' }))
  expect(approximate).toMatchObject({
    name: 'Group in Tokyo',
    latitude: 35.7,
    longitude: 139.7,
    search_text: 'tokyo | tokyo-to',
  })
  const contact = await publicOf(await makeLocale({ discreet_mode: 'contact_only' }))
  expect(contact).toMatchObject({
    name: 'Group in Japan',
    city: null,
    latitude: null,
    search_text: '',
    country_code: 'JP',
  })
  expect(await publicOf(await makeLocale({ discreet_mode: 'hidden' }))).toBeUndefined()
  for (const row of [approximate, contact])
    expect(JSON.stringify(row)).not.toMatch(/Shinjuku|810000|811|Ana|35\.68|139\.69/)
})

test('the mode of its country applies to a locale without one of its own', async () => {
  await work((db) =>
    db
      .insertInto('country_discretion')
      .values({ country_code: 'SA', discreet_mode: 'contact_only', needs_second: false })
      .execute(),
  )
  expect(await publicOf(await makeLocale({ country_code: 'SA' }))).toMatchObject({ name: 'Group in Saudi Arabia' })
  expect(await publicOf(await makeLocale({ country_code: 'SA', discreet_mode: 'exact' }))).toMatchObject({
    phone: '+810000',
  })
})

test('a manual change of the tables hides the locale until it is checked again', async () => {
  const changes: [string, (id: string) => Promise<unknown>][] = [
    [
      'the locale',
      (id) => work((db) => db.updateTable('locales').set({ discreet_mode: 'hidden' }).where('id', '=', id).execute()),
    ],
    [
      'a servant',
      (id) =>
        work((db) =>
          db
            .updateTable('locale_servants')
            .set({ is_name_public: false, is_contact_public: false })
            .where('locale_id', '=', id)
            .execute(),
        ),
    ],
    [
      'its services',
      (id) =>
        work((db) =>
          db
            .insertInto('locale_schedules')
            .values({ locale_id: id, day_of_week: 0, start_time: '10:00', service_type: 'worship_service' })
            .execute(),
        ),
    ],
    [
      'its country',
      () =>
        work((db) =>
          db
            .insertInto('country_discretion')
            .values({ country_code: 'JP', discreet_mode: 'hidden', needs_second: false })
            .execute(),
        ),
    ],
  ]
  for (const [what, change] of changes) {
    const id = await makeLocale()
    expect(await publicOf(id), what).toBeDefined()
    await change(id)
    expect(await publicOf(id), what).toBeUndefined()
  }
})

test('an inactive or private locale is not public, and a deleted one is gone', async () => {
  expect(await publicOf(await makeLocale({ locale_status: 'inactive', discreet_mode: 'exact' }))).toBeUndefined()
  expect(await publicOf(await makeLocale({ is_public: false, discreet_mode: 'exact' }))).toBeUndefined()
  const id = await makeLocale({ discreet_mode: 'exact' })
  await work((db) => db.deleteFrom('locales').where('id', '=', id).execute())
  expect(await publicOf(id)).toBeUndefined()
})

test('no placeholder coordinates are stored', async () => {
  for (const values of [
    { latitude: 0, longitude: 0 },
    { latitude: 91, longitude: 0 },
    { latitude: 5, longitude: null },
  ])
    await expect(makeLocale(values)).rejects.toThrow()
  await expect(makeLocale({ latitude: 0, longitude: 9.45 })).resolves.toBeDefined()
})

test('distances are those of a sphere of 6371 km, over the date line and the pole too', async () => {
  const { rows } = await work((db) =>
    sql<{ half: number; line: number; pole: number }>`select distance_km(0, 0, 0, 180) half,
      distance_km(0, 179.9, 0, -179.9) line, distance_km(89.9, 0, 89.9, 180) pole`.execute(db),
  )
  expect(rows[0]!.half).toBeCloseTo(Math.PI * 6371, 6)
  expect(rows[0]!.line).toBeCloseTo((0.2 * Math.PI * 6371) / 180, 6)
  expect(rows[0]!.pole).toBeCloseTo((0.2 * Math.PI * 6371) / 180, 6)
})
