import type * as z from 'zod'
import type { Db } from '#server/db/connection.ts'
import {
  type AssistantPreferences,
  ChatSettings,
  type changeAssistantPreferences,
} from '#shared/assistant/preferences.ts'

type Preferences = z.infer<typeof AssistantPreferences>
type Change = (typeof changeAssistantPreferences)['~']['parsed']['body']

/** The user's assistant preferences, with defaults for unset ones. */
export async function findPreferences(db: Db, userId: string): Promise<Preferences> {
  const row = await db.selectFrom('ai_user_preferences').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return {
    preferred_language: row?.preferred_language ?? null,
    cultural_preferences: row?.cultural_preferences ?? {},
    settings: ChatSettings.catch(ChatSettings.parse({})).parse(row?.settings ?? {}),
  }
}

/** Changes the named preferences and preserves the others. */
export async function changePreferences(db: Db, userId: string, change: Change, now: Date): Promise<Preferences> {
  const known = await findPreferences(db, userId)
  const values = {
    preferred_language: change.preferred_language === undefined ? known.preferred_language : change.preferred_language,
    cultural_preferences: JSON.stringify(change.cultural_preferences ?? known.cultural_preferences),
    settings: JSON.stringify({ ...known.settings, ...change.settings }),
    updated_at: now,
  }
  await db
    .insertInto('ai_user_preferences')
    .values({ user_id: userId, ...values })
    .onConflict((c) => c.column('user_id').doUpdateSet(values))
    .execute()
  return findPreferences(db, userId)
}
