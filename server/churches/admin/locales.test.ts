import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { withClaims } from '#server/db/claims.ts'
import { normalizeFieldNames } from '#shared/churches/field-aliases.ts'
import { ROLES } from '#shared/roles.ts'
import { churchAdministration, nairobi } from './testing.ts'

const { database, ask, create, publicOf, audits, admin, inside } = await churchAdministration()
const NOW = '2026-01-01T00:00:00Z'

describe('access', () => {
  const servant = { name: 'Ana' }
  const service = { day_of_week: 0, start_time: '10:00', service_type: 'worship_service' }
  const calls: [string, string, unknown?][] = [
    ['GET', '/locales'],
    ['GET', '/locales/export'],
    ['GET', '/locales/duplicates?name=x'],
    ['GET', '/locales/discretion'],
    ['PUT', '/locales/discretion', { country_code: 'KE', discreet_mode: 'hidden' }],
    ['GET', '/locales/servant-accounts'],
    ['GET', '/locales/{id}'],
    ['POST', '/locales', nairobi()],
    ['PUT', '/locales/{id}', { name: 'Taken over', made_from: NOW }],
    ['DELETE', '/locales/{id}', { made_from: NOW }],
    ['POST', '/locales/{id}/confirm'],
    ['GET', '/locales/{id}/servants'],
    ['POST', '/locales/{id}/servants', servant],
    ['PUT', '/locales/{id}/servants/{other}', servant],
    ['DELETE', '/locales/{id}/servants/{other}'],
    ['GET', '/locales/{id}/schedules'],
    ['POST', '/locales/{id}/schedules', service],
    ['PUT', '/locales/{id}/schedules/{other}', service],
    ['DELETE', '/locales/{id}/schedules/{other}'],
    ['POST', '/locales/{id}/photos'],
    ['PUT', '/locales/{id}/photos/{other}', { description: 'x' }],
    ['DELETE', '/locales/{id}/photos/{other}'],
  ]
  test.each(calls)('%s %s is limited to administrators', async (method, path, body) => {
    const { id, name } = await create()
    const address = path.replace('{id}', id).replace('{other}', randomUUID())
    expect((await ask(method, address, body, null)).status).toBe(401)
    for (const role of ROLES.filter((roleName) => roleName !== 'admin'))
      expect([role, (await ask(method, address, body, `${role} ${randomUUID()}`)).status]).toEqual([role, 403])
    expect(await publicOf(id)).toMatchObject({ name })
    expect(await audits(id)).toHaveLength(1)
  })

  test("without the router's access check, the database still reads and writes nothing for anyone else", async () => {
    const { id } = await create({ is_public: false })
    for (const role of ROLES.filter((roleName) => roleName !== 'admin')) {
      const claims = { as: 'user' as const, userId: randomUUID(), role, scope: { countries: ['JP'], chapters: [] } }
      const seen = await withClaims(database, claims, (db) =>
        db.selectFrom('locales').select('id').where('id', '=', id).execute(),
      )
      expect([role, seen]).toEqual([role, []])
      const changed = await withClaims(database, claims, (db) =>
        db.updateTable('locales').set({ name: 'Mallory' }).where('id', '=', id).executeTakeFirst(),
      )
      expect([role, Number(changed.numUpdatedRows)]).toEqual([role, 0])
      await expect(
        withClaims(database, claims, (db) => db.insertInto('locales').values({ name: 'Mallory' }).execute()),
      ).rejects.toMatchObject({ code: '42501' })
      await expect(
        withClaims(database, claims, (db) =>
          db.insertInto('country_discretion').values({ country_code: 'KE', discreet_mode: 'exact' }).execute(),
        ),
      ).rejects.toMatchObject({ code: '42501' })
    }
  })
})

