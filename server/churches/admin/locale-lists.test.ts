import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { eraseAccountOf } from '#server/accounts/own/erasure.ts'
import { AS } from '#server/testing/app.ts'
import { createTestUser } from '#server/testing/users.ts'
import { churchAdministration } from './testing.ts'

const { app, database, ask, create, publicOf, audits, admin } = await churchAdministration()

describe('servants', () => {
  test('are public with the details each consented to; the consent is dated and revocable', async () => {
    const { id } = await create({ country_code: 'PH' })
    const ana = { name: 'Ana Cruz', phone: '0917 123 4567', is_name_public: true }
    const { status, body } = await ask('POST', `/locales/${id}/servants`, ana)
    expect([status, body.servant]).toMatchObject([201, { name: 'Ana Cruz', phone: '+639171234567', position: 0 }])
    expect(body.servant.agreed_at).not.toBeNull()
    await ask('POST', `/locales/${id}/servants`, { name: 'Secret Ben', phone: '+63 917 123 4568' })
    expect((await publicOf(id))!.servants).toEqual([
      { name: 'Ana Cruz', role: 'local_servant', contact: null },
      { name: null, role: 'local_servant', contact: null },
    ])
    const change = (more: object) => ask('PUT', `/locales/${id}/servants/${body.servant.id}`, { ...ana, ...more })
    await change({ is_contact_public: true })
    expect((await publicOf(id))!.servants[0]).toMatchObject({ name: 'Ana Cruz', contact: '+639171234567' })
    const silent = await change({ is_name_public: false })
    expect(silent.body.servant.agreed_at).toBeNull()
    expect(JSON.stringify(await publicOf(id))).not.toMatch(/Ana|\+63917/)
    expect((await ask('DELETE', `/locales/${id}/servants/${body.servant.id}`)).status).toBe(200)
    expect((await ask('GET', `/locales/${id}/servants`)).body.servants).toMatchObject([{ name: 'Secret Ben' }])
    expect((await audits(id)).map(({ action }) => action)).toEqual([
      'locale.create',
      'locale.servant',
      'locale.servant',
      'locale.servant',
      'locale.servant',
      'locale.servant_removed',
    ])
  })

  test('changing a servant changes the locale: a form loaded before is rejected', async () => {
    const { id, updated_at } = await create()
    await ask('POST', `/locales/${id}/servants`, { name: 'Ana' })
    expect((await ask('PUT', `/locales/${id}`, { city: 'Lamu', made_from: updated_at })).body.code).toBe('stale')
  })

  test('a contact without a name, an unknown number and an account of another user are rejected', async () => {
    const { id } = await create()
    const traveler = await createTestUser(database, 'traveler')
    for (const [more, field] of [
      [{ is_contact_public: true, phone: '+254201234567' }, 'is_name_public'],
      [{ is_contact_public: true, is_name_public: true }, 'is_contact_public'],
      [{ phone: '1' }, 'phone'],
      [{ email: 'x' }, 'email'],
      [{ user_id: traveler.id }, 'user_id'],
      [{ user_id: randomUUID() }, 'user_id'],
      [{ name: '' }, 'name'],
    ] as const) {
      const { status, body } = await ask('POST', `/locales/${id}/servants`, { name: 'Ana', ...more })
      expect([status, Object.keys(body.fields)]).toEqual([422, [field]])
    }
    const servant = await createTestUser(database, 'local_servant', { display_name: 'Sam Servant' })
    const { body } = await ask('GET', '/locales/servant-accounts?search=sam')
    expect(body.accounts).toMatchObject([{ id: servant.id }])
    const made = await ask('POST', `/locales/${id}/servants`, { name: 'Sam', user_id: servant.id })
    expect(made.body.servant).toMatchObject({ user_name: 'Sam Servant' })
  })

  test('of another locale, or an unknown one, is not found', async () => {
    const [locale, other] = [await create(), await create()]
    const { body } = await ask('POST', `/locales/${locale.id}/servants`, { name: 'Ana' })
    const address = `/locales/${other.id}/servants/${body.servant.id}`
    expect((await ask('PUT', address, { name: 'Mallory' })).status).toBe(404)
    expect((await ask('DELETE', address)).status).toBe(404)
    expect((await ask('GET', `/locales/${randomUUID()}/servants`)).status).toBe(404)
    expect((await ask('POST', `/locales/${randomUUID()}/servants`, { name: 'Ana' })).status).toBe(404)
  })
})

