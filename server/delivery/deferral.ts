import { sql } from 'kysely'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { wakeSenders } from './outbox.ts'

/** Why a message waits; the index of what may be released names it too. */
export const QUIET_REASON = 'Waits for the end of the quiet hours'
/** Senders read settings again within this time. */
const SETTINGS_AGE_SECONDS = 10

/** Looks again at what waits for the end of quiet hours: of one person whose hours changed, in any role's transaction. */
export const releaseDeferred = (db: Db, userId: string): Promise<void> => release(db, sql`user_id = ${userId}`, 0)

/** The same for everyone, when the hours of the portal changed. */
export const releaseAllDeferred = (db: Db): Promise<void> => release(db, sql`true`, SETTINGS_AGE_SECONDS)

function release(db: Db, whose: ReturnType<typeof sql>, seconds: number): Promise<void> {
  return asPortal(db, async () => {
    const { numAffectedRows = 0n } = await sql`
      update messages set not_before = now() + make_interval(secs => ${seconds})
      where status = 'pending' and error = ${sql.lit(QUIET_REASON)} and not_before > now() and ${whose}`.execute(db)
    if (numAffectedRows > 0n) await wakeSenders(db)
  })
}