describe('creating and changing', () => {
  test('a locale is public with the response, takes its time zone from its point, and is audited', async () => {
    const made = await create({ latitude: -1.2864, longitude: 36.8172, phone: '020 1234567', languages: ['EN', 'sw'] })
    expect(made).toMatchObject({ timezone: 'Africa/Nairobi', languages: ['en', 'sw'], phone: '+254201234567' })
    expect(await publicOf(made.id)).toMatchObject({ name: made.name, latitude: -1.2864, discreet_mode: 'exact' })
    expect(await audits(made.id)).toMatchObject([{ action: 'locale.create', actor_id: admin.id }])
  })

  test('accepts the field names of other backends', async () => {
    const theirs = {
      locale_name: `Locale ${randomUUID()}`,
      address_line_1: 'Street 5',
      primary_phone: '+63 917 123 4567',
      contact_email: 'office@example.org',
    }
    const { status, body } = await ask('POST', '/locales', theirs)
    expect([status, body.locale]).toMatchObject([
      201,
      { name: theirs.locale_name, address_line1: 'Street 5', phone: '+639171234567', email: 'office@example.org' },
    ])
    const changed = await ask('PUT', `/locales/${body.locale.id}`, {
      made_from: body.locale.updated_at,
      contact_phone: '+63 917 123 4568',
    })
    expect(changed.body.locale).toMatchObject({ phone: '+639171234568', name: theirs.locale_name })
    expect(normalizeFieldNames({ name: 'Ours', locale_name: 'Theirs' })).toEqual({ name: 'Ours' })
  })

  const refused: [string, Record<string, unknown>, string][] = [
    ['no name', { name: ' ' }, 'name'],
    ['one coordinate', { latitude: 5, longitude: null }, 'longitude'],
    ['nowhere', { latitude: 0, longitude: 0 }, 'latitude'],
    ['a latitude of 91', { latitude: 91, longitude: 1 }, 'latitude'],
    ['a longitude of 181', { latitude: 1, longitude: 181 }, 'longitude'],
    ['a time zone that is none', { timezone: 'Middle/Earth' }, 'timezone'],
    ['a phone number that cannot be', { phone: '12' }, 'phone'],
    ['an address that is none', { email: 'nobody' }, 'email'],
    ['a script for a website', { website: 'javascript:alert(1)' }, 'website'],
    ['a language that is none', { languages: ['not a language'] }, 'languages.0'],
    ['a country that is none', { country_code: 'XX' }, 'country_code'],
    ['a chapter that is none', { chapter_id: randomUUID() }, 'chapter_id'],
    ['a day that is none', { closed_since: '2026-02-30' }, 'closed_since'],
    ['an end before the start', { closed_since: '2026-05-02', closed_until: '2026-05-01' }, 'closed_until'],
    ['an end without a start', { closed_until: '2026-05-01' }, 'closed_since'],
  ]
  test.each(refused)('%s is rejected beside its field', async (_what, fields, field) => {
    const { status, body } = await ask('POST', '/locales', nairobi(fields))
    expect([status, Object.keys(body.fields)]).toEqual([422, [field]])
  })

  test('an end before the start has the same message in every form (N-15)', async () => {
    const closed = await ask('POST', '/locales', nairobi({ closed_since: '2026-05-02', closed_until: '2026-05-01' }))
    expect(closed.body.fields).toEqual({ closed_until: 'End must be after start' })
    // The last day counts, so a closure of one day is valid.
    expect(await create({ closed_since: '2026-05-02', closed_until: '2026-05-02' })).toMatchObject({
      closed_until: '2026-05-02',
    })
  })

  test("'NA' is Namibia and an empty country is null", async () => {
    expect((await create({ country_code: 'na' })) as object).toMatchObject({ country_code: 'NA' })
    expect((await create({ country_code: '' })) as object).toMatchObject({ country_code: null })
    expect((await create({ country_code: 'GA', latitude: 0, longitude: 9.45 })) as object).toMatchObject({
      latitude: 0,
    })
  })

  test('imported values that were never valid do not block other changes', async () => {
    const { id } = await create()
    await withClaims(database, { as: 'service', name: 'import' }, (db) =>
      db.updateTable('locales').set({ phone: '12', email: 'x' }).where('id', '=', id).execute(),
    )
    const { body } = await ask('GET', `/locales/${id}`)
    const made_from = body.locale.updated_at
    const change = { made_from, phone: '12', email: 'x', city: 'Mombasa' }
    expect((await ask('PUT', `/locales/${id}`, change)).body.locale).toMatchObject({ phone: '12', city: 'Mombasa' })
  })

  test('a stale form is rejected, also for two simultaneous saves', async () => {
    const { id, updated_at } = await create()
    const save = (city: string) => ask('PUT', `/locales/${id}`, { city, made_from: updated_at })
    const answers = await Promise.all(['Nakuru', 'Kisumu', 'Thika'].map(save))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('stale')
    expect((await ask('DELETE', `/locales/${id}`, { made_from: updated_at })).status).toBe(409)
    expect(await audits(id)).toHaveLength(2)
  })

  test('saving without changes is not audited', async () => {
    const { id, updated_at, name } = await create()
    expect((await ask('PUT', `/locales/${id}`, { name, made_from: updated_at })).body.locale).toMatchObject({
      updated_at,
    })
    expect(await audits(id)).toHaveLength(1)
  })

  test('a deactivated, private or hidden locale disappears from the public at once, and can return', async () => {
    for (const [off, on] of [
      [{ locale_status: 'inactive' }, { locale_status: 'active' }],
      [{ is_public: false }, { is_public: true }],
      [{ discreet_mode: 'hidden' }, { discreet_mode: null }],
    ]) {
      const { id, updated_at } = await create()
      const { body } = await ask('PUT', `/locales/${id}`, { ...off, made_from: updated_at })
      expect(await publicOf(id)).toBeUndefined()
      expect((await ask('GET', `/locales/${id}`)).body.shown).toBeNull()
      if (on && 'discreet_mode' in on)
        await ask('PUT', '/locales/discretion', { locale_id: id, ...on, reason: 'Safe again', confirm: 'Kenya' })
      else await ask('PUT', `/locales/${id}`, { ...on, made_from: body.locale.updated_at })
      expect(await publicOf(id)).toBeDefined()
    }
  })

  test('a deleted locale is gone; the audit log has its fields and the reason', async () => {
    const { id, updated_at, name } = await create()
    expect((await ask('DELETE', `/locales/${id}`, { made_from: updated_at, reason: 'Merged' })).status).toBe(200)
    expect((await ask('GET', `/locales/${id}`)).status).toBe(404)
    expect(await publicOf(id)).toBeUndefined()
    expect((await audits(id)).at(-1)).toMatchObject({ action: 'locale.delete', reason: 'Merged', before: { name } })
  })

  test('a confirmation shows who confirmed and when, also publicly', async () => {
    const { id } = await create()
    const { body } = await ask('POST', `/locales/${id}/confirm`)
    expect(body.locale).toMatchObject({ confirmed_by: 'Ada Admin', confirmed_as: 'admin' })
    expect((await publicOf(id))!.confirmed_at).not.toBeNull()
    expect((await audits(id)).at(-1)).toMatchObject({ action: 'locale.confirm' })
  })
})

