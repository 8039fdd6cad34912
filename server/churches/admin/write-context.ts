import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { type ActionContext, claimsOf } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import { isLoosening, looseningRefused } from '../loosening-errors.ts'
import { type ChurchDeps, countryNames } from '../module.ts'
import { type LocaleRow, projectLocales } from '../projection.ts'

export interface Writing {
  by: SignedIn
  now: Date
  countries: Countries
}

/** A write and what it answers: one transaction, and then this node's pages show it; the others a moment later. */
export function writer(deps: Pick<ChurchDeps, 'countries' | 'readModel'>) {
  return async <T>(
    { database, session, now }: ActionContext,
    fn: (db: Db, writing: Writing) => Promise<T>,
  ): Promise<T> => {
    const writing = { by: session.user!, now, countries: deps.countries() }
    const done = await withClaims(database, claimsOf(session), (db) => fn(db, writing)).catch((error: unknown) => {
      throw isLoosening(error) ? looseningRefused() : error
    })
    // The change is made. Should reading it back fail, the model catches up by itself.
    await deps.readModel.catchUp().catch(() => {})
    return done
  }
}

export const noSuchLocale = () => new AppError(404, 'locale_not_found', 'There is no such church.')

/** The row for the rest of the transaction; with `madeFrom`, only while it is still what the caller has seen. */
export async function lockLocale(db: Db, id: string, madeFrom?: string): Promise<LocaleRow> {
  const lockedRow = await db.selectFrom('locales').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!lockedRow) throw noSuchLocale()
  if (madeFrom !== undefined && lockedRow.updated_at.getTime() !== Date.parse(madeFrom)) throw stale()
  return lockedRow
}

export const stale = () =>
  new AppError(409, 'stale', 'Somebody has changed this since you opened it. Nothing was saved.')

/** Later than before also within one millisecond: it is what the next change is measured by. */
export const after = (row: { updated_at: Date }, now: Date) =>
  new Date(Math.max(now.getTime(), row.updated_at.getTime() + 1))

/** Notes that something of the locale changed, and writes anew what the public sees of it. */
export async function touchLocale(db: Db, row: LocaleRow, { now, countries }: Writing): Promise<void> {
  await db
    .updateTable('locales')
    .set({ updated_at: after(row, now) })
    .where('id', '=', row.id)
    .execute()
  await projectLocales(db, [row.id], countryNames(countries))
}

export const invalid = (fields: Record<string, string>) =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })

/** Only what says something, for the trail. */
export const withoutNulls = (row: object) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
