import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pruneAccounts } from '#server/accounts/retention.ts'
import { inBackground } from '#server/db/claims.ts'
import { testDatabase } from '#server/testing/database.ts'
import { pruneMessages } from './retention.ts'

const database = await testDatabase()
const { kysely } = database.background

test('finished messages are deleted after a month, unsent secret messages after a day', async () => {
  await inBackground(database, 'test', (db) =>
    sql`insert into messages (message_key, channel, recipient, template, body_text, is_secret, status, created_at) values
      ('old', 'email', 'a@example.org', 'welcome', 'Text', false, 'sent', now() - interval '31 days'),
      ('old but waiting', 'email', 'a@example.org', 'welcome', 'Text', false, 'pending', now() - interval '31 days'),
      ('secret of yesterday', 'email', 'a@example.org', 'sign-in-code', 'Code', true, 'failed', now() - interval '25 hours'),
      ('secret of today', 'email', 'a@example.org', 'sign-in-code', 'Code', true, 'failed', now())`.execute(db),
  )
  await pruneMessages(database)
  const left = await inBackground(database, 'test', (db) =>
    db.selectFrom('messages').select(['message_key', 'body_text']).orderBy('message_key').execute(),
  )
  expect(left).toEqual([
    { message_key: 'old but waiting', body_text: 'Text' },
    { message_key: 'secret of today', body_text: 'Code' },
    { message_key: 'secret of yesterday', body_text: '' },
  ])
})

test('expired sessions, codes and rate-limit counters are deleted', async () => {
  await sql`insert into auth_users (id, name, email) values (gen_random_uuid(), 'Ana', 'ana@example.org')`.execute(
    kysely,
  )
  for (const [token, hours] of [
    ['over', -1],
    ['going', 1],
  ] as const) {
    await sql`insert into auth_sessions (id, user_id, token, expires_at)
      select gen_random_uuid(), id, ${token}, now() + make_interval(hours => ${hours}) from auth_users`.execute(kysely)
    await sql`insert into rate_limits values (${token}, 1, now() + make_interval(hours => ${hours}))`.execute(kysely)
    await sql`insert into auth_verifications (id, identifier, value, expires_at)
      values (${token}, 'x', 'y', now() + make_interval(days => ${hours * 2}))`.execute(kysely)
  }
  await pruneAccounts(database)
  const { rows } = await sql<object>`select (select array_agg(token) from auth_sessions) as sessions,
    (select array_agg(key) from rate_limits) as tries, (select array_agg(id) from auth_verifications) as codes`.execute(
    kysely,
  )
  expect(rows).toEqual([{ sessions: ['going'], tries: ['going'], codes: ['going'] }])
})
