import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { laterThan, recordsOf } from '#server/db/records.ts'
import { type ActionContext, claimsOf } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import { type ChurchDeps, countryNames } from '../deps.ts'
import { isLoosening, looseningError } from '../loosening-errors.ts'
import { type LocaleRow, projectLocales } from '../projection.ts'

export interface WriteContext {
  by: SignedIn
  now: Date
  countries: Countries
}

/**
 * Runs a write in one transaction and returns its response. This node's model is refreshed before responding, other
 * nodes follow shortly.
 */
export function createWriter(deps: Pick<ChurchDeps, 'countries' | 'readModel'>) {
  return async <T>(
    { database, session, user, now }: ActionContext<SignedIn>,
    fn: (db: Db, writing: WriteContext) => Promise<T>,
  ): Promise<T> => {
    const writing = { by: user, now, countries: deps.countries() }
    const done = await withClaims(database, claimsOf(session), (db) => fn(db, writing)).catch((error: unknown) => {
      throw isLoosening(error) ? looseningError() : error
    })
    // The change is committed. If reading it back fails, the model catches up by itself.
    await deps.readModel.catchUp().catch(() => {})
    return done
  }
}

export const noSuchLocale = () => new AppError(404, 'locale_not_found', 'There is no such church.')

const locales = recordsOf('locales', { subject: 'locale', missing: noSuchLocale })

/** Locks the row for the rest of the transaction; with `madeFrom`, only if it is unchanged since the caller read it. */
export function lockLocale(db: Db, id: string, madeFrom?: string): Promise<LocaleRow> {
  return locales.lock(db, id, madeFrom)
}

/** Marks the locale as changed and rewrites its public row. */
export async function touchLocale(db: Db, row: LocaleRow, { now, countries }: WriteContext): Promise<void> {
  await db
    .updateTable('locales')
    .set({ updated_at: laterThan(row, now) })
    .where('id', '=', row.id)
    .execute()
  await projectLocales(db, [row.id], countryNames(countries))
}

/** Drops empty fields for the audit log. */
export const withoutNulls = (row: object) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