describe('duplicates', () => {
  test('the same name in the same city is proposed as a duplicate, and saved only when confirmed', async () => {
    const name = `São João ${randomUUID()}`
    const { id } = await create({ name, city: 'São Paulo', country_code: 'BR' })
    const again = { name: name.toUpperCase().replace('ÃO', 'AO'), city: 'sao paulo', country_code: 'BR' }
    const refused = await ask('POST', '/locales', again)
    expect([refused.status, refused.body.code]).toEqual([409, 'possible_duplicate'])
    const { body } = await ask('GET', `/locales/duplicates?${new URLSearchParams(again)}`)
    expect(body.duplicates).toMatchObject([{ id, why: 'name' }])
    expect((await ask('POST', '/locales', { ...again, city: 'Rio' })).status).toBe(201)
    expect((await ask('POST', '/locales', { ...again, save_anyway: true })).status).toBe(201)
  })

  test('another church within 200 m is proposed, across the 180th meridian too', async () => {
    const { id } = await create({
      name: `Taveuni ${randomUUID()}`,
      country_code: 'FJ',
      latitude: -16.8,
      longitude: 179.9995,
    })
    const near = nairobi({ country_code: 'FJ', city: 'Elsewhere', latitude: -16.8, longitude: -179.9995 })
    const { body } = await ask('GET', '/locales/duplicates?name=X&latitude=-16.8&longitude=-179.9995')
    expect(body.duplicates).toMatchObject([{ id, why: 'place' }])
    expect(body.duplicates[0].distance_km).toBeCloseTo(0.106, 2)
    expect((await ask('POST', '/locales', near)).status).toBe(409)
    expect((await ask('POST', '/locales', { ...near, longitude: -179.997 })).status).toBe(201)
  })

  test('the duplicate check accepts coordinates that are almost zero', async () => {
    await create({ latitude: 1e-320, longitude: 36.8 })
    const { status } = await ask('GET', '/locales/duplicates?name=X&latitude=6e-323&longitude=36.8')
    expect(status).toBe(200)
  })
})

