import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { addMessages } from '#server/assistant/conversations/store.ts'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { keyOf, openStore } from '#server/files/store.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { accountApp, PASSWORD } from '#server/testing/accounts.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory } from '#server/testing/factory.ts'
import { signedIn } from './testing.ts'

const database = await testDatabase()
const folder = mkdtempSync(path.join(tmpdir(), 'portal-erasing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const files = await openStore({ files: undefined, dataDir: folder })
const app = await accountApp(database, { files }, { needsSecondStep: false })
type TestUser = Awaited<ReturnType<typeof signedIn>>

/** Finds a text in the whole database: every column of every table, read as text. */
async function placesOf(wanted: string): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select format('%I.%I', table_schema, table_name) as table from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
    database.background.kysely,
  )
  const found: string[] = []
  for (const { table } of rows) {
    const { rows: hits } = await sql`
      select from ${sql.raw(table)} t where position(${wanted} in lower(to_jsonb(t)::text)) > 0 limit 1`.execute(
      database.background.kysely,
    )
    if (hits.length > 0) found.push(table)
  }
  return found
}

/** Leaves data of a user in every place the portal writes to. */
async function useEverything(ana: TestUser) {
  const { answer } = await ana.fetchJson('GET', '/account/profile')
  await ana.fetchJson('PUT', '/account/profile', {
    updated_at: answer.updated_at,
    country_code: 'PH',
    countries: ['JP'],
    emergency_contact: { name: 'Unmistakable Brother', relation: 'Brother', phone: '+63 917 123 4567' },
  })
  await ana.fetchJson('POST', '/auth/recover', { email: ana.email })
  await ana.fetchJson('POST', '/auth/otp', { email: ana.email, kind: 'code' })
  await ana.fetchJson('POST', '/auth/otp', { email: ana.email, kind: 'link' })
  await expect
    .poll(() =>
      inBackground(database, 'test', (db) =>
        db.selectFrom('messages').select('id').where('recipient', '=', ana.email).execute(),
      ),
    )
    .toHaveLength(3)
  await inBackground(database, 'test', async (db) => {
    const advisory = await insertAdvisory(db)
    await db
      .insertInto('advisory_acknowledgments')
      .values({ advisory_id: advisory.id, user_id: ana.id, version: 1 })
      .execute()
    const notification = { type: 'account.new', message: 'Please look.' }
    await db
      .insertInto('notifications')
      .values([
        { ...notification, user_id: ana.id, title: 'Welcome, Anastasia Unmistakable' },
        {
          ...notification,
          recipient_role: 'admin',
          title: 'New: Anastasia Unmistakable',
          action_url: `/admin/users?user=${ana.id}`,
        },
      ])
      .execute()
    await db
      .insertInto('notification_preferences')
      .values({ user_id: ana.id, channels: '{}', quiet_from: null, quiet_until: null })
      .execute()
    await db.insertInto('advisory_subscriptions').values({ user_id: ana.id }).execute()
    await db
      .insertInto('push_subscriptions')
      .values({ user_id: ana.id, endpoint: `https://push.example/${ana.id}`, p256dh: 'k', auth: 'a', user_agent: null })
      .execute()
    await db
      .insertInto('scheduled_notifications')
      .values({
        user_id: ana.id,
        type: 'session',
        title: 'Unmistakable',
        message: 'Soon.',
        scheduled_for: new Date(),
        data: '{}',
      })
      .execute()
    const conversation = await db
      .insertInto('ai_conversations')
      .values({ user_id: ana.id, title: 'Unmistakable question', session_id: null, metadata: '{}' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addMessages(
      db,
      ana.id,
      conversation.id,
      [{ sender_type: 'user', content: 'I am Anastasia Unmistakable' }],
      new Date(),
    )
    await insertHelpRequest(db, ana.id)
    await db
      .insertInto('suppressions')
      .values({ channel: 'email', address: ana.email, reason: 'bounced', detail: null })
      .execute()
    await db
      .insertInto('stored_files')
      .values({
        bucket: 'avatars',
        owner_id: ana.id,
        path: 'unmistakable.png',
        name: 'unmistakable.png',
        content_type: 'image/png',
        size: 1,
        sha256: 'x',
      })
      .execute()
    await db
      .insertInto('audit_log')
      .values(
        [
          {
            action: 'file.read' as const,
            subject_type: 'file',
            before: JSON.stringify({ bucket: 'avatars', owner_id: ana.id, name: 'unmistakable.png' }),
          },
          {
            action: 'message.retry' as const,
            subject_type: 'message',
            before: JSON.stringify({ error: `550 <${ana.email}> is away` }),
          },
        ].map((entry) => ({
          ...entry,
          actor_id: randomUUID(),
          actor_role: 'admin',
          subject_id: randomUUID(),
          reason: null,
        })),
      )
      .execute()
    await db
      .insertInto('audit_log')
      .values({
        actor_id: randomUUID(),
        actor_role: 'admin',
        action: 'user.role',
        subject_type: 'user',
        subject_id: ana.id,
        before: '{"role":"member","email":"ana.unmistakable@example.org"}',
        after: '{"role":"traveler","display_name":"Anastasia Unmistakable"}',
        reason: 'Anastasia Unmistakable asked for it',
      })
      .execute()
    await db
      .updateTable('user_profiles')
      .set({ admin_notes: 'Unmistakable was here', mcgi_hub_id: `unmistakable-${ana.id}` })
      .where('id', '=', ana.id)
      .execute()
  })
}

/** Needed help in a roll call: in its row, and in the notification of the helper. */
async function insertHelpRequest(db: Db, userId: string) {
  const rollCall = { title: 'Storm', advisory_id: null, chapter_id: null, announcement_id: null, started_by: null }
  const { id } = await db.insertInto('roll_calls').values(rollCall).returning('id').executeTakeFirstOrThrow()
  const row = { roll_call_id: id, user_id: userId, country_code: 'PH', chapter_id: null, answered_via: 'link' } as const
  await db
    .insertInto('roll_call_recipients')
    .values({
      ...row,
      answer: 'need_help',
      note: 'Anastasia Unmistakable is on the roof',
      phone: '+639171234567',
      helper_id: null,
      help_note: 'Ask for the Unmistakable Brother',
    })
    .execute()
  const texts = { title: 'Anastasia Unmistakable needs help', message: 'Call +639171234567' }
  await announce(db, {
    key: `roll-call-help ${id} ${userId} 1 0`,
    kind: 'roll_call',
    priority: 'urgent',
    template: 'roll-call-help',
    texts: { en: texts, ar: texts },
    actionUrl: null,
    audience: { roles: ['admin'] },
    channels: ['in-app'],
  })
}

test('after erasure no table identifies the user; the audit log keeps the actions, under the id', async () => {
  const [ana, ben] = [await signedIn(app, database), await signedIn(app, database)]
  await useEverything(ana)
  const mine = ana.email.split('@')[0]!
  expect((await placesOf(mine)).length).toBeGreaterThan(3)
  const erased = await ana.ask('DELETE', '/account', { email: ana.email, current_password: PASSWORD })
  expect(erased.status).toBe(200)
  expect(erased.headers.get('set-cookie')).toMatch(/^mfa\.session_token=; Max-Age=0/)
  // Only the farewell message still has the address, until it is sent.
  expect(await placesOf(mine)).toEqual(['public.messages'])
  const sent = await inBackground(database, 'test', (db) =>
    db
      .updateTable('messages')
      .set({ status: 'sent', provider_message_id: `250 accepted for ${ana.email}` })
      .where('recipient', '=', ana.email)
      .returning(['template', 'recipient', 'body_text', 'provider_message_id'])
      .execute(),
  )
  expect(sent).toEqual([{ template: 'account-erased', recipient: 'erased', body_text: '', provider_message_id: null }])
  expect(await placesOf(mine)).toEqual([])
  expect(await placesOf('unmistakable brother')).toEqual([])
  for (const place of await placesOf(ana.id))
    expect(place).toMatch(/^public\.(user_profiles|audit_log|messages|roll_call_recipients)$/)
  expect(await placesOf('+639171234567')).toEqual([])
  expect(await placesOf('unmistakable.png')).toEqual([])
  // Ben has the same name.
  const ids = async (table: string) =>
    (
      await sql<{
        id: string
      }>`select id::text from ${sql.raw(table)} t where to_jsonb(t)::text ilike '%unmistakable%'`.execute(
        database.background.kysely,
      )
    ).rows.map(({ id }) => id)
  expect(await ids('user_profiles')).toEqual([ben.id])
  expect(await ids('persons')).toHaveLength(1)
  expect(await ids('audit_log')).toEqual([])
  expect(await ids('notifications')).toEqual([])
  const auditLog = await inBackground(database, 'test', (db) =>
    db
      .selectFrom('audit_log')
      .select(['action', 'before', 'after', 'reason'])
      .where('subject_id', '=', ana.id)
      .orderBy('id')
      .execute(),
  )
  expect(auditLog).toMatchObject([
    { action: 'account.profile', after: { fields: expect.any(Array) } },
    { action: 'user.role', before: { role: 'member' }, after: { role: 'traveler' }, reason: null },
    { action: 'account.erase' },
  ])
  const profile = await inBackground(database, 'test', (db) =>
    db.selectFrom('user_profiles').selectAll().where('id', '=', ana.id).executeTakeFirstOrThrow(),
  )
  expect(profile).toMatchObject({ display_name: 'Deleted person', profile_status: 'deleted', auth_user_id: null })
})

test('the bytes of the user’s files are deleted, those of others stay', async () => {
  const keys: string[] = []
  const users = [await signedIn(app, database), await signedIn(app, database)]
  for (const { id: owner_id } of users) {
    const row = { bucket: 'avatars' as const, owner_id, path: 'me', name: 'me.png', content_type: 'image/png' }
    const file = await inBackground(database, 'test', (db) =>
      db
        .insertInto('stored_files')
        .values({ ...row, size: 1, sha256: 'x' })
        .returning(['id', 'bucket'])
        .executeTakeFirstOrThrow(),
    )
    keys.push(keyOf(file))
    await files.put(keyOf(file), 'x')
  }
  const [ana] = users
  expect((await ana!.ask('DELETE', '/account', { email: ana!.email })).status).toBe(200)
  expect(await Promise.all(keys.map((key) => files.exists(key)))).toEqual([false, true])
})

test('an erased account cannot sign in, and its session is over', async () => {
  const ana = await signedIn(app, database)
  expect((await ana.ask('DELETE', '/account', { email: ana.email })).status).toBe(200)
  expect((await ana.ask('GET', '/account/profile')).status).toBe(401)
  const login = await app.request('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ana.email, password: PASSWORD }),
  })
  expect(login.status).toBe(401)
})

test('the address must be typed and the password must be right; otherwise nothing changes', async () => {
  const ana = await signedIn(app, database)
  const other = await ana.fetchJson('DELETE', '/account', { email: 'other@example.org', current_password: PASSWORD })
  expect([other.status, other.answer.fields]).toEqual([422, { email: 'This is not the email address of your account' }])
  const wrong = await ana.fetchJson('DELETE', '/account', { email: ana.email, current_password: 'seven purple' })
  expect([wrong.status, Object.keys(wrong.answer.fields as object)]).toEqual([422, ['current_password']])
  expect((await ana.fetchJson('DELETE', '/account', {})).status).toBe(422)
  expect((await app.request('/api/account', { method: 'DELETE' })).status).toBe(401)
  expect((await ana.fetchJson('GET', '/account/profile')).answer).toMatchObject({ email: ana.email })
})

test('the last administrator stays, even when two erase themselves at the same moment', async () => {
  const [ana, ben] = [await signedIn(app, database, 'admin'), await signedIn(app, database, 'admin')]
  const answers = await Promise.all(
    [ana, ben].map((user) => user.fetchJson('DELETE', '/account', { email: user.email })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = answers.findIndex(({ status }) => status === 409)
  expect(answers[refused]!.answer.code).toBe('last_admin')
  const stays = [ana, ben][refused]!
  expect((await stays.fetchJson('GET', '/account/profile')).answer).toMatchObject({ email: stays.email, role: 'admin' })
  const mails = await inBackground(database, 'test', (db) =>
    db.selectFrom('messages').select('id').where('recipient', '=', stays.email).execute(),
  )
  expect(mails).toEqual([])
})

test("no user, administrators included, can call the database functions that end another user's sign-in", async () => {
  const ana = await signedIn(app, database)
  for (const role of ['traveler', 'admin'] as const)
    await expect(
      withClaims(database, { as: 'user', userId: randomUUID(), role }, (db) =>
        sql`select erase_sign_in(${ana.id})`.execute(db),
      ),
    ).rejects.toMatchObject({ code: '42501' })
  await expect(
    withClaims(database, { as: 'anonymous' }, (db) => sql`select erase_sign_in(${ana.id})`.execute(db)),
  ).rejects.toMatchObject({ code: '42501' })
  expect((await ana.ask('GET', '/account/profile')).status).toBe(200)
})
