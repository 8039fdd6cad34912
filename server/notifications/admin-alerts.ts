import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { type Language, languageOf } from '#shared/language.ts'

export interface Alarm {
  /** Raising an alarm with the same key twice creates one. */
  key: string
  /** Target path inside the portal. */
  path: string
  text: Record<Language, { title: string; message: string }>
}

/** Adds an alarm to the inbox of every administrator and pushes it to their browsers. */
export function notifyAdministrators(
  db: Db,
  alarm: {
    key: string
    priority: 'urgent' | 'medium'
    title: string
    message: string
    path: string
    data?: Record<string, string>
  },
) {
  return db
    .insertInto('notifications')
    .values({
      user_id: null,
      recipient_role: 'admin',
      type: 'admin_alert',
      title: alarm.title,
      message: alarm.message,
      data: JSON.stringify(alarm.data ?? {}),
      delivery_method: ['in-app', 'browser'],
      priority: alarm.priority,
      status: 'sent',
      sent_at: sql<Date>`now()`,
      action_url: alarm.path,
      event_key: alarm.key,
    })
    .onConflict((c) => c.column('event_key').doNothing())
    .execute()
}

/**
 * Mails an alarm to every administrator in their language. Uses its own text instead of a template, so that overrides
 * cannot break it.
 */
export async function mailAdministrators(db: Db, { key, path, text }: Alarm, publicUrl: string): Promise<void> {
  const admins = await db
    .selectFrom('user_profiles')
    .select(['id', 'email', 'preferred_language'])
    .where('role', '=', 'admin')
    .where('profile_status', '=', 'active')
    .where(({ or, eb }) => or([eb('email_verified', '=', true), eb('auth_provider', '<>', 'mcgi-hub')]))
    .execute()
  if (admins.length === 0) return
  const values = admins.map((admin) => {
    const language = languageOf(admin.preferred_language) ?? 'en'
    const { title, message } = text[language]
    return {
      message_key: `${key} ${admin.id}`,
      channel: 'email' as const,
      recipient: admin.email,
      user_id: admin.id,
      template: 'admin-alert',
      language,
      subject: title,
      body_text: `${message}\n\n${publicUrl}${path}\n`,
      queue_priority: 0,
    }
  })
  await db
    .insertInto('messages')
    .values(values)
    .onConflict((c) => c.column('message_key').doNothing())
    .execute()
}
