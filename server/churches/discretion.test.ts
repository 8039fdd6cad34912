import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { projectLocales } from './projection.ts'

// Must-show 3: no response reveals more of a discreet locale than its mode allows, whatever the requests and however
// many. Two worlds that differ only in hidden fields must give identical responses.

const database = await testDatabase()
const inside = <T>(fn: Parameters<typeof inBackground<T>>[2]) => inBackground(database, 'test', fn)
const countries = createCountries()
const app = await testApp(database, { now: () => new Date('2026-03-04T10:00:00Z') })
const IDS = Array.from({ length: 6 }, () => randomUUID()).sort()

const SECRETS = ['Shepherd', 'Bethel', 'Zion 東京', 'Hope', '+81 000 111', 'Maria']
const secret = fc.constantFrom(...SECRETS)
const optional = fc.option(secret)

/** Offset within its cell of a tenth of a degree: the area reveals the cell only. */
const within = fc.record({ north: fc.integer({ min: -49, max: 49 }), east: fc.integer({ min: -49, max: 49 }) })
/** Fields that an approximate locale hides. */
const details = fc.record({
  name: secret,
  common_name: optional,
  local_name: optional,
  local_address: optional,
  address_line1: optional,
  phone: optional,
  email: optional,
  website: fc.constantFrom(null, 'https://example.org/zion'),
  online_url: fc.constantFrom(null, 'https://example.org/live'),
  timezone: fc.constantFrom(null, 'Asia/Tokyo', 'UTC'),
  has_physical_locale: fc.boolean(),
  general_contact_available: fc.boolean(),
  closed_since: fc.constantFrom(null, '2026-03-01'),
  closed_reason: optional,
  servant: fc.option(fc.record({ name: secret, phone: secret, isPublic: fc.boolean() })),
  service: fc.option(
    fc.record({
      day_of_week: fc.integer({ min: 0, max: 6 }),
      title: optional,
      is_online: fc.boolean(),
      language: fc.constantFrom(null, 'ja'),
    }),
  ),
  hasChapter: fc.boolean(),
  at: within,
})
/** Fields that a contact-only locale hides in addition. */
const area = fc.record({
  city: fc.constantFrom('Tokyo', 'Chiba', null),
  state_province: fc.constantFrom('Kanto', null),
  cell: fc.record({ latitude: fc.integer({ min: 350, max: 360 }), longitude: fc.integer({ min: 1390, max: 1400 }) }),
})
/** Fields shown of every visible locale. */
const core = fc.record({ country_code: fc.constantFrom('JP', 'SA', 'NE'), languages: fc.subarray(['en', 'tl', 'ja']) })
const mode = fc.constantFrom('approximate', 'contact_only', 'hidden' as const)

type Facts =
  typeof details extends fc.Arbitrary<infer D>
    ? typeof area extends fc.Arbitrary<infer A>
      ? typeof core extends fc.Arbitrary<infer C>
        ? { details: D; area: A; core: C }
        : never
      : never
    : never

/** One locale in both worlds: identical in the fields its mode shows, otherwise different. */
const pair = fc
  .record({ mode, core: fc.tuple(core, core), area: fc.tuple(area, area), details: fc.tuple(details, details) })
  .map(({ mode, core, area, details }) => {
    const world = (i: 0 | 1): Facts => ({
      core: core[mode === 'hidden' ? i : 0],
      area: area[mode === 'approximate' ? 0 : i],
      details: details[i],
    })
    return { mode, worlds: [world(0), world(1)] as const }
  })

const number = (min: number, max: number) => fc.integer({ min: min * 1000, max: max * 1000 }).map((n) => n / 1000)
const point = fc.record({ lat: number(34.9, 36.1), lng: number(138.9, 140.1) })
const text = fc.oneof(secret, fc.constantFrom('tokyo', 'chiba', 'kanto', 'japan', 'group', 'shephrd', 'e', '東', 'zzz'))
const filters = fc.record(
  {
    search: text,
    country: fc.constantFrom('JP', 'saudi', 'niger'),
    city: text,
    state_province: text,
    language: fc.constantFrom('en', 'ja'),
    has_physical_building: fc.boolean(),
    online: fc.boolean(),
  },
  { requiredKeys: [] },
)
const anyRequest = fc
  .tuple(
    filters,
    fc.option(point),
    fc.option(fc.constantFrom(0.5, 3, 10, 50)),
    fc.constantFrom('locales', 'churches', 'chapters', 'search', 'near'),
  )
  .map(([some, near, radius, what]) => {
    if (what === 'search')
      return `/public/search?${new URLSearchParams({ search: some.search ?? 'group', limit: '20' })}`
    if (what === 'near')
      return `/public/locales?${new URLSearchParams({ near: [some.search, some.city].filter(Boolean).join(', ') })}`
    const query =
      what === 'locales'
        ? some
        : { ...(some.search ? { search: some.search } : {}), ...(some.country ? { country: some.country } : {}) }
    const all = { ...query, ...near, ...(near && radius ? { radius } : {}) }
    return `/public/${what}?${new URLSearchParams(Object.entries(all).map(([name, value]): [string, string] => [name, String(value)]))}`
  })

