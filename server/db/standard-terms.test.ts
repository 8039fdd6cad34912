import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { backupPlaces, openPlace } from '#server/testing/backups.ts'
import { inBackground } from './claims.ts'
import type { Database } from './connection.ts'
import { migrate } from './migrate.ts'
import { listMigrations } from './migration-files.ts'

const migrations = await listMigrations()
const { emptyPlace } = backupPlaces()
const before = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name.endsWith('_standard_terms.sql')),
)

test('rows with retired values are converted', async () => {
  const database = await openPlace(await emptyPlace())
  try {
    await migrate(database, before)
    await insertOldRows(database)
    await migrate(database)
    const read = async (query: string) => {
      const { rows } = await inBackground(database, 'test', (db) => sql.raw<object>(query).execute(db))
      return rows.map((row) => Object.values(row))
    }
    expect(
      await read(
        'select message_key, status, kind, template, provider_message_id, digest_key from messages order by 1',
      ),
    ).toEqual([
      ['alarm', 'pending', 'account', 'admin-alert', null, null],
      ['key canary email', 'pending', 'account', 'canary', null, null],
      ['other', 'sent', 'announcement', 'announcement', 'provider-1', null],
      ['waits', 'deferred', 'advisory', 'advisory', null, 'digest of today'],
    ])
    expect(await read('select kind, template, reason from announcements order by announcement_key')).toEqual([
      ['announcement', 'announcement', null],
      ['roll_call', 'roll-call', 'manual'],
    ])
    expect(await read('select channels from notification_preferences')).toEqual([
      [{ advisory: { sms: false }, announcement: { email: false } }],
    ])
    expect(await read('select email_notifications, sms_notifications from communication_preferences')).toEqual([
      [false, true],
    ])
    expect(await read('select key from settings')).toEqual([['notifications.canary_email']])
    expect(await read('select action, subject_id from audit_log order by id')).toEqual([
      ['announcement.send', '1'],
      ['setting.update', 'notifications.canary_email'],
    ])
    expect(await read('select name from message_templates')).toEqual([['announcement']])
    expect(await read('select status from announcement_stats')).toEqual([['deferred']])
    expect(await read('select cause, cleared_at from delivery_monitor_alarms order by 1')).toEqual([
      ['no_mail_provider', null],
      ['not_fanned_out', null],
      ['not_sent_sms', null],
    ])
    expect(
      await read(`select type, event_key = 'delivery_monitor ' || a.id from notifications
        left join delivery_monitor_alarms a on cause = 'no_mail_provider' and type = 'admin_alert' order by 1`),
    ).toEqual([
      ['admin_alert', true],
      ['announcement', null],
    ])
    expect(
      await read(`select relname from pg_class join pg_namespace n on n.oid = relnamespace
        where nspname = 'public' and relrowsecurity and not relforcerowsecurity`),
    ).toEqual([])
  } finally {
    await database.close()
  }
})

const insertOldRows = (database: Database) =>
  inBackground(database, 'test', async (db) => {
    for (const statement of OLD_ROWS) await sql.raw(statement).execute(db)
  })

const USER = '5b0f6f0e-0000-4000-8000-000000000001'
const OLD_ROWS = [
  `insert into user_profiles (id, email, display_name, role, auth_provider)
    values ('${USER}', 'ana@example.org', 'Ana', 'member', 'supabase')`,
  `insert into messages
      (message_key, channel, recipient, user_id, kind, template, status, provider_message_id, body_text)
    values ('waits', 'email', null, '${USER}', 'advisory', 'advisory', 'held', 'digest of today', 'x'),
      ('other', 'email', 'a@example.org', null, 'notice', 'notice', 'sent', 'provider-1', 'x'),
      ('key sentinel email', 'email', 'b@example.org', null, 'account', 'sentinel', 'pending', null, 'x'),
      ('alarm', 'email', 'c@example.org', '${USER}', 'account', 'sentinel', 'pending', null, 'x')`,
  `insert into announcements (announcement_key, kind, template, texts, reason, status)
    values ('notice 1', 'notice', 'notice', '{}', null, 'sent'),
      ('roll', 'roll_call', 'roll-call', '{}', 'by_hand', 'sent')`,
  `insert into announcement_stats select id, 'email', 'held', 3 from announcements where kind = 'notice'`,
  `insert into notification_preferences (user_id, channels)
    values ('${USER}', '{"notice": {"email": false}, "advisory": {"sms": false}}')`,
  `insert into message_templates (name, language, version, content) values ('notice', 'en', 1, '{}')`,
  `insert into settings (key, value) values ('notifications.sentinel_email', '"proof@example.org"')`,
  `insert into audit_log (actor_role, action, subject_type, subject_id) values
    ('admin', 'notice.send', 'announcement', '1'),
    ('admin', 'setting.update', 'setting', 'notifications.sentinel_email')`,
  `insert into delivery_monitor_alarms (cause, count) values ('not_told', 1), ('not_handed_over_sms', 1)`,
  `insert into notifications (user_id, recipient_role, type, title, message, event_key)
    values ('${USER}', null, 'notice', 'x', 'x', null), (null, 'admin', 'admin_alert', 'x', 'x', 'no mail provider')`,
]
