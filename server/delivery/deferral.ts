import { sql } from 'kysely'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { wakeDispatchers } from './outbox.ts'

/** Why a message waits; also used in the predicate of the partial index for releasing messages. */
export const QUIET_REASON = 'Waiting for the end of quiet hours'
/** Senders reload settings within this time. */
const SETTINGS_AGE_SECONDS = 10

/**
 * Makes messages of one user that wait for the end of quiet hours due again, after a change of hours. Works in a
 * transaction of any role.
 */
export const releaseDeferred = (db: Db, userId: string): Promise<void> => release(db, sql`user_id = ${userId}`, 0)

/** The same for all users, after a change of the portal's sending hours. */
export const releaseAllDeferred = (db: Db): Promise<void> => release(db, sql`true`, SETTINGS_AGE_SECONDS)

function release(db: Db, whose: ReturnType<typeof sql>, seconds: number): Promise<void> {
  return asPortal(db, async () => {
    const { numAffectedRows = 0n } = await sql`
      update messages set not_before = now() + make_interval(secs => ${seconds})
      where status = 'pending' and error = ${sql.lit(QUIET_REASON)} and not_before > now() and ${whose}`.execute(db)
    if (numAffectedRows > 0n) await wakeDispatchers(db)
  })
}