describe('services', () => {
  const worship = { day_of_week: 0, start_time: '10:00', service_type: 'worship_service' }

  test('on a weekday, over midnight, or by a rule, are public at once', async () => {
    const { id } = await create()
    const { body } = await ask('POST', `/locales/${id}/schedules`, {
      ...worship,
      start_time: '22:00',
      end_time: '00:30',
      language: 'EN-gb',
    })
    expect(body.schedule).toMatchObject({ start_time: '22:00', end_time: '00:30', language: 'en-GB', position: 0 })
    const rule = { ...worship, day_of_week: null, recurrence: 'FREQ=MONTHLY;BYDAY=-1SA', service_type: 'thanksgiving' }
    const monthly = await ask('POST', `/locales/${id}/schedules`, rule)
    expect(monthly.body.schedule).toMatchObject({ recurrence: 'FREQ=MONTHLY;BYDAY=-1SA', position: 1 })
    expect(monthly.body.schedule.starts_on).toMatch(/^\d{4}-/)
    expect((await publicOf(id))!.schedules).toMatchObject([
      { day: 'Sunday', time: '22:00' },
      { day: null, recurrence: 'FREQ=MONTHLY;BYDAY=-1SA' },
    ])
    const address = `/locales/${id}/schedules/${body.schedule.id}`
    expect((await ask('PUT', address, { ...worship, day_of_week: 3 })).body.schedule).toMatchObject({
      day_of_week: 3,
      start_time: '10:00',
      end_time: null,
    })
    expect((await publicOf(id))!.schedules[0]).toMatchObject({ day: 'Wednesday', time: '10:00' })
    expect((await ask('DELETE', address)).status).toBe(200)
    expect((await publicOf(id))!.schedules).toHaveLength(1)
  })

  test('that never take place, or mix weekday and rule, are rejected', async () => {
    const { id } = await create()
    for (const [more, field] of [
      [{ day_of_week: null }, 'day_of_week'],
      [{ recurrence: 'FREQ=WEEKLY;BYDAY=SU' }, 'recurrence'],
      [{ day_of_week: null, recurrence: 'every sunday' }, 'recurrence'],
      [{ day_of_week: null, recurrence: 'FREQ=SECONDLY' }, 'recurrence'],
      [{ day_of_week: null, recurrence: 'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2' }, 'recurrence'],
      [{ start_time: '25:00' }, 'start_time'],
      [{ end_time: '10:00' }, 'end_time'],
      [{ service_type: 'party' }, 'service_type'],
      [{ starts_on: '2026-05-02', ends_on: '2026-05-01' }, 'ends_on'],
      [{ online_url: 'ftp://x' }, 'online_url'],
      [{ language: 'nonsense language' }, 'language'],
    ] as const) {
      const { status, body } = await ask('POST', `/locales/${id}/schedules`, { ...worship, ...more })
      expect([more, status, Object.keys(body.fields ?? {})]).toEqual([more, 422, [field]])
      if (field === 'ends_on') expect(body.fields.ends_on).toBe('End must be after start')
    }
  })
})

