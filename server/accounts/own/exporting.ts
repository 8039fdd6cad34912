import { sql } from 'kysely'
import { inBackground, withClaims } from '../../db/claims.ts'
import type { Database, Db } from '../../db/connection.ts'
import { claimsOf } from '../../http/door.ts'
import type { Session } from '../../http/session.ts'
import { deviceOf } from '../device.ts'

/** Of one kind; more is the business of a letter to support, and the file says so. */
const MOST_ROWS = 5_000

/** Everything the portal keeps about the caller. Secrets are left out: passwords, tokens, codes, keys. */
export async function ownData(database: Database, session: Session, now: Date): Promise<Record<string, unknown>> {
  const { user } = session
  const own = await withClaims(database, claimsOf(session), (db) => readAsPerson(db, user!.id))
  const portal = await inBackground(database, 'own data', (db) => readAsPortal(db, user!.id))
  const signIn = session.authUserId ? await readSignIn(database, session.authUserId) : {}
  const all: Record<string, unknown> = { ...own, ...signIn, ...portal }
  const cut = Object.keys(all).filter((name) => Array.isArray(all[name]) && all[name].length === MOST_ROWS)
  return { made_at: now.toISOString(), lists_cut_at: MOST_ROWS, lists_cut: cut, ...all }
}

/** What the person may read herself, with the policies of the database in force. */
async function readAsPerson(db: Db, userId: string) {
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
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .limit(MOST_ROWS)
      .execute(),
    files: await db
      .selectFrom('stored_files')
      .select(['id', 'bucket', 'path', 'name', 'content_type', 'size', 'sha256', 'created_at'])
      .where('owner_id', '=', userId)
      .orderBy('created_at', 'desc')
      .limit(MOST_ROWS)
      .execute(),
    acknowledgments: await db
      .selectFrom('advisory_acknowledgments')
      .select(['advisory_id', 'version', 'acknowledged_at'])
      .where('user_id', '=', userId)
      .orderBy('acknowledged_at', 'desc')
      .limit(MOST_ROWS)
      .execute(),
  }
}

/** What only the portal reads: what was sent to the person, and the trail of what was done by or to her. */
async function readAsPortal(db: Db, userId: string) {
  const sent = await db
    .selectFrom('messages')
    .select(['channel', 'recipient', 'template', 'language', 'subject', 'body_text', 'is_secret'])
    .select(['status', 'created_at', 'sent_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(MOST_ROWS)
    .execute()
  const isAbout = sql<boolean>`(subject_type in ('user', 'account', 'profile') and subject_id = ${userId}
    or subject_type = 'file' and coalesce(before ->> 'owner_id' = ${userId}, false))`
  const entries = await db
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor_role', 'action', 'subject_type', 'subject_id', 'before', 'after', 'reason'])
    .select([isAbout.as('is_about_you'), sql<boolean>`coalesce(actor_id = ${userId}, false)`.as('is_by_you')])
    .where((where) => where.or([where('actor_id', '=', userId), isAbout]))
    .orderBy('id', 'desc')
    .limit(MOST_ROWS)
    .execute()
  return {
    // A code or a link would still sign somebody in.
    messages: sent.map((message) => (message.is_secret ? { ...message, body_text: null } : message)),
    // What the person did to others speaks of them: the file names the deed and leaves its content out.
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
    .select(['id', 'way', 'user_agent', 'ip_address', 'created_at', 'updated_at', 'expires_at', 'second_factor_at'])
    .where('user_id', '=', authUserId)
    .orderBy('created_at', 'desc')
    .limit(MOST_ROWS)
    .execute()
  return {
    sign_in: account ?? null,
    identities: await kysely
      .selectFrom('auth_accounts')
      .select(['provider_id', 'account_id', 'created_at'])
      .where('user_id', '=', authUserId)
      .execute(),
    passkeys: await kysely
      .selectFrom('auth_passkeys')
      .select(['name', 'created_at'])
      .where('user_id', '=', authUserId)
      .execute(),
    sessions: sessions.map((row) => ({ ...row, device: deviceOf(row.user_agent) })),
  }
}