async function make(
  pairs: readonly { mode: string; worlds: readonly [Facts, Facts] }[],
  which: 0 | 1,
  chapter: string,
) {
  await inside(async (db) => {
    await db.deleteFrom('locales').execute()
    for (const [i, { mode, worlds }] of pairs.entries()) {
      const { core, area, details } = worlds[which]
      const { servant, service, hasChapter, at, ...fields } = details
      const { cell, ...place } = area
      await db
        .insertInto('locales')
        .values({
          id: IDS[i]!,
          ...core,
          ...place,
          ...fields,
          chapter_id: hasChapter ? chapter : null,
          latitude: cell.latitude / 10 + at.north / 1000,
          longitude: cell.longitude / 10 + at.east / 1000,
          discreet_mode: mode as 'hidden',
        })
        .execute()
      if (servant)
        await db
          .insertInto('locale_servants')
          .values({
            locale_id: IDS[i]!,
            name: servant.name,
            phone: servant.phone,
            is_name_public: servant.isPublic,
            is_contact_public: servant.isPublic,
            agreed_at: new Date(),
          })
          .execute()
      if (service)
        await db
          .insertInto('locale_schedules')
          .values({ locale_id: IDS[i]!, ...service, start_time: '10:00', service_type: 'other' })
          .execute()
    }
    await projectLocales(db, IDS, (code) => countries.find(code)?.name ?? null)
  })
  await app.readModel.catchUp()
}

