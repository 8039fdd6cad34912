import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import { ANSWER_LINK_DAYS } from '#server/roll-calls/answer-link.ts'
import type { getOwnPlace } from '#shared/emergency/endpoints.ts'

type OwnPlace = (typeof getOwnPlace)['~']['output']

/**
 * The country of the latest open roll call for a user, if known; else the one of their profile. For a roll call of
 * several countries, the one that applies to this user is not always known.
 */
export async function findOwnPlace(db: Db, userId: string, now: Date): Promise<OwnPlace> {
  const since = new Date(now.valueOf() - ANSWER_LINK_DAYS * 86_400_000)
  const rollCall = await db
    .selectFrom('roll_call_recipients as p')
    .innerJoin('roll_calls as r', 'r.id', 'p.roll_call_id')
    .select(
      sql<string>`case when cardinality(r.country_codes) = 1 then r.country_codes[1] else p.country_code end`.as(
        'country_code',
      ),
    )
    .where('p.user_id', '=', userId)
    .where('r.ended_at', 'is', null)
    .where('r.started_at', '>', since)
    .where(sql<boolean>`(cardinality(r.country_codes) = 1 or p.country_code = any(r.country_codes))`)
    .orderBy('r.started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (rollCall) return { country_code: rollCall.country_code, source: 'roll_call' }
  const profile = await db
    .selectFrom('user_profiles')
    .select('country_code')
    .where('id', '=', userId)
    .executeTakeFirst()
  return profile?.country_code
    ? { country_code: profile.country_code, source: 'profile' }
    : { country_code: null, source: null }
}
