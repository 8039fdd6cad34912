import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { AS } from '#server/testing/app.ts'
import { churchAdministration } from './admin/testing.ts'
import { projectMissing } from './jobs.ts'

// A church in a country that hides its churches is not shown because its country is missing or wrong: its point shows
// where it is. Tests every endpoint that writes it, and every public one that reads it.

const { database, app, admin, ask, inside, publicOf } = await churchAdministration()
const log = createLog('silent')

const RIYADH = { latitude: 24.7136, longitude: 46.6753 }
const TOKYO = { latitude: 35.6897, longitude: 139.6922 }
const SECRETS = ['Bethel', 'Hidden Street', '+966 11 000', 'Riyadh', '24.71', '46.67']
const church = (more: object = {}) => ({
  name: `Bethel ${randomUUID()}`,
  address_line1: 'Hidden Street 7',
  city: 'Riyadh',
  email: 'bethel@example.org',
  save_anyway: true,
  ...more,
})

beforeEach(() =>
  inside(async (db) => {
    await db.deleteFrom('imports').execute()
    await db.deleteFrom('locales').execute()
    await db.deleteFrom('mfa_local_chapters').execute()
    await sql`select set_config('portal.loosening', 'confirmed', true)`.execute(db)
    await db.deleteFrom('country_discretion').execute()
  }),
)

const rule = (discreet_mode: string, country_code = 'SA') =>
  ask('PUT', '/locales/discretion', { country_code, discreet_mode, needs_second: false, reason: 'Danger' })
/** Written by another system, without the validation of a form. */
const insertUnchecked = (values: object) =>
  inside(async (db) => {
    const { save_anyway: _, ...row } = church(values)
    const { id } = await db.insertInto('locales').values(row).returning('id').executeTakeFirstOrThrow()
    return id
  })
const project = () => projectMissing({ database, log })
async function post(more: object) {
  const { body } = await ask('POST', '/locales', church(more))
  return body.locale?.id as string | undefined
}
async function update(id: string | undefined, fields: object) {
  const { body } = await ask('GET', `/locales/${id}`)
  return ask('PUT', `/locales/${id}`, { made_from: body.locale.updated_at, ...fields })
}
/** Uploads a list, plans it and commits it. Returns its id. */
async function imports(...lines: string[]): Promise<string> {
  const response = await app.request('http://portal.test/api/locale-imports?name=list.csv', {
    method: 'POST',
    headers: { [AS]: admin.as },
    body: new TextEncoder().encode(`${lines.join('\n')}\n`),
  })
  const { id } = ((await response.json()) as { import: { id: string } }).import
  const detail = (await ask('GET', `/locale-imports/${id}`)).body
  const planned = await ask('POST', `/locale-imports/${id}/plan`, {
    mapping: detail.mapping,
    id_prefix: detail.id_prefix,
    options: { ...detail.options, new_locales: 'to_be_confirmed' },
  })
  const { plan_version } = planned.body.import
  await ask('POST', `/locale-imports/${id}/commit`, { plan_version })
  return id
}

/** Everything the public can read, through every interface. */
async function publicText(): Promise<string> {
  await app.readModel.catchUp()
  const near = new URLSearchParams({ lat: String(RIYADH.latitude), lng: String(RIYADH.longitude), radius: '50' })
  const ids = await inside((db) => db.selectFrom('locales').select('id').execute())
  const paths = [
    '/public/locales?limit=1000',
    '/public/locales?search=bethel',
    `/public/locales?${near}`,
    '/public/locales/countries',
    '/public/locales/points',
    `/public/churches?${near}`,
    '/public/churches?search=bethel',
    '/public/chapters',
    `/public/chapters?${near}`,
    '/functions/church-locator?search=bethel&limit=20',
    ...ids.map(({ id }) => `/public/locales/${id}`),
    ...(ids.length > 0 ? [`/public/locales/services?ids=${ids.map(({ id }) => id).join(',')}`] : []),
  ]
  const answers = []
  for (const path of paths) {
    const response = await app.request(`http://portal.test/api${path}`)
    expect([path, response.status]).toEqual([path, 200])
    answers.push(await response.text())
  }
  return answers.join('\n')
}
async function expectSecret() {
  const text = await publicText()
  for (const secret of SECRETS) expect(text).not.toContain(secret)
}

