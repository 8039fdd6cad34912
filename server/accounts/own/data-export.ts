import { sql } from 'kysely'
import { inBackground, withClaims } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { type ActionContext, claimsOf } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { deviceOf } from '../device.ts'

/** Per kind; the file refers to support for more. */
const MAX_ROWS = 5_000

/** All data the portal stores about the caller, without secrets: passwords, tokens, codes, keys. */
export async function ownData({
  database,
  session,
  user,
  now,
}: ActionContext<SignedIn>): Promise<Record<string, unknown>> {
  const own = await withClaims(database, claimsOf(session), (db) => readAsUser(db, user.id))
  const portal = await inBackground(database, 'own data', (db) => readAsPortal(db, user.id))
  const signIn = session.authUserId ? await readSignIn(database, session.authUserId) : {}
  const all: Record<string, unknown> = { ...own, ...signIn, ...portal }
  const cut = Object.keys(all).filter((name) => Array.isArray(all[name]) && all[name].length === MAX_ROWS)
  return { made_at: now.toISOString(), lists_cut_at: MAX_ROWS, lists_cut: cut, ...all }
}

/** Data the user may read, under row-level security. */
async function readAsUser(db: Db, userId: string) {
  const { search_text: _, ...profile } = await db
    .selectFrom('user_profiles')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    profile,
    person: profile.person_id
      ? await db.selectFrom('persons').selectAll().where('id', '=', profile.person_id).executeTakeFirst()
      : null,
    notifications: await db
      .selectFrom('notifications')
      .select(['id', 'type', 'title', 'message', 'data', 'priority', 'status', 'action_url', 'created_at', 'sent_at'])
      .select('read_at')
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    files: await db
      .selectFrom('stored_files')
      .select(['id', 'bucket', 'path', 'name', 'content_type', 'size', 'sha256', 'created_at'])
      .where('owner_id', '=', userId)
      .orderBy('created_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    acknowledgments: await db
      .selectFrom('advisory_acknowledgments')
      .select(['advisory_id', 'version', 'acknowledged_at'])
      .where('user_id', '=', userId)
      .orderBy('acknowledged_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    ...(await readReaching(db, userId)),
    ...(await readAssistant(db, userId)),
  }
}

/** The user's preferences and subscriptions, and their answers. */
async function readReaching(db: Db, userId: string) {
  return {
    notification_preferences:
      (await db.selectFrom('notification_preferences').selectAll().where('user_id', '=', userId).executeTakeFirst()) ??
      null,
    subscriptions: await db
      .selectFrom('advisory_subscriptions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .limit(MAX_ROWS)
      .execute(),
    // Anyone with a browser's push address and keys could send to it.
    push_browsers: await db
      .selectFrom('push_subscriptions')
      .select(['user_agent', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .limit(MAX_ROWS)
      .execute(),
    group_notifications_read: await db
      .selectFrom('notification_reads')
      .select(['notification_id', 'read_at', 'is_archived as is_put_away'])
      .where('user_id', '=', userId)
      .orderBy('read_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    reminders: await db
      .selectFrom('scheduled_notifications')
      .select(['type', 'title', 'message', 'scheduled_for', 'status', 'sent_at'])
      .where('user_id', '=', userId)
      .orderBy('scheduled_for', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    roll_calls: await db
      .selectFrom('roll_call_recipients as p')
      .innerJoin('roll_calls as c', 'c.id', 'p.roll_call_id')
      .select(['c.title', 'c.started_at', 'p.answer', 'p.answered_at', 'p.answered_via', 'p.note', 'p.country_code'])
      .select(['p.phone', 'p.helped_at', 'p.help_note'])
      .where('p.user_id', '=', userId)
      .orderBy('c.started_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
  }
}

/** The user's questions to the assistant, its answers, and the cases handed over for them. */
async function readAssistant(db: Db, userId: string) {
  return {
    assistant_preferences:
      (await db.selectFrom('ai_user_preferences').selectAll().where('user_id', '=', userId).executeTakeFirst()) ?? null,
    conversations: await db
      .selectFrom('ai_conversations')
      .select(['id', 'title', 'status', 'language', 'created_at', 'last_activity', 'deleted_at'])
      .where('user_id', '=', userId)
      .orderBy('last_activity', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    conversation_messages: await db
      .selectFrom('chat_messages as m')
      .innerJoin('ai_conversations as c', 'c.id', 'm.conversation_id')
      .select(['m.conversation_id', 'm.message_order', 'm.sender_type', 'm.content', 'm.created_at'])
      .where('c.user_id', '=', userId)
      .orderBy('m.created_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    assistant_case_messages: await db
      .selectFrom('assistant_case_entries')
      .select(['reference', 'kind', 'received_at', 'safe_phone', 'safe_time', 'text'])
      .where('user_id', '=', userId)
      .orderBy('received_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    assistant_cases: await db
      .selectFrom('assistant_cases')
      .select(['reference', 'kind', 'created_at', 'status', 'safe_phone', 'safe_time', 'original_text', 'country_code'])
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
  }
}

/** Data only the portal reads: messages sent to the user, and audit entries by or about them. */
async function readAsPortal(db: Db, userId: string) {
  const sent = await db
    .selectFrom('messages as m')
    .leftJoin('announcements as a', 'a.id', 'm.announcement_id')
    .select(['m.channel', 'm.recipient', 'm.template', 'm.language', 'm.is_secret', 'm.kind'])
    // Messages to many recipients store their text in the announcement.
    .select(sql<string>`coalesce(nullif(m.subject, ''), a.texts -> m.language ->> 'title', '')`.as('subject'))
    .select(sql<string | null>`coalesce(m.body_text, a.texts -> m.language ->> 'message')`.as('body_text'))
    .select(['m.status', 'm.created_at', 'm.sent_at', 'm.delivered_at'])
    .where('m.user_id', '=', userId)
    .orderBy('m.created_at', 'desc')
    .limit(MAX_ROWS)
    .execute()
  const isAbout = sql<boolean>`(subject_type in ('user', 'account', 'profile') and subject_id = ${userId}
    or subject_type = 'file' and coalesce(before ->> 'owner_id' = ${userId}, false))`
  const entries = await db
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor_role', 'action', 'subject_type', 'subject_id', 'before', 'after', 'reason'])
    .select([isAbout.as('is_about_you'), sql<boolean>`coalesce(actor_id = ${userId}, false)`.as('is_by_you')])
    .where((where) => where.or([where('actor_id', '=', userId), isAbout]))
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute()
  return {
    // A code or a link would still sign someone in.
    messages: sent.map((message) => (message.is_secret ? { ...message, body_text: null } : message)),
    // Actions on other users concern their data: the file names the action and omits its content.
    audit: entries.map(({ before, after, reason, ...entry }) =>
      entry.is_about_you ? { ...entry, before, after, reason } : entry,
    ),
  }
}

async function readSignIn(database: Database, authUserId: string) {
  const kysely = database.requests.kysely
  const account = await kysely
    .selectFrom('auth_users')
    .select(['name', 'email', 'email_verified', 'phone_number', 'two_factor_enabled', 'registration', 'created_at'])
    .where('id', '=', authUserId)
    .executeTakeFirst()
  const sessions = await kysely
    .selectFrom('auth_sessions')
    .select([
      'id',
      'sign_in_method',
      'user_agent',
      'ip_address',
      'created_at',
      'updated_at',
      'expires_at',
      'second_factor_at',
    ])
    .where('user_id', '=', authUserId)
    .orderBy('created_at', 'desc')
    .limit(MAX_ROWS)
    .execute()
  return {
    sign_in: account ?? null,
    identities: await kysely
      .selectFrom('auth_accounts')
      .select(['provider_id', 'account_id', 'created_at'])
      .where('user_id', '=', authUserId)
      .execute(),
    sign_in_changes: await kysely
      .selectFrom('sign_in_changes')
      .select(['kind', 'changed_at', 'undone_at'])
      .where('user_id', '=', authUserId)
      .orderBy('changed_at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
    passkeys: await kysely
      .selectFrom('auth_passkeys')
      .select(['name', 'created_at'])
      .where('user_id', '=', authUserId)
      .execute(),
    sessions: sessions.map((row) => ({ ...row, device: deviceOf(row.user_agent) })),
    known_devices: await kysely
      .selectFrom('auth_devices')
      .select('last_used_at')
      .where('user_id', '=', authUserId)
      .execute(),
    failed_sign_ins: await kysely
      .selectFrom('sign_in_failures')
      .select(['at', 'method', 'reason', 'network', 'count'])
      .where('auth_user_id', '=', authUserId)
      .orderBy('at', 'desc')
      .limit(MAX_ROWS)
      .execute(),
  }
}
