import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import { projectLocales } from './projection.ts'

export type ConfirmedAs = 'admin' | 'mfa_coordinator' | 'local_servant' | 'contact'

/** Versions have millisecond precision, so timestamps are stored with it. */
export const NOW = sql<Date>`date_trunc('milliseconds', clock_timestamp())`
/** A second tap, or a second servant, within this time is the same confirmation. */
const SAME_WITHIN_MS = 60_000

/**
 * Confirms that the public details of a locale are right. Returns the time of confirmation. Runs as the user, or as the
 * portal for a confirmation by link.
 */
export async function confirmLocale(
  db: Db,
  id: string,
  by: { user: SignedIn | null; userId?: string | undefined; as: ConfirmedAs },
  countryName: (code: string) => string | null,
): Promise<Date> {
  const was = await db
    .selectFrom('locales')
    .select(['confirmed_at', 'confirmed_as', sql<Date>`clock_timestamp()`.as('now')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!was) throw noLocale()
  if (was.confirmed_at && was.now.valueOf() - was.confirmed_at.valueOf() < SAME_WITHIN_MS) return was.confirmed_at
  const is = await db
    .updateTable('locales')
    .set({
      confirmed_at: NOW,
      confirmed_as: by.as,
      confirmed_by: by.user?.id ?? by.userId ?? null,
      updated_at: NOW,
    })
    .where('id', '=', id)
    .returning((eb) => [eb.ref('confirmed_at').$notNull().as('confirmed_at'), 'confirmed_as'])
    .executeTakeFirstOrThrow()
  await audit(db, by.user, {
    action: 'locale.confirm',
    subject_type: 'locale',
    subject_id: id,
    before: { confirmed_at: was.confirmed_at, confirmed_as: was.confirmed_as },
    after: is,
  })
  await published(db, id, countryName)
  return is.confirmed_at
}

/**
 * Rewrites the public row of a changed locale. Runs as the portal: a servant may not read everything it is made from,
 * and unreadable data must not be mistaken for missing data.
 */
export const published = (db: Db, id: string, countryName: (code: string) => string | null) =>
  asPortal(db, () => projectLocales(db, [id], countryName))

export const noLocale = () => new AppError(404, 'no_locale', 'Church not found.')
