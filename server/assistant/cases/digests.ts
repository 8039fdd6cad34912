import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { AnnouncementText } from '#server/db/tables-notifications.ts'
import { announce } from '#server/notifications/announcements/create.ts'
import { CHANNELS } from '#shared/delivery/kinds.ts'
import type { AdminLanguage } from '#shared/language.ts'
import caseTexts from './case-texts.json' with { type: 'json' }
import { caseLimits } from './limits.ts'
import { fill } from './template.ts'
import { countryName, textsOf } from './texts.ts'

const MAX_AT_ONCE = 500
const MAX_COUNTRIES = 5

/**
 * Sends each coordinator one digest of the calls for help that raised no individual alarm, in one transaction per
 * coordinator. Safe to run concurrently. Returns the number sent.
 */
export async function sendCaseDigests(database: Database, now = new Date()): Promise<number> {
  let sent = 0
  for (;;) {
    const found = await inBackground(database, 'case digests', async (db) => {
      const next = await db
        .selectFrom('case_digests')
        .select('user_id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst()
      if (next) await sendDigest(db, next.user_id, now)
      return next
    })
    if (!found || ++sent >= MAX_AT_ONCE) return sent
  }
}

async function sendDigest(db: Db, userId: string, now: Date): Promise<void> {
  // Locked before the digest, in the same order as when an alarm is added to it.
  await db
    .updateTable('case_alarms')
    .set({ interval_start: now })
    .where('user_id', '=', userId)
    .where('class', 'in', ['anonymous', 'hand_over'])
    .execute()
  const rows = await db.deleteFrom('case_digests').where('user_id', '=', userId).returningAll().execute()
  // Another process has sent it.
  if (rows.length === 0) return
  const isHelper = await db
    .selectFrom('user_profiles')
    .select('id')
    .where('id', '=', userId)
    .where('role', 'in', ['admin', 'mfa_coordinator', 'local_servant'])
    .where('profile_status', '=', 'active')
    .executeTakeFirst()
  if (!isHelper) return
  const sorted = rows.toSorted((a, b) => b.count - a.count)
  const newest = rows.reduce((a, b) => (a.newest_at > b.newest_at ? a : b))
  const { digestMinutes } = await caseLimits(db)
  const text = (language: AdminLanguage): AnnouncementText => {
    const texts = caseTexts[language]
    const count = String(rows.reduce((sum, row) => sum + row.count, 0))
    const countries = sorted
      .slice(0, MAX_COUNTRIES)
      .map((row) => `${countryName(language, row.country_code) ?? texts.no_country}: ${row.count}`)
      .concat(sorted.length > MAX_COUNTRIES ? '…' : [])
    return {
      title: fill(texts.title_digest, { count }),
      message: fill(texts.message_digest, {
        minutes: String(digestMinutes),
        countries: countries.join(language === 'ar' ? '، ' : ', '),
        time: newest.newest_at.toISOString().slice(11, 16),
      }),
    }
  }
  await announce(db, {
    key: `assistant-cases-digest ${userId} ${now.toISOString()}`,
    kind: 'roll_call',
    priority: 'urgent',
    template: 'assistant-case',
    texts: textsOf(text),
    actionUrl:
      rows.length === 1 ? `/admin/assistant/cases/${newest.newest_case}` : '/admin/assistant/cases?status=open',
    audience: { users: [userId] },
    channels: [...CHANNELS],
  })
}
