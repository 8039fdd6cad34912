import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { accountApp, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { signedIn } from './testing.ts'

const database = await testDatabase()
const app = await accountApp(database, {}, { needsSecondStep: false })

const grownOld = (profileId: string) =>
  sql`update auth_sessions s set created_at = now() - interval '16 minutes', confirmed_at = null
    from user_profiles p where p.auth_user_id = s.user_id and p.id = ${profileId}`.execute(database.background.kysely)

test('a user exports all data stored about them, without what would sign someone in', async () => {
  const [ana, ben] = [await signedIn(app, database), await signedIn(app, database)]
  await inBackground(database, 'test', async (db) => {
    const advisory = await insertAdvisory(db)
    const message = { channel: 'email' as const, template: 'welcome', subject: 'Hello' }
    for (const { id, email } of [ana, ben]) {
      await db
        .insertInto('advisory_acknowledgments')
        .values({ advisory_id: advisory.id, user_id: id, version: 1 })
        .execute()
      await db
        .insertInto('notifications')
        .values({ user_id: id, type: 'welcome', title: `For ${email}`, message: 'Hello' })
        .execute()
      for (const is_secret of [true, false])
        await db
          .insertInto('messages')
          .values({
            ...message,
            message_key: randomUUID(),
            recipient: email,
            user_id: id,
            is_secret,
            body_text: is_secret ? 'token=secret-link' : 'plain words',
          })
          .execute()
      await db
        .insertInto('notification_preferences')
        .values({ user_id: id, channels: '{}', quiet_from: '22:00', quiet_until: '06:00' })
        .execute()
      await db
        .insertInto('advisory_subscriptions')
        .values({ user_id: id, countries: ['PE'] })
        .execute()
      const push = { endpoint: `https://push.example/${id}`, p256dh: 'secret-key', auth: 'secret-auth' }
      await db
        .insertInto('push_subscriptions')
        .values({ user_id: id, user_agent: 'Firefox', ...push })
        .execute()
      await db
        .insertInto('stored_files')
        .values({
          bucket: 'avatars',
          owner_id: id,
          path: 'me.png',
          name: `${email}.png`,
          content_type: 'image/png',
          size: 1,
          sha256: 'x',
        })
        .execute()
    }
    const entry = { actor_role: 'admin', action: 'user.flag' as const, subject_type: 'user' }
    await db
      .insertInto('audit_log')
      .values([
        { ...entry, actor_id: ben.id, subject_id: ana.id, after: '{"is_flagged":true}', reason: 'About Ana' },
        { ...entry, actor_id: ana.id, subject_id: ben.id, after: '{"is_flagged":true}', reason: 'About Ben' },
      ])
      .execute()
  })
  const response = await ana.ask('GET', '/account/export')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="my-data-\d{4}-\d\d-\d\d\.json"$/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  const data = JSON.parse(text) as Record<string, never>
  expect(data).toMatchObject({
    lists_cut: [],
    profile: { id: ana.id, email: ana.email },
    person: { first_name: 'Anastasia' },
    sign_in: { email: ana.email },
    identities: [{ provider_id: 'credential' }],
    passkeys: [],
    sessions: [{ device: 'Firefox, Linux' }],
    notifications: [{ title: `For ${ana.email}` }],
    acknowledgments: [{ version: 1 }],
    notification_preferences: { user_id: ana.id, quiet_from: '22:00:00' },
    subscriptions: [{ countries: ['PE'] }],
    push_browsers: [{ user_agent: 'Firefox' }],
    files: [{ name: `${ana.email}.png` }],
    messages: expect.arrayContaining([
      expect.objectContaining({ is_secret: true, body_text: null }),
      expect.objectContaining({ body_text: 'plain words' }),
    ]),
    audit: [
      { action: 'account.export', is_by_you: true, is_about_you: true },
      { subject_id: ben.id, is_by_you: true, is_about_you: false },
      { reason: 'About Ana', after: { is_flagged: true }, is_by_you: false },
    ],
  })
  for (const secret of ['secret-link', '$argon2id', 'About Ben', ben.email, '"token"', 'secret-key', 'push.example'])
    expect(text).not.toContain(secret)
})

test('an older session needs the password first, and wrong ones are counted', async () => {
  const ana = await signedIn(app, database)
  await grownOld(ana.id)
  expect((await ana.fetchJson('GET', '/account/confirm')).answer).toMatchObject({ is_fresh: false, has_password: true })
  const unconfirmed = await ana.fetchJson('GET', '/account/export')
  expect([unconfirmed.status, unconfirmed.answer.code]).toEqual([403, 'confirm_first'])
  const wrong = await ana.fetchJson('POST', '/account/confirm', { current_password: 'seven purple' })
  expect([wrong.status, wrong.answer.fields]).toEqual([422, { current_password: 'The current password is wrong.' }])
  expect((await ana.fetchJson('GET', '/account/export')).status).toBe(403)
  expect((await ana.fetchJson('POST', '/account/confirm', { current_password: PASSWORD })).status).toBe(200)
  expect((await ana.fetchJson('GET', '/account/export')).status).toBe(200)
  expect((await ana.fetchJson('GET', '/account/confirm')).answer).toMatchObject({ is_fresh: true })
})

test('a user without a password signs in again', async () => {
  const ana = await signedIn(app, database)
  await grownOld(ana.id)
  await sql`delete from auth_accounts a using user_profiles p where p.auth_user_id = a.user_id and p.id = ${ana.id}`.execute(
    database.background.kysely,
  )
  for (const refused of [
    await ana.fetchJson('GET', '/account/export'),
    await ana.fetchJson('POST', '/account/confirm', { current_password: PASSWORD }),
    await ana.fetchJson('DELETE', '/account', { email: ana.email }),
  ])
    expect([refused.status, refused.answer.code]).toEqual([403, 'sign_in_again'])
})

test('the export is made at most ten times an hour', async () => {
  const ana = await signedIn(app, database)
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) statuses.push((await ana.ask('GET', '/account/export')).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
})

test('nobody else gets it', async () => {
  for (const [method, path] of [
    ['GET', '/account/export'],
    ['GET', '/account/confirm'],
  ] as const)
    expect((await app.request(`/api${path}`, { method })).status).toBe(401)
})