async function answer(path: string): Promise<string> {
  const response = await app.request(`http://portal.test/api${path}`)
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

test('two worlds that differ only in hidden fields give identical responses', async () => {
  const { id: chapter } = await inside((db) =>
    db
      .insertInto('mfa_local_chapters')
      .values({ chapter_name: 'Chapter Zion', country_code: 'JP', latitude: 35.6, longitude: 139.7, is_public: true })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const fixed = [
    '/public/locales?limit=1000',
    '/public/locales/countries',
    '/public/locales/points',
    '/public/chapters',
    '/functions/church-locator?search=zion&limit=20',
    ...SECRETS.slice(0, 3).map((text) => `/public/search?search=${encodeURIComponent(text)}`),
    ...SECRETS.slice(0, 3).map((text) => `/public/locales?near=${encodeURIComponent(text)}&radius=50`),
    ...IDS.map((id) => `/public/locales/${id}`),
  ]
  const services = app.router.endpoints().find(({ path }) => path === '/public/locales/services')
  if (services) fixed.push(`/public/locales/services?ids=${IDS.join(',')}`)
  await fc.assert(
    fc.asyncProperty(
      fc.array(pair, { minLength: 1, maxLength: IDS.length }),
      fc.array(anyRequest, { minLength: 30, maxLength: 30 }),
      async (pairs, questions) => {
        const paths = [...fixed, ...questions]
        await make(pairs, 0, chapter)
        const answers = new Map<string, string>()
        for (const path of paths) answers.set(path, await answer(path))
        await make(pairs, 1, chapter)
        for (const path of paths) expect([path, await answer(path)]).toEqual([path, answers.get(path)])
      },
    ),
    { numRuns: 25, endOnFailure: true },
  )
}, 120_000)

test('the search for everything never finds or counts a church that hides its place, whatever is asked', async () => {
  const modes = ['approximate', 'contact_only', 'hidden'] as const
  await inside(async (db) => {
    await db.deleteFrom('locales').execute()
    for (const [i, discreet_mode] of modes.entries())
      await db
        .insertInto('locales')
        .values({
          ...{ id: IDS[i]!, name: 'Locale Bethel Nagano', common_name: 'Hope House', address_line1: '7 Cedar Street' },
          ...{ city: 'Nagano', state_province: 'Nagano', postal_code: '380-0801', country_code: 'JP' },
          ...{ latitude: 36.65 + i / 50, longitude: 138.19, timezone: 'Asia/Tokyo', discreet_mode },
        })
        .execute()
    await projectLocales(db, IDS, (code) => countries.find(code)?.name ?? null)
  })
  await app.readModel.catchUp()
  const texts = ['Locale Bethel Nagano', 'bethel', 'Betel', 'hope house', '7 Cedar Street', 'Nagano', 'Naganoo', 'nag']
  for (const text of [
    ...texts,
    'group',
    'Group in Nagano',
    'Japan',
    'Nagano, Japan',
    '380-0801',
    'e',
    '.',
    '%',
    '36.65',
  ]) {
    const body = JSON.parse(await answer(`/public/search?limit=20&search=${encodeURIComponent(text)}`)) as {
      results: { kind: string }[]
      churches_total: number
    }
    expect([text, body.churches_total, body.results.filter(({ kind }) => kind === 'church')]).toEqual([text, 0, []])
  }
})

test('a country’s rule changes what is shown of its locales at once', async () => {
  const [id] = IDS
  await inside(async (db) => {
    await db.deleteFrom('locales').execute()
    await db
      .insertInto('locales')
      .values({ id: id!, name: 'Bethel', city: 'Niamey', country_code: 'NE', latitude: 13.5, longitude: 2.1 })
      .execute()
    await projectLocales(db, [id!], () => 'Niger')
  })
  await app.readModel.catchUp()
  expect(await answer('/public/locales?search=bethel')).toContain('"total":1')
  await inside(async (db) => {
    await sql`insert into country_discretion (country_code, discreet_mode) values ('NE', 'hidden')`.execute(db)
  })
  await app.readModel.catchUp()
  expect(await answer('/public/locales?search=bethel')).toContain('"total":0')
  expect(await answer(`/public/locales/${id}`)).toContain('"locale":null')
  expect(await answer('/public/locales/countries')).toContain('"countries":[]')
})

test('the database role of visitors reads public rows only', async () => {
  const tables = ['locales', 'locale_servants', 'locale_schedules', 'mfa_local_chapters', 'country_discretion']
  const { rows } = await inside((db) =>
    sql<{ name: string; may: boolean }>`
      select name, has_any_column_privilege('portal_anonymous', name, 'select') as may
      from unnest(${[...tables, 'public_locales', 'public_chapters']}::text[]) name`.execute(db),
  )
  expect(rows.filter(({ may }) => may).map(({ name }) => name)).toEqual(['public_locales', 'public_chapters'])
})

/** Files outside administration and import that access whole locales, and why nothing of it becomes public. */
const READERS: Record<string, string> = {
  'audit/names.ts': 'its name in audit entries, as far as their reader may read it',
  'accounts/users/role-preview.ts': 'counts them for an administrator, as the role in question would',
  'churches/confirmation-requests.ts': 'mails to the people of a church, by its public name',
  'churches/care-queries.ts': 'for those who look after it',
  'churches/chapters/changes.ts': 'ids to be projected',
  'churches/chapters/queries.ts': 'counts for those who look after a chapter',
  'churches/confirmation.ts': 'when it was confirmed, for who confirms it',
  'churches/jobs.ts': 'ids to be projected',
  'churches/locating.ts': 'where they lie',
  'churches/modes.ts': 'how they are shown',
  'churches/projection.ts': 'makes the public rows',
  'churches/care-updates.ts': 'for those who look after it',
  'churches/visitors.ts': 'its people, for mails to them',
  'overview/queue-tasks.ts': 'open work on it, for those who look after it',
  'sample/churches.ts': 'makes them',
}

test('nothing else reads whole locales: a new public reader would be a leak', () => {
  const server = path.resolve(import.meta.dirname, '..')
  const READS = /'locales( as \w+)?'|\b(from|join|into|update) locales\b/
  const readers = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|testing|^churches\/(admin|import)\//.test(file))
    .filter((file) => READS.test(readFileSync(path.join(server, file), 'utf8')))
  expect(readers.sort()).toEqual(Object.keys(READERS).sort())
})
