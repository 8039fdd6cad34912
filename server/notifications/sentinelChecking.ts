import { sql } from 'kysely'
import { languageOf } from '#shared/language.ts'
import { inBackground } from '../db/claims.ts'
import type { Database, Db } from '../db/connection.ts'
import { noteProofs } from './sentinel.ts'
import { type Finding, findFaults } from './sentinelFinding.ts'
import { type Cause, isCause, WORDS } from './sentinelWords.ts'

interface Parts {
  database: Database
  publicUrl: string
}

/**
 * Looks each minute whether urgent advisories go out as they should. What is wrong is told to administrators once for
 * each cause, by the bell and by mail; when it is over that is told too.
 */
export async function checkSentinel({ database, publicUrl }: Parts): Promise<void> {
  await inBackground(database, 'sentinel', async (db) => {
    await noteProofs(db)
    const faults = await findFaults(db)
    for (const fault of faults) await raise(db, fault, publicUrl)
    await clearOthers(
      db,
      faults.map(({ cause }) => cause),
    )
  })
}

async function raise(db: Db, { cause, found, detail }: Finding, publicUrl: string): Promise<void> {
  const seen_at = sql<Date>`now()`
  const { numUpdatedRows } = await db
    .updateTable('sentinel_alarms')
    .set({ found, detail, seen_at })
    .where('cause', '=', cause)
    .where('cleared_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const { id } = await db
    .insertInto('sentinel_alarms')
    .values({ cause, found, detail })
    .returning('id')
    .executeTakeFirstOrThrow()
  const channel = cause.replace(/^not_handed_over_/, '')
  if (channel !== cause)
    await db
      .updateTable('sentinel_checks')
      .set({ alarmed_at: sql<Date>`now()` })
      .where('channel', '=', channel)
      .where('handed_over_at', 'is', null)
      .where('alarmed_at', 'is', null)
      .execute()
  if (!isCause(cause)) return
  const { title, text, help } = WORDS.en[cause]
  await ring(db, {
    key: `sentinel ${id}`,
    priority: 'urgent',
    title,
    message: `${text(found)} ${detail}. ${help}`,
    path: pathOf(cause),
  })
  await mailAdministrators(db, { id, cause, found, detail }, publicUrl)
}

const pathOf = (cause: Cause) =>
  cause === 'not_announced' ? '/admin/travel-advisories?status=in_force&sort=-updated_at' : '/admin/outbox'

interface Ring {
  key: string
  priority: 'urgent' | 'medium'
  title: string
  message: string
  path: string
}

function ring(db: Db, { key, priority, title, message, path }: Ring) {
  return db
    .insertInto('notifications')
    .values({
      user_id: null,
      recipient_role: 'admin',
      type: 'admin_alert',
      title,
      message,
      data: '{}',
      delivery_method: ['in-app', 'browser'],
      priority,
      status: 'sent',
      sent_at: sql<Date>`now()`,
      action_url: path,
      event_key: key,
    })
    .onConflict((c) => c.column('event_key').doNothing())
    .execute()
}

/** In the words of an alarm, not of a template: it must be readable also where somebody changed those. */
async function mailAdministrators(
  db: Db,
  { id, cause, found, detail }: { id: string; cause: Cause; found: number; detail: string },
  publicUrl: string,
): Promise<void> {
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
    const { title, text, help } = WORDS[language][cause]
    return {
      message_key: `sentinel ${id} ${admin.id}`,
      channel: 'email' as const,
      recipient: admin.email,
      user_id: admin.id,
      template: 'sentinel',
      language,
      subject: title,
      body_text: `${text(found)}\n\n${detail}\n\n${help}\n\n${publicUrl}${pathOf(cause)}\n`,
      lane: 0,
    }
  })
  await db
    .insertInto('messages')
    .values(values)
    .onConflict((c) => c.column('message_key').doNothing())
    .execute()
}

async function clearOthers(db: Db, causes: string[]): Promise<void> {
  const over = await db
    .updateTable('sentinel_alarms')
    .set({ cleared_at: sql<Date>`now()` })
    .where('cleared_at', 'is', null)
    .where(sql<boolean>`cause <> all(${causes}::text[])`)
    .returning(['id', 'cause'])
    .execute()
  for (const { id, cause } of over) {
    if (!isCause(cause)) continue
    const { over: isOver, overText } = WORDS.en
    const title = isOver(WORDS.en[cause].title)
    await ring(db, { key: `sentinel ${id} over`, priority: 'medium', title, message: overText, path: '/status' })
  }
}