describe('photos', () => {
  const picture = (text = '') =>
    sharp({ create: { width: 2400, height: 900, channels: 3, background: '#336699' } })
      .jpeg()
      .withExif({ IFD0: { Artist: `Ana ${text}` }, IFD3: { GPSLatitude: '35/1' } })
      .toBuffer()
  const upload = async (id: string, bytes: Uint8Array, description = 'The entrance', as = admin.as) => {
    const response = await app.request(
      `http://portal.test/api/locales/${id}/photos?description=${encodeURIComponent(description)}`,
      { method: 'POST', headers: { [AS]: as, origin: 'http://portal.test' }, body: new Uint8Array(bytes) },
    )
    return { status: response.status, body: (await response.json()) as any }
  }
  const shown = (id: string, file: string) => app.request(`http://portal.test/api/public/locales/${id}/photos/${file}`)

  test('are resized without camera metadata, and public while the locale lists them', async () => {
    const { id, name } = await create()
    const { status, body } = await upload(id, await picture())
    expect([status, body.photo]).toMatchObject([201, { description: 'The entrance', position: 0 }])
    const response = await shown(id, body.photo.file_id)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const bytes = new Uint8Array(await response.arrayBuffer())
    const { width, exif } = await sharp(bytes).metadata()
    expect([width, exif]).toEqual([1600, undefined])

    const { body: now } = await ask('GET', `/locales/${id}`)
    const hidden = await ask('PUT', `/locales/${id}`, {
      made_from: now.locale.updated_at,
      discreet_mode: 'approximate',
    })
    expect(hidden.status).toBe(200)
    expect((await shown(id, body.photo.file_id)).status).toBe(404)
    const etag = response.headers.get('etag')!
    const again = await app.request(`http://portal.test/api/public/locales/${id}/photos/${body.photo.file_id}`, {
      headers: { 'if-none-match': etag },
    })
    expect(again.status).toBe(404)
    expect(name).toBeTruthy()
  })

  test('stay with the church when their uploader is erased', async () => {
    const { id } = await create()
    const other = await createTestUser(database, 'admin')
    const { photo } = (await upload(id, await picture(), 'Kept', other.as)).body
    const user = { id: other.id, name: 'Other', role: 'admin' as const }
    await eraseAccountOf(database, user, { brand: () => 'MFA Portal' }, new Date())
    expect((await shown(id, photo.file_id)).status).toBe(200)
    expect(await publicOf(id)).toMatchObject({ photos: [{ description: 'Kept' }] })
  })

  test('of another locale, or files that are not its photos, are not served', async () => {
    const [locale, other] = [await create(), await create()]
    const { body } = await upload(locale.id, await picture())
    expect((await shown(other.id, body.photo.file_id)).status).toBe(404)
    expect((await shown(locale.id, randomUUID())).status).toBe(404)
    const own = await app.request('http://portal.test/api/files/upload?bucket=chapter-photos', {
      method: 'POST',
      headers: { [AS]: admin.as, origin: 'http://portal.test' },
      body: new Uint8Array(await picture()),
    })
    const { id } = (await own.json()) as { id: string }
    expect((await shown(locale.id, id)).status).toBe(404)
  })

  test('are described, ordered and deleted; a file that is not an image is rejected', async () => {
    const { id } = await create()
    const first = (await upload(id, await picture('one'), 'One')).body.photo
    const second = (await upload(id, await picture('two'), 'Two')).body.photo
    await ask('PUT', `/locales/${id}/photos/${second.file_id}`, { position: 0, description: 'The hall' })
    await ask('PUT', `/locales/${id}/photos/${first.file_id}`, { position: 1 })
    expect((await publicOf(id))!.photos.map(({ description }) => description)).toEqual(['The hall', 'One'])
    expect((await ask('DELETE', `/files/${first.file_id}`)).body.code).toBe('file_in_use')
    expect((await ask('DELETE', `/locales/${id}/photos/${second.file_id}`)).status).toBe(200)
    expect((await shown(id, second.file_id)).status).toBe(404)
    expect((await ask('GET', `/files/${second.file_id}`)).status).toBe(404)
    expect((await ask('DELETE', `/locales/${id}/photos/${second.file_id}`)).status).toBe(404)
    expect((await upload(id, new TextEncoder().encode('<script>'))).status).toBe(415)
    expect((await upload(randomUUID(), await picture())).status).toBe(404)
    const mallory = await upload(id, await picture(), 'x', `mfa_coordinator ${randomUUID()}`)
    expect(mallory.status).toBe(403)
  })
})
