import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { LocalesTable } from '#server/db/tables-churches.ts'
import { createLog } from '#server/log.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createTestUser } from '#server/testing/users.ts'
import { createConfirmLinks } from './confirm-link.ts'
import { askForConfirmation } from './confirmation-requests.ts'
import { countryNames } from './deps.ts'
import { checkProjection, projectMissing } from './jobs.ts'
import { projectLocales } from './projection.ts'
import { pruneVisitors } from './visitors.ts'

const SECRET = 'a secret that only tests may know of'
const database = await testDatabase()
const app = await testApp(database)
const log = createLog('silent')
const names = countryNames(createCountries())
const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'test', run)

/** Every field of the locale that its mode may hide is marked, so that it can be searched for. */
async function locale(
  values: Partial<Insertable<LocalesTable>> = {},
  servants: { name?: string; email?: string | null; user_id?: string; role?: string }[] = [{}],
) {
  return work(async (db) => {
    const { id } = await db
      .insertInto('locales')
      .values({
        name: 'SECRETNAME Shinjuku',
        address_line1: 'SECRETSTREET 1',
        local_address: 'SECRETLOCAL',
        city: 'Tokyo',
        country_code: 'JP',
        latitude: 35.689712,
        longitude: 139.692234,
        timezone: 'Asia/Tokyo',
        phone: '+81SECRETPHONE',
        ...values,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [position, servant] of servants.entries())
      await db
        .insertInto('locale_servants')
        .values({ locale_id: id, name: 'SECRETSERVANT', email: 'secretservant@example.org', position, ...servant })
        .execute()
    await db
      .insertInto('locale_schedules')
      .values({
        locale_id: id,
        day_of_week: 0,
        start_time: '10:00',
        service_type: 'worship_service',
        title: 'SECRETTITLE',
      })
      .execute()
    await projectLocales(db, [id], names)
    return id
  })
}

async function ask(method: string, path: string, body?: object) {
  const response = await app.request(path.startsWith('/church') ? path : `/api${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  })
  const text = await response.text()
  return {
    status: response.status,
    text,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
  }
}
const QUESTION = { kind: 'question', sender_name: 'Ben', sender_contact: 'ben@example.org', message: 'When?\nWhere?' }
const write = (id: string, body: object = {}) => ask('POST', `/public/locales/${id}/messages`, { ...QUESTION, ...body })
const correct = (id: string, body: object) =>
  ask('POST', `/public/locales/${id}/corrections`, { kind: 'wrong', ...body })
const mails = () => work((db) => db.selectFrom('messages').selectAll().orderBy('created_at').execute())
const rowOf = (id: string) =>
  work((db) => db.selectFrom('locales').selectAll().where('id', '=', id).executeTakeFirstOrThrow())

beforeEach(async () => {
  // Background work of the previous test may still hold one of them.
  await vi.waitFor(
    () =>
      sql`truncate messages, rate_limits, locales, country_discretion, mfa_local_chapters, user_profiles cascade`.execute(
        database.background.kysely,
      ),
    { timeout: 10_000 },
  )
})

test('a question goes to every servant of the locale, replies go to the visitor, and no address reaches the visitor', async () => {
  const id = await locale({}, [
    { email: 'one@example.org' },
    { email: 'two@example.org' },
    { email: 'one@example.org' },
    { email: null },
  ])
  const answer = await write(id)
  expect(answer).toMatchObject({ status: 201, body: { success: true, received: true } })
  expect(answer.text).not.toMatch(/example\.org|SECRET/)
  const sent = await mails()
  expect(sent.map(({ recipient }) => recipient).sort()).toEqual(['one@example.org', 'two@example.org'])
  for (const mail of sent) {
    expect(mail).toMatchObject({ reply_to: 'ben@example.org', template: 'locale-question' })
    expect(mail.body_text).toContain('When?\n\nWhere?')
  }
  const rows = await work((db) => db.selectFrom('locale_messages').selectAll().execute())
  expect(rows).toMatchObject([
    { kind: 'question', recipient_count: 2, status: 'open', sender_contact: 'ben@example.org' },
  ])
})

test('an arrival states the day, and one with a telephone number only has no reply address', async () => {
  const id = await locale()
  const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  await write(id, {
    kind: 'arrival',
    arrives_on: day,
    sender_contact: '+63 917 123 4567',
    message: '',
    language: 'Tagalog',
  })
  const [mail] = await mails()
  expect(mail).toMatchObject({ template: 'locale-arrival', reply_to: null })
  expect(mail!.body_text).toContain('Tagalog')
  expect(mail!.body_text).toContain('We do not read replies')
})

test('where no servant can be reached, the coordinator of the chapter, then of the country, then the admin is notified', async () => {
  const admin = await createTestUser(database, 'admin')
  const id = await locale({}, [{ email: null }])
  await write(id)
  expect((await mails()).map(({ recipient }) => recipient)).toEqual([admin.email])
  await createTestUser(database, 'mfa_coordinator', { scope_countries: ['QA'] })
  await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'], profile_status: 'suspended' })
  const there = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
  await write(id)
  expect((await mails()).at(-1)!.recipient).toBe(there.email)
  const own = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['QA'] })
  await work(async (db) => {
    const chapter = await db
      .insertInto('mfa_local_chapters')
      .values({ chapter_name: 'Kanto', coordinator_id: own.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.updateTable('locales').set({ chapter_id: chapter.id }).where('id', '=', id).execute()
    await projectLocales(db, [id], names)
  })
  // A chapter's coordinator without access to the church is not told who wrote to it.
  await write(id)
  expect((await mails()).at(-1)!.recipient).toBe(there.email)
  await database.background.kysely
    .updateTable('user_profiles')
    .set({ scope_countries: ['QA', 'JP'] })
    .where('id', '=', own.id)
    .execute()
  await write(id)
  const all = await mails()
  expect(all).toHaveLength(4)
  expect(all.at(-1)!.recipient).toBe(own.email)
  expect(await work((db) => db.selectFrom('locale_messages').select('recipient_count').execute())).toEqual(
    Array(4).fill({ recipient_count: 0 }),
  )
})

test('invalid input is rejected with a hint', async () => {
  const id = await locale()
  for (const [body, field] of [
    [{ sender_contact: 'nobody' }, 'sender_contact'],
    [{ sender_name: ' ' }, 'sender_name'],
    [{ sender_name: 'Ben\nBcc: all@example.org' }, 'sender_name'],
    [{ sender_contact: 'ben@example.org\nBcc: all@example.org' }, 'sender_contact'],
    [{ message: '' }, 'message'],
    [{ kind: 'arrival' }, 'arrives_on'],
    [{ kind: 'arrival', arrives_on: '2020-01-01' }, 'arrives_on'],
    [{ kind: 'arrival', arrives_on: '2026-02-30' }, 'arrives_on'],
    [{ message: 'x'.repeat(2001) }, 'message'],
  ] as const) {
    const answer = await write(id, body)
    expect([answer.status, Object.keys(answer.body.fields as object)], JSON.stringify(body)).toEqual([422, [field]])
  }
  expect(await mails()).toEqual([])
})

test('a submission with the hidden field filled in is accepted and discarded', async () => {
  const id = await locale()
  expect((await write(id, { homepage: 'https://spam.example' })).status).toBe(201)
  expect((await correct(id, { message: 'x', homepage: 'https://spam.example' })).status).toBe(201)
  expect(await mails()).toEqual([])
  expect(await work((db) => db.selectFrom('locale_corrections').selectAll().execute())).toEqual([])
})

test('one address may write ten times an hour, and propose twenty corrections', async () => {
  const id = await locale()
  for (let at = 0; at < 10; at++) expect((await write(id)).status).toBe(201)
  expect((await write(id)).status).toBe(429)
  for (let at = 0; at < 20; at++) expect((await correct(id, { message: 'x' })).status).toBe(201)
  expect((await correct(id, { message: 'x' })).status).toBe(429)
})

test('a correction stays open, changes nothing, and stores only differing fields', async () => {
  const id = await locale()
  const proposed = { city: 'Tokyo', phone: '+81 3 1234', address_line1: '' }
  expect((await correct(id, { proposed, message: 'They moved', contact: 'ben@example.org' })).status).toBe(201)
  const [row] = await work((db) => db.selectFrom('locale_corrections').selectAll().execute())
  expect(row).toMatchObject({ kind: 'wrong', status: 'open', proposed: { phone: '+81 3 1234', address_line1: '' } })
  expect(await rowOf(id)).toMatchObject({ phone: '+81SECRETPHONE', address_line1: 'SECRETSTREET 1' })
  for (const body of [
    { proposed: { city: 'Tokyo' } },
    { proposed: { name: '' } },
    { proposed: { website: 'javascript:alert(1)' } },
    { proposed: { discreet_mode: 'exact' } },
    { kind: 'nonsense', message: 'x' },
  ])
    expect((await correct(id, body)).status, JSON.stringify(body)).toBe(422)
  expect((await correct(id, { kind: 'closed' })).status).toBe(201)
})

test('no response reveals more of a locale than its mode: not an email, a calendar, a feed nor a form', async () => {
  const modes = { approximate: /SECRET|35\.68|139\.69/, contact_only: /SECRET|Tokyo|35\.|139\./, hidden: /./ }
  for (const [discreet_mode, hidden] of Object.entries(modes)) {
    await sql`truncate messages, locales cascade`.execute(database.background.kysely)
    const id = await locale({ discreet_mode: discreet_mode as 'hidden' })
    await app.readModel.catchUp()
    const link = createConfirmLinks(SECRET).sign({ locale: id, contact: `s${await servantOf(id)}` }, new Date())
    const answers = [
      await write(id),
      await correct(id, { message: 'x' }),
      await correct(id, { proposed: { name: 'SOMETHING' } }),
      await ask('GET', `/church-locator/${id}/services.ics`),
      await ask('GET', `/public/locale-confirmations/${link}`),
      await ask('GET', `/public/locales/services?ids=${id}`),
    ]
    const feeds = [await ask('GET', '/churches/meeting-guide.json'), await ask('GET', '/churches/schema.org.json')]
    if (discreet_mode === 'hidden') {
      const unknown = randomUUID()
      const same = [
        await write(unknown),
        await correct(unknown, { message: 'x' }),
        await correct(unknown, { proposed: { name: 'SOMETHING' } }),
        await ask('GET', `/church-locator/${unknown}/services.ics`),
      ]
      expect(answers.slice(0, 4).map(({ status, text }) => [status, text])).toEqual(
        same.map(({ status, text }) => [status, text]),
      )
      expect(answers.slice(0, 5).every(({ status }) => status === 404)).toBe(true)
      expect(answers[5]!.body.services).toEqual({})
      for (const { text } of feeds) expect(text).not.toContain(id)
      expect(await mails()).toEqual([])
      continue
    }
    for (const { status, text } of [...answers, ...feeds]) {
      expect(status).toBeLessThan(300)
      expect(text).not.toMatch(hidden)
    }
    for (const { text } of feeds) expect(text).toContain(id)
    // The email goes to a servant, and stays in mailboxes: it has the public name.
    for (const mail of await mails())
      expect(mail.subject + mail.body_text).not.toMatch(/SECRET(NAME|STREET|LOCAL|PHONE)/)
  }
})

async function servantOf(id: string) {
  const row = await work((db) =>
    db.selectFrom('locale_servants').select('id').where('locale_id', '=', id).executeTakeFirstOrThrow(),
  )
  return row.id
}

const asking = () => askForConfirmation({ database, log, publicUrl: 'http://portal.test', secret: SECRET })
const longAgo = new Date(Date.now() - 100 * 86_400_000)
const linkIn = (text: string) => /confirm\/([\w-]+)/.exec(text)![1]!

test('servants of a locale not confirmed for 90 days are asked once in two weeks, and it stays public', async () => {
  const id = await locale({ confirmed_at: longAgo })
  await locale({ confirmed_at: new Date() })
  await locale({ confirmed_at: longAgo, is_public: false })
  await locale({ confirmed_at: longAgo, discreet_mode: 'hidden' })
  expect(await asking()).toBe(1)
  expect(await asking()).toBe(0)
  expect(await mails()).toMatchObject([
    { recipient: 'secretservant@example.org', template: 'locale-confirm', is_secret: true },
  ])
  expect(await work((db) => db.selectFrom('public_locales').select('id').where('id', '=', id).execute())).toHaveLength(
    1,
  )
  await work((db) =>
    db
      .updateTable('locales')
      .set({ confirmation_requested_at: new Date(Date.now() - 15 * 86_400_000) })
      .where('id', '=', id)
      .execute(),
  )
  await projectMissing({ database, log })
  expect(await asking()).toBe(1)
  expect(await mails()).toHaveLength(2)
})

test('concurrent runs ask once', async () => {
  for (let at = 0; at < 5; at++) await locale({ confirmed_at: longAgo })
  const counts = await Promise.all([asking(), asking()])
  expect(counts[0]! + counts[1]!).toBe(5)
  expect(await mails()).toHaveLength(5)
})

test('a coordinator of several locales gets one email that leads to the list; for one locale, the link', async () => {
  const there = await createTestUser(database, 'mfa_coordinator', { scope_countries: ['JP'] })
  for (let at = 0; at < 3; at++) await locale({ confirmed_at: longAgo }, [])
  await asking()
  expect(await mails()).toMatchObject([
    { recipient: there.email, template: 'locales-confirm', subject: expect.stringContaining('3') },
  ])
  await locale({ confirmed_at: longAgo }, [])
  await asking()
  expect((await mails()).at(-1)).toMatchObject({ recipient: there.email, template: 'locale-confirm' })
})

test('the link shows the public details and confirms them by its button, without signing in, repeatedly', async () => {
  const id = await locale({ confirmed_at: longAgo })
  await asking()
  const token = linkIn((await mails())[0]!.body_text!)
  const shown = await ask('GET', `/public/locale-confirmations/${token}`)
  expect(shown.body.locale).toMatchObject({ id, name: 'SECRETNAME Shinjuku', service_schedules: [{ time: '10:00' }] })
  // Mail scanners open every link.
  expect((await rowOf(id)).confirmed_at).toEqual(longAgo)
  const before = await rowOf(id)
  for (let at = 0; at < 2; at++) expect((await ask('POST', `/public/locale-confirmations/${token}`)).status).toBe(200)
  const after = await rowOf(id)
  expect(after.confirmed_as).toBe('local_servant')
  expect(after.confirmed_at!.valueOf()).toBeGreaterThan(Date.now() - 10_000)
  expect(after.updated_at.valueOf()).toBeGreaterThan(before.updated_at.valueOf())
  const audit = await work((db) =>
    db
      .selectFrom('audit_log')
      .selectAll()
      .where('subject_id', '=', id)
      .where('action', '=', 'locale.confirm')
      .execute(),
  )
  expect(audit).toHaveLength(1)
  const row = await work((db) => db.selectFrom('public_locales').selectAll().where('id', '=', id).executeTakeFirst())
  expect(row!.confirmed_at).toEqual(after.confirmed_at)
})

test('a link that is forged, expired, of another user, or of a former servant confirms nothing', async () => {
  const id = await locale({ confirmed_at: longAgo })
  const links = createConfirmLinks(SECRET)
  const contact = `s${await servantOf(id)}`
  const good = links.sign({ locale: id, contact }, new Date())
  const forged = createConfirmLinks('another secret').sign({ locale: id, contact }, new Date())
  const changed = `${good.slice(0, 5)}${good[5] === 'A' ? 'B' : 'A'}${good.slice(6)}`
  const over = links.sign({ locale: id, contact }, new Date(Date.now() - 31 * 86_400_000))
  const traveler = await createTestUser(database, 'traveler')
  const stranger = links.sign({ locale: id, contact: `u${traveler.id}` }, new Date())
  for (const [token, status] of [
    [forged, 404],
    [changed, 404],
    ['', 404],
    ['x', 404],
    [`${good}=`, 404],
    [over, 410],
    [stranger, 410],
  ] as const)
    for (const method of ['GET', 'POST'])
      expect((await ask(method, `/public/locale-confirmations/${token}`)).status, `${method} ${token}`).toBe(status)
  await work((db) => db.deleteFrom('locale_servants').where('locale_id', '=', id).execute())
  await projectMissing({ database, log })
  expect((await ask('POST', `/public/locale-confirmations/${good}`)).status).toBe(410)
  expect((await rowOf(id)).confirmed_at).toEqual(longAgo)
})

test('a manual change becomes visible within a minute, but nothing hidden does', async () => {
  const id = await locale()
  const hidden = await locale({ discreet_mode: 'hidden' })
  const inactive = await locale({ locale_status: 'inactive' })
  await work((db) => db.updateTable('locales').set({ phone: '+1' }).execute())
  expect(await work((db) => db.selectFrom('public_locales').select('id').execute())).toEqual([])
  expect(await projectMissing({ database, log })).toBe(1)
  expect(await projectMissing({ database, log })).toBe(0)
  expect(await work((db) => db.selectFrom('public_locales').select('id').execute())).toEqual([{ id }])
  for (const other of [hidden, inactive]) expect(other).not.toBe(id)
})

test('the nightly check finds outdated public rows, and rewrites only those', async () => {
  const [wrong, right] = [await locale(), await locale()]
  expect(await checkProjection({ database, log })).toBe(0)
  await work((db) =>
    db.updateTable('public_locales').set({ search_text: 'old way to fold' }).where('id', '=', wrong).execute(),
  )
  const before = await work((db) => db.selectFrom('public_version').select('version').executeTakeFirstOrThrow())
  expect(await checkProjection({ database, log })).toBe(1)
  const row = await work((db) =>
    db.selectFrom('public_locales').selectAll().where('id', '=', wrong).executeTakeFirstOrThrow(),
  )
  expect(row.search_text).toContain('secretname')
  const after = await work((db) =>
    db.selectFrom('public_changes').select('row_id').where('version', '>', before.version).execute(),
  )
  expect(after.map(({ row_id }) => row_id)).not.toContain(right)
})

test('visitors’ messages are deleted after their retention period', async () => {
  const id = await locale()
  await write(id)
  await write(id)
  await work((db) =>
    sql`update locale_messages set status = 'answered', answered_at = now() - interval '181 days'
      where id = (select id from locale_messages limit 1)`.execute(db),
  )
  await work(pruneVisitors)
  expect(await work((db) => db.selectFrom('locale_messages').select('status').execute())).toEqual([{ status: 'open' }])
})