describe('the list', () => {
  test('includes private and hidden locales, and is searched in any spelling, filtered, sorted and paged', async () => {
    const mark = `q${randomUUID().slice(0, 6)}`
    const made = await create({
      name: `${mark} Münster`,
      country_code: 'DE',
      city: 'Köln',
      latitude: 50.9,
      longitude: 6.9,
    })
    const hidden = await create({
      name: `${mark} Hidden`,
      discreet_mode: 'hidden',
      country_code: 'DE',
      is_public: false,
    })
    const closed = await create({ name: `${mark} Closed`, locale_status: 'closed', country_code: 'KE' })
    const names = async (query: string) =>
      (await ask('GET', `/locales?search=${mark}&${query}`)).body.locales.map(({ id }: { id: string }) => id)
    expect(await names('')).toEqual([closed.id, hidden.id, made.id])
    expect(await names('sort=-name')).toEqual([made.id, hidden.id, closed.id])
    expect((await ask('GET', `/locales?search=${mark}%20munster`)).body.locales).toMatchObject([{ id: made.id }])
    expect((await ask('GET', `/locales?search=${mark}%20MÜNSTER%20köln`)).body.locales).toMatchObject([{ id: made.id }])
    expect(await names('country=de')).toEqual([hidden.id, made.id])
    expect(await names('status=closed')).toEqual([closed.id])
    expect(await names('public=no')).toEqual([hidden.id])
    expect(await names('mode=hidden')).toEqual([hidden.id])
    expect(await names('missing=coordinates')).toEqual([closed.id, hidden.id])
    expect(await names('missing=time_zone')).toEqual([closed.id, hidden.id])
    expect(await names('missing=confirmation&per_page=2&page=2')).toEqual([made.id])
    for (const odd of ['%25', '_', "'", '\\', ',()', 'x'.repeat(200)])
      expect((await ask('GET', `/locales?search=${encodeURIComponent(odd)}`)).status).toBe(200)
    expect((await ask('GET', '/locales?search=%25')).body.total).toBe(0)
  })

  test('the CSV export contains no cell that a spreadsheet executes', async () => {
    const mark = `=cmd${randomUUID().slice(0, 6)}`
    await create({ name: `${mark}|calc`, closed_reason: '@SUM(1)' })
    const { text, response } = await ask('GET', `/locales/export?search=${encodeURIComponent(mark)}`)
    expect(response.headers.get('content-type')).toContain('text/csv')
    expect(text).toContain(`'${mark}|calc`)
    expect(text).toContain("'@SUM(1)")
    expect(text.split('\r\n')[0]).toContain('external_id,name,common_name')
  })
})

describe('discretion rules of countries', () => {
  test('apply to all locales of a country at once, except those with their own mode', async () => {
    await inside((db) => db.deleteFrom('locales').execute())
    const [follows, own] = [
      await create({ country_code: 'SA', city: 'Riyadh', phone: '+966112345678' }),
      await create({ country_code: 'SA', discreet_mode: 'exact' }),
    ]
    const set = (discreet_mode: string | null) =>
      ask('PUT', '/locales/discretion', { country_code: 'sa', discreet_mode, reason: 'Danger' })
    expect((await set('contact_only')).body).toMatchObject({ locales: 1 })
    expect(await publicOf(follows.id)).toMatchObject({ name: 'Group in Saudi Arabia', city: null, phone: null })
    expect(await publicOf(own.id)).toMatchObject({ name: own.name })
    const { body } = await ask('GET', '/locales/discretion')
    expect(body.discretion).toMatchObject([
      { country_code: 'SA', discreet_mode: 'contact_only', reason: 'Danger', updated_by: 'Ada Admin' },
    ])
    expect(body.countries).toContainEqual({ country_code: 'SA', locales: 2, own_mode: 1 })
    await set('hidden')
    expect(await publicOf(follows.id)).toBeUndefined()
    expect((await audits('SA')).map(({ after }) => after)).toMatchObject([
      { discreet_mode: 'contact_only' },
      { discreet_mode: 'hidden' },
    ])
    expect((await ask('PUT', '/locales/discretion', { country_code: 'XX', discreet_mode: 'hidden' })).status).toBe(422)
  })
})