const attacks: Record<string, () => Promise<unknown>> = {
  'created without a country': () => post({ ...RIYADH }),
  'created with another country': () => post({ country_code: 'JP', ...RIYADH }),
  'created with another country and a mode of its own': () =>
    post({ country_code: 'JP', discreet_mode: 'exact', ...RIYADH }),
  'created without country and point': () => post({}),
  'created without country and point, with a mode of its own': () => post({ discreet_mode: 'exact' }),
  'created in the sea of another country': () => post({ country_code: 'JP', latitude: 21.5, longitude: 38.9 }),
  'its point edited into the country': async () =>
    update(await post({ country_code: 'JP', ...TOKYO }), { country_code: null, ...RIYADH }),
  'its country taken away': async () =>
    update(await post({ country_code: 'SA', ...RIYADH }), { country_code: null, discreet_mode: 'exact' }),
  'created near the border of another country': () =>
    post({ country_code: 'BH', discreet_mode: 'exact', latitude: 26.2, longitude: 50.28 }),
  'its country edited away': async () => update(await post({ country_code: 'SA', ...RIYADH }), { country_code: 'JP' }),
  'its point edited away': async () => update(await post({ country_code: 'SA', ...RIYADH }), TOKYO),
  'its country and point edited away': async () =>
    update(await post({ country_code: 'SA', ...RIYADH }), { country_code: 'JP', ...TOKYO }),
  'written by another system': () => insertUnchecked({ country_code: 'JP', ...RIYADH }),
  'written by another system without a country': () => insertUnchecked(RIYADH),
  'written by another system with a mode of its own': () =>
    insertUnchecked({ country_code: 'JP', discreet_mode: 'exact', ...RIYADH }),
  'imported without a country': () =>
    imports(
      'external_id,name,city,address_line1,latitude,longitude',
      'x-1,Bethel,Riyadh,Hidden Street 7,24.7136,46.6753',
    ),
  'imported with another country': () =>
    imports(
      'external_id,name,city,address_line1,country,latitude,longitude',
      'x-1,Bethel,Riyadh,Hidden Street 7,Japan,24.7136,46.6753',
    ),
  'imported with neither': () => imports('external_id,name,city,address_line1', 'x-1,Bethel,Riyadh,Hidden Street 7'),
  'put back by the undoing of an import': async () => {
    await insertUnchecked({ country_code: 'JP', external_id: 'x-1', ...RIYADH })
    await project()
    const id = await imports('external_id,name,country', 'x-1,Bethel,Saudi Arabia')
    expect((await ask('POST', `/locale-imports/${id}/undo`)).body.import).toMatchObject({ status: 'undone' })
  },
  'moved by another system': async () => {
    const id = await insertUnchecked({ country_code: 'JP', ...TOKYO })
    await project()
    await inside((db) => db.updateTable('locales').set(RIYADH).where('id', '=', id).execute())
  },
}

describe('with the rule in force', () => {
  test.each(Object.entries(attacks))('a church %s is not shown', async (_how, attack) => {
    await rule('hidden')
    await attack()
    await project()
    await expectSecret()
    expect(await project()).toBe(0)
  })

  test('a mode of its own that shows everything does not apply in the country', async () => {
    await rule('hidden')
    const id = await insertUnchecked({ country_code: 'JP', discreet_mode: 'exact', ...RIYADH })
    await project()
    expect((await update(id, { country_code: 'SA' })).body.code).toBe('discretion_loosening')
    await expectSecret()
    await expect(
      inside((db) => db.updateTable('locales').set({ country_code: 'SA' }).where('id', '=', id).execute()),
    ).rejects.toMatchObject({ code: 'MFA31' })
  })
})

describe('the form', () => {
  const MISPLACED = 'This point is in Saudi Arabia, not in Japan. Correct the country or the point.'

  test('rejects a point in another country than the chosen one, whichever of the two is changed', async () => {
    const refused = { status: 422, body: { fields: { country_code: MISPLACED } } }
    expect(await ask('POST', '/locales', church({ country_code: 'JP', ...RIYADH }))).toMatchObject(refused)
    expect(await update(await post({ country_code: 'JP', ...TOKYO }), RIYADH)).toMatchObject(refused)
    expect(await update(await post({ country_code: 'SA', ...RIYADH }), { country_code: 'JP' })).toMatchObject(refused)
    const chapter = { chapter_name: 'Chapter', country_code: 'JP' }
    expect(await ask('POST', '/mfa/chapters', { ...chapter, ...RIYADH })).toMatchObject(refused)
  })

  test('accepts a point near the border of the chosen country', async () => {
    const basel = { country_code: 'DE', latitude: 47.57, longitude: 7.59 }
    expect(await post(basel)).toBeDefined()
  })

  test('fills the country from the point', async () => {
    const id = await post(RIYADH)
    expect((await ask('GET', `/locales/${id}`)).body.locale).toMatchObject({ country_code: 'SA', located_in: 'SA' })
    const chapter = await ask('POST', '/mfa/chapters', { chapter_name: 'Chapter', ...TOKYO })
    expect(chapter.body.chapter).toMatchObject({ country_code: 'JP' })
  })

  test('accepts all other changes to a misplaced church, and says how it is shown', async () => {
    await rule('contact_only')
    const id = await insertUnchecked({ country_code: 'JP', ...RIYADH })
    await project()
    const { body } = await update(id, { country_code: 'JP', ...RIYADH, phone: '+81 3 1234 5678' })
    expect(body).toMatchObject({ success: true })
    expect((await ask('GET', `/locales/${id}`)).body.locale).toMatchObject({
      located_in: 'SA',
      mode: 'contact_only',
      country_mode: null,
    })
    expect((await ask('GET', '/locales?mode=contact_only')).body.locales).toMatchObject([{ id, located_in: 'SA' }])
    expect(await publicOf(id)).toMatchObject({ name: 'Group in Japan', city: null, latitude: null })
  })
})

