import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { type Claims, inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { LocalesTable } from '#server/db/tables-churches.ts'
import { AS, testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import type { listMyChurches, readMyChurch } from '#shared/churches/care.ts'
import type { Role } from '#shared/roles.ts'
import { countryNames } from './deps.ts'
import { projectLocales } from './projection.ts'

const database = await testDatabase()
const app = await testApp(database, {
  // "role id countries chapters", lists separated by commas; a minus for none.
  readSession: (request, address) => {
    const [role, id, countries, chapters] = (request.headers.get(AS) ?? '').split(' ')
    const list = (text: string | undefined) => (text && text !== '-' ? text.split(',') : null)
    const scope = { countries: list(countries), chapters: list(chapters) }
    return { address, user: role && id ? { id, name: 'Test', role: role as Role, scope } : null }
  },
})
const names = countryNames(createCountries())
const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'test', run)

interface Users {
  admin: string
  here: string
  elsewhere: string
  chapter: string
  otherChapter: string
  servant: string
  otherServant: string
  traveler: string
}
let users: Users
let chapterId: string
let ownId: string
beforeAll(async () => {
  const made = async (role: Role) => (await createTestUser(database, role)).id
  chapterId = await work(
    async (db) =>
      (
        await db
          .insertInto('mfa_local_chapters')
          .values({ chapter_name: 'Kanto' })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
  )
  ownId = await made('local_servant')
  users = {
    admin: `admin ${await made('admin')}`,
    here: `mfa_coordinator ${await made('mfa_coordinator')} JP`,
    elsewhere: `mfa_coordinator ${await made('mfa_coordinator')} QA`,
    chapter: `mfa_coordinator ${await made('mfa_coordinator')} - ${chapterId}`,
    otherChapter: `mfa_coordinator ${await made('mfa_coordinator')} - ${randomUUID()}`,
    servant: `local_servant ${ownId}`,
    otherServant: `local_servant ${await made('local_servant')} JP`,
    traveler: `traveler ${await made('traveler')}`,
  }
})
const MAY = ['admin', 'here', 'chapter', 'servant'] as const
const MAY_NOT = ['elsewhere', 'otherChapter', 'otherServant'] as const

async function locale(values: Partial<Insertable<LocalesTable>> = {}) {
  return work(async (db) => {
    const { id } = await db
      .insertInto('locales')
      .values({
        name: `Locale ${randomUUID().slice(0, 8)}`,
        city: 'Tokyo',
        country_code: 'JP',
        timezone: 'Asia/Tokyo',
        phone: '+81 3 1111',
        chapter_id: chapterId,
        ...values,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('locale_servants').values({ locale_id: id, name: 'Ana', user_id: ownId }).execute()
    await db
      .insertInto('locale_schedules')
      .values({ locale_id: id, day_of_week: 0, start_time: '10:00', service_type: 'worship_service' })
      .execute()
    await projectLocales(db, [id], names)
    return id
  })
}
const correction = (locale_id: string, proposed: object = { phone: '+81 3 2222' }) =>
  work(async (db) => {
    const values = { locale_id, kind: 'wrong' as const, proposed: JSON.stringify(proposed), message: 'It rings nobody' }
    return (await db.insertInto('locale_corrections').values(values).returning('id').executeTakeFirstOrThrow()).id
  })
const message = (locale_id: string) =>
  work(async (db) => {
    const values = { locale_id, kind: 'question' as const, sender_name: 'Ben', sender_contact: 'ben@example.org' }
    return (await db.insertInto('locale_messages').values(values).returning('id').executeTakeFirstOrThrow()).id
  })

async function ask(method: string, path: string, as: string, body?: object) {
  const headers: Record<string, string> = as ? { [AS]: as } : {}
  if (body) headers['content-type'] = 'application/json'
  const response = await app.request(`/api${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as never as Record<string, never> }
}
type Found = (typeof readMyChurch)['~']['output']
type Listed = (typeof listMyChurches)['~']['output']
const find = async (id: string, as = users.admin) => (await ask('GET', `/my-churches/${id}`, as)).body as never as Found
const list = async (query = '', as = users.admin) =>
  (await ask('GET', `/my-churches${query}`, as)).body as never as Listed
const rowOf = (id: string) =>
  work((db) => db.selectFrom('locales').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
const publicOf = (id: string) =>
  work((db) => db.selectFrom('public_locales').selectAll().where('id', '=', id).executeTakeFirst())
const auditOf = (id: string) =>
  work((db) => db.selectFrom('audit_log').selectAll().where('subject_id', '=', id).orderBy('id').execute())

/** Every request for one locale, with the messages and corrections about it. */
async function everything(id: string) {
  const { version } = (await find(id)).locale
  return [
    ['GET', `/my-churches/${id}`],
    ['POST', `/my-churches/${id}/confirm`],
    ['PUT', `/my-churches/${id}/closure`, { closed_since: '2026-11-01' }],
    ['DELETE', `/my-churches/${id}/closure`],
    ['PUT', `/my-churches/${id}/services`, { version, phone: '+1', schedules: [] }],
    ['POST', `/my-churches/corrections/${await correction(id)}/apply`, {}],
    ['POST', `/my-churches/corrections/${await correction(id)}/decline`, { note: 'No' }],
    ['POST', `/my-churches/messages/${await message(id)}/answered`],
  ] as [string, string, object?][]
}

test('users who look after a locale see it and have full access to it', async () => {
  for (const who of MAY) {
    const id = await locale()
    expect(
      (await list('', users[who])).locales.map((row) => row.id),
      who,
    ).toContain(id)
    for (const [method, path, body] of await everything(id)) {
      const version = path.endsWith('/services') ? { version: (await find(id)).locale.version } : {}
      const { status } = await ask(method, path, users[who], body && { ...body, ...version })
      expect(status, `${who} ${method} ${path}`).toBe(200)
    }
  }
})

test('coordinators of other countries and chapters and servants of other locales find nothing and change nothing', async () => {
  const id = await locale()
  const all = await everything(id)
  const before = [await rowOf(id), await publicOf(id)]
  for (const who of MAY_NOT) {
    const seen = await list('', users[who])
    expect([seen.locales, seen.counts], who).toEqual([[], { all: 0, due: 0, closed: 0, corrections: 0, messages: 0 }])
    expect((await ask('GET', '/my-churches/corrections', users[who])).body.corrections, who).toEqual([])
    expect((await ask('GET', '/my-churches/messages', users[who])).body.messages, who).toEqual([])
    for (const [method, path, body] of all)
      expect((await ask(method, path, users[who], body)).status, `${who} ${method} ${path}`).toBe(404)
  }
  expect([await rowOf(id), await publicOf(id)]).toEqual(before)
})

test('everyone else is rejected by the router', async () => {
  const id = await locale()
  const others = [
    ['', 401],
    [users.traveler, 403],
    [`pdos_coordinator ${randomUUID()}`, 403],
    [`member ${randomUUID()}`, 403],
    [`coordinator ${randomUUID()}`, 403],
  ] as const
  const all = [
    ...(await everything(id)),
    ['GET', '/my-churches'],
    ['GET', '/my-churches/corrections'],
    ['GET', '/my-churches/messages'],
  ]
  for (const [as, status] of others)
    for (const [method, path, body] of all as [string, string, object?][])
      expect((await ask(method, path, as, body)).status, `${as} ${method} ${path}`).toBe(status)
})

test('the database itself hides messages and corrections from users who do not look after the locale', async () => {
  const id = await locale()
  await correction(id)
  await message(id)
  const seenBy = (claims: Claims) =>
    withClaims(database, claims, async (db) => [
      await db.selectFrom('locale_corrections').select('id').where('locale_id', '=', id).execute(),
      await db.selectFrom('locale_messages').select('id').where('locale_id', '=', id).execute(),
      await db
        .updateTable('locale_messages')
        .set({ status: 'answered', answered_at: new Date() })
        .where('locale_id', '=', id)
        .returning('id')
        .execute(),
      await db.updateTable('locales').set({ phone: '+666' }).where('id', '=', id).returning('id').execute(),
    ])
  const user = (as: string): Claims => {
    const [role, userId, countries, chapters] = as.split(' ')
    const listOf = (text: string | undefined) => (text && text !== '-' ? text.split(',') : null)
    return {
      as: 'user',
      userId: userId!,
      role: role as Role,
      scope: { countries: listOf(countries), chapters: listOf(chapters) },
    }
  }
  for (const who of [...MAY_NOT, 'traveler'] as const)
    expect(await seenBy(user(users[who])), who).toEqual([[], [], [], []])
  await expect(seenBy({ as: 'anonymous' })).rejects.toThrow('permission denied')
  expect((await seenBy(user(users.servant))).map((rows) => rows.length)).toEqual([1, 1, 1, 1])
})

test('a servant’s save publishes the whole locale, including what the servant may not read', async () => {
  const id = await locale()
  await ask('POST', `/my-churches/${id}/confirm`, users.servant)
  expect(await publicOf(id)).toMatchObject({ chapter_name: 'Kanto', confirmed_as: 'local_servant' })
  await work((db) =>
    db.insertInto('country_discretion').values({ country_code: 'LA', discreet_mode: 'contact_only' }).execute(),
  )
  const discreet = await locale({ country_code: 'LA' })
  await ask('PUT', `/my-churches/${discreet}/closure`, users.servant, { closed_since: '2026-11-01' })
  expect(await publicOf(discreet)).toMatchObject({ discreet_mode: 'contact_only', city: null, closed_since: null })
})

test('a locale is closed and reopened in one step each, and visitors see it at once', async () => {
  const id = await locale()
  const closure = { closed_since: '2026-11-01', closed_until: '2026-12-24', closed_reason: 'Repairs' }
  expect((await ask('PUT', `/my-churches/${id}/closure`, users.servant, closure)).status).toBe(200)
  expect((await ask('GET', `/public/locales/${id}`, '')).body.locale).toMatchObject(closure)
  await ask('DELETE', `/my-churches/${id}/closure`, users.servant)
  expect((await ask('GET', `/public/locales/${id}`, '')).body.locale).toMatchObject({
    closed_since: null,
    closed_reason: null,
  })
  expect((await auditOf(id)).map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['locale.close', ownId],
    ['locale.reopen', ownId],
  ])
  const backwards = await ask('PUT', `/my-churches/${id}/closure`, users.servant, {
    ...closure,
    closed_until: '2026-10-01',
  })
  expect(backwards.body.fields).toEqual({ closed_until: 'End must be after start' })
})

test('services are changed, added and left out; their ids stay, and the audit log has both states', async () => {
  const id = await locale()
  const { locale: was } = await find(id)
  const scheduleId = was.schedules[0]!.id
  const schedules = [
    { day_of_week: 3, time: '19:30', end_time: '21:00', service_type: 'prayer_meeting', title: 'Midweek' },
    { id: scheduleId, day_of_week: 0, time: '09:00', service_type: 'worship_service' },
    { recurrence: 'freq=monthly;byday=-1sa', starts_on: '2026-01-01', time: '08:00', service_type: 'thanksgiving' },
  ]
  const save = (body: object) => ask('PUT', `/my-churches/${id}/services`, users.servant, body)
  expect((await save({ version: was.version, phone: '+81 3 9', schedules })).status).toBe(200)
  const { locale: is } = await find(id)
  expect(is.schedules.map(({ time, recurrence }) => [time, recurrence])).toEqual([
    ['19:30', null],
    ['09:00', null],
    ['08:00', 'FREQ=MONTHLY;BYDAY=-1SA'],
  ])
  expect(is.schedules[1]!.id).toBe(scheduleId)
  expect(await publicOf(id)).toMatchObject({ phone: '+81 3 9', schedules: is.schedules })
  expect((await auditOf(id)).at(-1)).toMatchObject({
    action: 'locale.services',
    before: { phone: '+81 3 1111' },
    after: { phone: '+81 3 9' },
  })
  const late = await save({ version: was.version, phone: '', schedules: [] })
  expect([late.status, late.body.code]).toEqual([409, 'stale'])
  const version = is.version
  for (const [schedule, field] of [
    [{ day_of_week: 0, recurrence: 'FREQ=WEEKLY', starts_on: '2026-01-01' }, 'recurrence'],
    [{}, 'day_of_week'],
    [{ recurrence: 'FREQ=HOURLY', starts_on: '2026-01-01' }, 'recurrence'],
    [{ recurrence: 'FREQ=WEEKLY' }, 'starts_on'],
    [{ day_of_week: 0, time: '25:00' }, 'time'],
    [{ day_of_week: 0, starts_on: '2026-02-01', ends_on: '2026-01-01' }, 'ends_on'],
  ] as const) {
    const wrong = { time: '10:00', service_type: 'other', ...schedule }
    const { status, body } = await save({ version, schedules: [wrong] })
    expect([status, Object.keys(body.fields ?? {})], JSON.stringify(wrong)).toEqual([422, [`schedules.0.${field}`]])
  }
  expect((await find(id)).locale.version).toBe(version)
})

test('the services of another locale cannot be taken over by their ids', async () => {
  const [id, other] = [await locale(), await locale()]
  const foreign = (await find(other)).locale.schedules[0]!.id
  const schedule = { id: foreign, day_of_week: 1, time: '07:00', service_type: 'other' }
  const { version } = (await find(id)).locale
  await ask('PUT', `/my-churches/${id}/services`, users.servant, { version, schedules: [schedule] })
  expect((await find(other)).locale.schedules).toMatchObject([{ id: foreign, time: '10:00' }])
  expect((await find(id)).locale.schedules).toMatchObject([{ time: '07:00' }])
})

test('a correction shows old and new values, and is applied in full, in part, or not at all', async () => {
  const id = await locale({ website: 'https://old.example' })
  const first = await correction(id, { phone: '+81 3 2222', website: '' })
  expect((await find(id)).corrections).toMatchObject([
    {
      id: first,
      changes: [
        { field: 'phone', old: '+81 3 1111', new: '+81 3 2222' },
        { field: 'website', old: 'https://old.example', new: null },
      ],
    },
  ])
  const applied = await ask('POST', `/my-churches/corrections/${first}/apply`, users.servant, { fields: ['phone'] })
  expect(applied.body.applied).toEqual(['phone'])
  expect(await rowOf(id)).toMatchObject({ phone: '+81 3 2222', website: 'https://old.example' })
  expect(await publicOf(id)).toMatchObject({ phone: '+81 3 2222' })
  expect((await auditOf(id)).at(-1)).toMatchObject({
    action: 'locale.correct',
    before: { phone: '+81 3 1111' },
    after: { phone: '+81 3 2222', correction: first },
  })
  expect((await ask('POST', `/my-churches/corrections/${first}/apply`, users.admin, {})).body.code).toBe('decided')
  const second = await correction(id, { name: 'Nonsense' })
  expect((await ask('POST', `/my-churches/corrections/${second}/decline`, users.servant, { note: ' ' })).status).toBe(
    422,
  )
  await ask('POST', `/my-churches/corrections/${second}/decline`, users.servant, { note: 'Not so' })
  expect((await rowOf(id)).name).not.toBe('Nonsense')
  expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'locale.decline', reason: 'Not so' })
  expect((await find(id)).corrections).toEqual([])
})

test('messages are listed oldest first until answered, which is idempotent', async () => {
  const id = await locale()
  const [first, second] = [await message(id), await message(id)]
  expect((await find(id)).messages.map((row) => row.id)).toEqual([first, second])
  await ask('POST', `/my-churches/messages/${first}/answered`, users.servant)
  await ask('POST', `/my-churches/messages/${first}/answered`, users.admin)
  expect((await find(id)).messages.map((row) => row.id)).toEqual([second])
  const audited = (await auditOf(id)).filter(({ action }) => action === 'locale.answer')
  expect(audited).toHaveLength(1)
  expect(JSON.stringify(audited)).not.toContain('ben@example.org')
})

test('the list starts with unconfirmed locales, and is filtered by due, closed or pending', async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  const mark = `Mark${randomUUID().slice(0, 6)}`
  const make = (name: string, values: Partial<Insertable<LocalesTable>>) =>
    locale({ name: `${mark} ${name}`, ...values })
  await make('fresh', { confirmed_at: ago(1) })
  await make('due', { confirmed_at: ago(100) })
  await make('stale', { confirmed_at: ago(130) })
  await make('new', {})
  await make('old', { created_at: ago(130) })
  await make('hidden', { confirmed_at: ago(500), discreet_mode: 'hidden' })
  await make('closed', { confirmed_at: ago(2), closed_since: '2020-01-01' })
  await make('open again', { confirmed_at: ago(3), closed_since: '2020-01-01', closed_until: '2020-02-01' })
  const waiting = await make('waiting', { confirmed_at: ago(4) })
  await correction(waiting)
  const seen = async (query = '') =>
    (await list(`?search=${mark}${query}`)).locales.map(
      ({ name, freshness }) => `${name.slice(mark.length + 1)}: ${freshness}`,
    )
  expect(await seen()).toEqual([
    'new: fresh',
    'old: stale',
    'stale: stale',
    'due: due',
    'waiting: fresh',
    'open again: fresh',
    'closed: fresh',
    'fresh: fresh',
    'hidden: unpublished',
  ])
  expect((await seen('&status=due')).sort()).toEqual(['due: due', 'old: stale', 'stale: stale'])
  expect(await seen('&status=closed')).toEqual(['closed: fresh'])
  expect(await seen('&status=waiting')).toEqual(['waiting: fresh'])
  expect((await list('?search=%25')).total).toBe(0)
})

test('who looks after a locale can ask its servants by email to confirm it, a few times a day', async () => {
  const id = await locale()
  const { email } = await work((db) =>
    db.selectFrom('user_profiles').select('email').where('id', '=', ownId).executeTakeFirstOrThrow(),
  )
  expect((await ask('POST', `/my-churches/${id}/ask`, users.here)).body.asked).toBe(1)
  const mails = await work((db) =>
    db.selectFrom('messages').selectAll().where('template', '=', 'locale-confirm').execute(),
  )
  expect(mails).toMatchObject([{ recipient: email, is_secret: true }])
  const token = /confirm\/([\w-]+)/.exec(mails[0]!.body_text!)![1]
  expect((await ask('POST', `/public/locale-confirmations/${token}`, '')).status).toBe(200)
  expect(await rowOf(id)).toMatchObject({ confirmed_as: 'local_servant', confirmed_by: ownId })
  for (let at = 0; at < 4; at++) await ask('POST', `/my-churches/${id}/ask`, users.here)
  expect((await ask('POST', `/my-churches/${id}/ask`, users.here)).status).toBe(429)
  for (const who of MAY_NOT) expect((await ask('POST', `/my-churches/${id}/ask`, users[who])).status, who).toBe(404)
  const hidden = await locale({ discreet_mode: 'hidden' })
  expect((await ask('POST', `/my-churches/${hidden}/ask`, users.admin)).body.asked).toBe(0)
})
