import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Claims, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { createTestUser } from '#server/testing/users.ts'
import { ROLES } from '#shared/roles.ts'
import { churchAdministration } from './testing.ts'

const { database, ask, create, publicOf, audits, admin, inside } = await churchAdministration()
const second = await createTestUser(database, 'admin', { display_name: 'Sam Second' })
const third = await createTestUser(database, 'admin')

beforeEach(() =>
  inside(async (db) => {
    await sql`select set_config('portal.loosening', 'confirmed', true)`.execute(db)
    await db.deleteFrom('discretion_requests').execute()
    await db.updateTable('country_discretion').set({ discreet_mode: 'hidden' }).execute()
    // Applied like any confirmed change: the country requires a second administrator.
    for (const { country_code } of await db.selectFrom('country_discretion').select('country_code').execute())
      await loosenAs(db, country_code)
    await db.deleteFrom('locales').execute()
  }),
)

/** Applies a change as an approved request would, for test set-up. */
async function loosenAs(db: Db, country_code: string) {
  const { id } = await db
    .insertInto('discretion_requests')
    .values({
      country_code,
      locale_id: null,
      discreet_mode: null,
      reason: 'test',
      locales: 0,
      status: 'approved',
      requested_by: admin.id,
      requested_at: new Date(),
      expires_at: new Date(),
      decided_by: second.id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`select set_config('portal.loosening', ${id}, true)`.execute(db)
  await db.deleteFrom('country_discretion').where('country_code', '=', country_code).execute()
  await db.deleteFrom('discretion_requests').where('id', '=', id).execute()
}

const set = (body: object, as = admin.as) => ask('PUT', '/locales/discretion', body, as)
const decide = (id: string, decision: string, as: string | null = second.as) =>
  ask('POST', `/locales/discretion/requests/${id}`, { decision }, as)
const requests = async (as = admin.as) => (await ask('GET', '/locales/discretion', undefined, as)).body.requests
const loosen = { country_code: 'SA', discreet_mode: null, reason: 'The law has changed', confirm: 'Saudi Arabia' }

/** A country with churches, hidden with one request. */
async function hidden(count: number, more: object = {}) {
  const made = []
  for (let at = 0; at < count; at++) made.push(await create({ country_code: 'SA', city: 'Riyadh' }))
  expect((await set({ country_code: 'SA', discreet_mode: 'hidden', ...more })).status).toBe(200)
  for (const { id } of made) expect(await publicOf(id)).toBeUndefined()
  return made
}
const shown = async (made: { id: string }[]) =>
  (await Promise.all(made.map(({ id }) => publicOf(id)))).filter((row) => row !== undefined).length
async function requestApproval(count = 3) {
  const made = await hidden(count)
  const { body } = await set(loosen)
  return { made, id: body.request_id as string }
}

describe('showing more', () => {
  test('takes more than one click: without a reason and the typed name nothing is published', async () => {
    const made = await hidden(3)
    for (const [body, fields] of [
      [{ country_code: 'SA', discreet_mode: null }, ['reason', 'confirm']],
      [{ ...loosen, confirm: 'Yemen' }, ['confirm']],
      [{ ...loosen, confirm: '4' }, ['confirm']],
      [{ ...loosen, confirm: '' }, ['confirm']],
      [{ ...loosen, reason: '  ' }, ['reason']],
      [{ ...loosen, discreet_mode: 'contact_only', confirm: 'no' }, ['confirm']],
    ] as const) {
      const answer = await set(body)
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, fields])
    }
    expect(await shown(made)).toBe(0)
    expect(await requests()).toEqual([])
  })

  test('first shows what it would publish', async () => {
    await hidden(3)
    const consequences = (query: string) => ask('GET', `/locales/discretion/consequences?${query}`)
    expect((await consequences('country_code=SA')).body).toMatchObject({
      is_loosening: true,
      locales: 3,
      whole: 3,
      needs_second: true,
    })
    expect((await consequences('country_code=SA&discreet_mode=approximate')).body).toMatchObject({
      locales: 3,
      whole: 0,
    })
    expect((await consequences('country_code=YE&discreet_mode=hidden')).body).toMatchObject({ is_loosening: false })
    expect((await consequences('country_code=XX')).status).toBe(422)
  })

  test.each(['Saudi Arabia', 'المملكة العربية السعودية', 'saudi arabia', '2'])(
    'waits for a second administrator, confirmed by %s',
    async (confirm) => {
      const made = await hidden(2)
      const { status, body } = await set({ ...loosen, confirm })
      expect([status, body.locales]).toEqual([200, 0])
      expect(await shown(made)).toBe(0)
      expect(await requests(second.as)).toMatchObject([
        { id: body.request_id, locales: 2, reason: 'The law has changed', requested_by: 'Ada Admin', is_own: false },
      ])
      const belled = await inside((db) =>
        db
          .selectFrom('notifications')
          .select('user_id')
          .where('event_key', 'like', `discretion ${body.request_id}%`)
          .execute(),
      )
      expect(belled.map(({ user_id }) => user_id).toSorted()).toEqual([second.id, third.id].toSorted())
      expect((await decide(body.request_id, 'approve')).body).toMatchObject({ locales: 2 })
      expect(await shown(made)).toBe(2)
      expect((await audits('SA')).at(-1)).toMatchObject({
        action: 'country.discretion',
        actor_id: second.id,
        reason: 'The law has changed',
        after: { discreet_mode: null, requested_by: admin.id },
      })
      expect(await requests()).toEqual([])
    },
  )

  test('cannot be approved by an account that the requester has just made an administrator, nor by a new one', async () => {
    const { id } = await requestApproval()
    const appointedBy = async (actor_id: string | null, ago: string) => {
      const made = await createTestUser(database, 'admin')
      await inside((db) =>
        sql`insert into audit_log (at, actor_id, actor_role, action, subject_type, subject_id, after)
          values (now() - ${ago}::interval, ${actor_id}, 'admin', 'user.role', 'user', ${made.id}, '{"role": "admin"}')`.execute(
          db,
        ),
      )
      return made
    }
    const approvedBy = async (by: { as: string }) => (await decide(id, 'approve', by.as)).body
    expect(await approvedBy(await appointedBy(admin.id, '20 days'))).toMatchObject({ code: 'not_independent' })
    expect(await approvedBy(await appointedBy(null, '2 hours'))).toMatchObject({ code: 'not_independent' })
    expect((await decide(id, 'approve', (await appointedBy(third.id, '3 days')).as)).status).toBe(200)
  })

  test('cannot be approved by the requester, nor by anyone but another administrator', async () => {
    const { made, id } = await requestApproval()
    expect((await decide(id, 'approve', admin.as)).body).toMatchObject({ code: 'own_request' })
    expect((await decide(id, 'approve', null)).status).toBe(401)
    for (const role of ROLES.filter((roleName) => roleName !== 'admin'))
      expect((await decide(id, 'approve', (await createTestUser(database, role)).as)).status).toBe(403)
    expect((await decide(randomUUID(), 'approve')).status).toBe(404)
    expect(await shown(made)).toBe(0)
  })

  test('two simultaneous approvals count as one', async () => {
    const { made, id } = await requestApproval()
    const answers = await Promise.all([decide(id, 'approve', second.as), decide(id, 'approve', third.as)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await shown(made)).toBe(3)
    const auditEntries = await audits('SA')
    expect(auditEntries.filter(({ after }) => (after as any)?.request_id === id)).toHaveLength(1)
  })

  test('is rejected when the affected churches changed since the request', async () => {
    const { made, id } = await requestApproval()
    await create({ country_code: 'SA' })
    expect((await decide(id, 'approve')).body).toMatchObject({ code: 'count_changed' })
    expect(await shown(made)).toBe(0)
    expect((await decide(id, 'decline')).status).toBe(200)
    expect(await requests()).toEqual([])
  })

  test('expires after seven days, and is closed when withdrawn', async () => {
    const { id } = await requestApproval(1)
    await inside((db) =>
      db
        .updateTable('discretion_requests')
        .set({ expires_at: new Date(Date.now() - 1) })
        .where('id', '=', id)
        .execute(),
    )
    expect((await decide(id, 'approve')).body).toMatchObject({ code: 'request_over' })
    const again = (await set({ ...loosen, confirm: '1' })).body.request_id
    expect(again).toEqual(expect.any(String))
    expect((await set(loosen)).body).toMatchObject({ code: 'request_pending' })
    expect((await decide(again, 'withdraw', admin.as)).status).toBe(200)
    expect((await decide(again, 'approve')).body).toMatchObject({ code: 'request_over' })
  })

  test('ignores an administrator whose role was revoked in the meantime', async () => {
    const made = await hidden(2)
    const gone = await createTestUser(database, 'admin')
    const { body } = await set({ ...loosen, confirm: '2' }, gone.as)
    for (const profile of [{ role: 'traveler' }, { role: 'admin', profile_status: 'suspended' }] as const) {
      await inside((db) => db.updateTable('user_profiles').set(profile).where('id', '=', gone.id).execute())
      expect((await decide(body.request_id, 'approve')).body).toMatchObject({ code: 'requester_gone' })
    }
    expect(await shown(made)).toBe(0)
  })

  test('is confirmed by a single administrator where the country allows it, and allowing it takes a second one', async () => {
    const made = await hidden(2, { needs_second: false })
    expect((await set({ ...loosen, confirm: '2' })).body).toMatchObject({ locales: 2, request_id: null })
    expect(await shown(made)).toBe(2)
    await set({ country_code: 'SA', discreet_mode: 'hidden', needs_second: true })
    const off = { country_code: 'SA', discreet_mode: 'hidden', needs_second: false }
    expect((await set(off)).status).toBe(422)
    const { body } = await set({ ...off, reason: 'Only one of us', confirm: 'Saudi Arabia' })
    expect(body.request_id).toEqual(expect.any(String))
    expect(await shown(made)).toBe(0)
  })

  test('for one church is the same: rejected in its form, pending as a request', async () => {
    const [church] = await hidden(1)
    const { updated_at } = (await ask('GET', `/locales/${church!.id}`)).body.locale
    const form = (fields: object) => ask('PUT', `/locales/${church!.id}`, { ...fields, made_from: updated_at })
    for (const fields of [{ discreet_mode: 'exact' }, { country_code: 'KE' }])
      expect(await form(fields)).toMatchObject({ status: 409, body: { code: 'discretion_loosening' } })
    expect(
      (await ask('POST', '/locales', { name: 'New', country_code: 'SA', discreet_mode: 'exact' })).body,
    ).toMatchObject({
      code: 'discretion_loosening',
    })
    const target = { locale_id: church!.id, discreet_mode: 'approximate', reason: 'They ask for it' }
    expect((await set(target)).status).toBe(422)
    const { body } = await set({ ...target, confirm: 'Saudi Arabia' })
    expect(await publicOf(church!.id)).toBeUndefined()
    expect(await requests(second.as)).toMatchObject([{ locale_name: church!.name, locales: 1 }])
    expect((await decide(body.request_id, 'approve')).body).toMatchObject({ locales: 1 })
    expect(await publicOf(church!.id)).toMatchObject({ discreet_mode: 'approximate' })
    expect((await audits(church!.id)).at(-1)).toMatchObject({ action: 'locale.discretion', reason: 'They ask for it' })
  })
})

test('showing less takes effect at once, for a country and for one church', async () => {
  const made = await hidden(1)
  expect(await shown(made)).toBe(0)
  const church = await create({ country_code: 'KE' })
  expect((await set({ locale_id: church.id, discreet_mode: 'hidden' })).body).toMatchObject({
    locales: 1,
    request_id: null,
  })
  expect(await publicOf(church.id)).toBeUndefined()
  // In a country without a rule one administrator confirms.
  expect(
    (await set({ locale_id: church.id, discreet_mode: null, reason: 'Safe again', confirm: 'Kenya' })).status,
  ).toBe(200)
  expect(await publicOf(church.id)).toMatchObject({ discreet_mode: 'exact' })
})

describe("without the server's checks the database rejects", () => {
  const claims = (who = admin): Claims => ({ as: 'user', userId: who.id, role: 'admin' })
  const refused = { code: 'MFA31' }

  test('every change that shows more', async () => {
    const [church] = await hidden(1)
    const writes: ((db: Db) => Promise<unknown>)[] = [
      (db: Db) => db.deleteFrom('country_discretion').where('country_code', '=', 'SA').execute(),
      (db: Db) => db.updateTable('country_discretion').set({ discreet_mode: 'approximate' }).execute(),
      (db: Db) => db.updateTable('country_discretion').set({ country_code: 'YE' }).execute(),
      (db: Db) => db.updateTable('country_discretion').set({ needs_second: false }).execute(),
      (db: Db) => db.updateTable('locales').set({ discreet_mode: 'exact' }).where('id', '=', church!.id).execute(),
      (db: Db) => db.updateTable('locales').set({ country_code: 'KE' }).where('id', '=', church!.id).execute(),
      (db: Db) => db.insertInto('locales').values({ name: 'x', country_code: 'SA', discreet_mode: 'exact' }).execute(),
    ]
    for (const write of writes) {
      await expect(withClaims(database, claims(), write)).rejects.toMatchObject(refused)
      await expect(inside(write)).rejects.toMatchObject(refused)
      // Confirmed by a single administrator, where the country requires two.
      await expect(
        inside(async (db) => {
          await sql`select set_config('portal.loosening', 'confirmed', true)`.execute(db)
          return write(db)
        }),
      ).rejects.toMatchObject(refused)
    }
  })

  test('an approval of one’s own request, and requests in another name', async () => {
    const { id } = await requestApproval(1)
    const approve = (db: Db, decided_by: string) =>
      db.updateTable('discretion_requests').set({ status: 'approved', decided_by }).where('id', '=', id).execute()
    for (const by of [admin.id, second.id])
      await expect(withClaims(database, claims(), (db) => approve(db, by))).rejects.toMatchObject({ code: '42501' })
    await expect(
      withClaims(database, claims(), (db) =>
        db
          .insertInto('discretion_requests')
          .values({
            country_code: 'YE',
            locale_id: null,
            discreet_mode: null,
            reason: 'x',
            locales: 0,
            requested_by: second.id,
            requested_at: new Date(),
            expires_at: new Date(),
            decided_by: null,
          })
          .execute(),
      ),
    ).rejects.toMatchObject({ code: '42501' })
    for (const role of ROLES.filter((roleName) => roleName !== 'admin')) {
      const rows = await withClaims(database, { as: 'user', userId: randomUUID(), role }, (db) =>
        db.selectFrom('discretion_requests').select('id').execute(),
      )
      expect([role, rows]).toEqual([role, []])
    }
  })
})