test('an imported row names the country its point lies in', async () => {
  const id = await imports(
    'external_id,name,country,latitude,longitude',
    'x-1,Wrong,Japan,24.7136,46.6753',
    'x-2,None,,24.7136,46.6753',
    'x-3,Right,Saudi Arabia,24.7136,46.6753',
  )
  const { rows } = (await ask('GET', `/locale-imports/${id}/rows?per_page=200`)).body
  expect(rows.map(({ problems }: { problems: object[] }) => problems)).toEqual([
    [{ code: 'point_elsewhere', field: 'country_code', value: 'SA' }],
    [],
    [],
  ])
  const made = await inside((db) => db.selectFrom('locales').select(['name', 'country_code']).orderBy('name').execute())
  expect(made).toEqual([
    { name: 'None', country_code: 'SA' },
    { name: 'Right', country_code: 'SA' },
    { name: 'Wrong', country_code: 'JP' },
  ])
})

describe('a chapter', () => {
  const values: Record<string, object> = {
    'another country': { country_code: 'JP', ...RIYADH },
    'no country': RIYADH,
    'neither country nor point': {},
  }
  test.each(Object.entries(values))('with %s is not found by visitors', async (_what, fields) => {
    const make = () =>
      inside((db) =>
        db
          .insertInto('mfa_local_chapters')
          .values({ chapter_name: 'Bethel', city: 'Riyadh', is_public: true, ...fields })
          .execute(),
      )
    await make()
    await project()
    expect(await publicText()).toContain('Bethel')
    await rule('contact_only')
    await expectSecret()
    await make()
    await expectSecret()
    await project()
    await expectSecret()
  })

  test('elsewhere is found once the portal has located it, wherever it moves to', async () => {
    await rule('hidden')
    const made = await ask('POST', '/mfa/chapters', { chapter_name: 'Chapter', is_public: true, ...TOKYO })
    const found = async () => (await ask('GET', '/public/chapters')).body.chapters.length
    expect(await found()).toBe(1)
    const move = (fields: object) => ask('PUT', `/mfa/chapters/${made.body.chapter.id}`, fields)
    await move({ latitude: 34.69, longitude: 135.5 })
    expect(await found()).toBe(1)
    await move({ country_code: 'SA', ...RIYADH })
    expect(await found()).toBe(0)
  })
})

describe('before the rule', () => {
  const made: Record<string, object> = {
    'another country': { country_code: 'JP', ...RIYADH },
    'no country': RIYADH,
    'neither country nor point': {},
  }
  test.each(Object.entries(made))('a church with %s is hidden when the rule is set', async (_what, values) => {
    const id = await insertUnchecked(values)
    await project()
    expect(await publicOf(id)).toBeDefined()
    await inside((db) =>
      db
        .insertInto('country_discretion')
        .values({ country_code: 'SA', discreet_mode: 'hidden', needs_second: false })
        .execute(),
    )
    await expectSecret()
    await project()
    await expectSecret()
  })

  test.each(Object.entries(made))('a church with %s is shown again when the rule is removed', async (_what, values) => {
    await rule('hidden')
    const id = await insertUnchecked(values)
    await project()
    expect(await publicOf(id)).toBeUndefined()
    const consequences = await ask('GET', '/locales/discretion/consequences?country_code=SA')
    expect(consequences.body).toMatchObject({ is_loosening: true, locales: 1, whole: 1 })
    const lifted = { country_code: 'SA', discreet_mode: null, reason: 'The law has changed', confirm: '1' }
    expect((await ask('PUT', '/locales/discretion', lifted)).body).toMatchObject({ success: true })
    expect(await publicOf(id)).toMatchObject({ discreet_mode: 'exact' })
  })
})
