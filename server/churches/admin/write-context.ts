import type { Countries } from '#server/countries/reference.ts'
import type { Db } from '#server/db/connection.ts'
import { laterThan, recordsOf } from '#server/db/records.ts'
import type { ActionContext } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { writeAndRefresh } from '#server/http/writes.ts'
import { AppError } from '#shared/errors.ts'
import { type ChurchDeps, countryNames } from '../deps.ts'
import { isLoosening, looseningError } from '../loosening-errors.ts'
import { type LocaleRow, projectLocales } from '../projection.ts'

export interface WriteContext {
  by: SignedIn
  now: Date
  countries: Countries
}

/** Writes and refreshes; what would show more of a church than before is explained. */
export const createWriter =
  (deps: Pick<ChurchDeps, 'countries' | 'readModel'>) =>
  <T>(ctx: ActionContext<SignedIn>, fn: (db: Db, writing: WriteContext) => Promise<T>): Promise<T> =>
    writeAndRefresh(ctx, deps.readModel, (db) =>
      fn(db, { by: ctx.user, now: ctx.now, countries: deps.countries() }),
    ).catch((error: unknown) => {
      throw isLoosening(error) ? looseningError() : error
    })

export const noSuchLocale = () => new AppError(404, 'locale_not_found', 'Church not found.')

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
