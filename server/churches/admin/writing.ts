import type { Countries } from '#server/countries/reference.ts'
import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { type ActAsked, claimsOf } from '#server/http/door.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'
import { type ChurchParts, countryNames } from '../area.ts'
import { isLoosening, looseningRefused } from '../loosening.ts'
import { type LocaleRow, projectLocales } from '../projecting.ts'

export interface Writing {
  by: SignedIn
  now: Date
  countries: Countries
}

/** A write and what it answers: one transaction, and then this node's pages show it; the others a moment later. */
export function writer(parts: Pick<ChurchParts, 'countries' | 'readModel'>) {
  return async <T>({ database, session, now }: ActAsked, fn: (db: Db, writing: Writing) => Promise<T>): Promise<T> => {
    const writing = { by: session.user!, now, countries: parts.countries() }
    const done = await withClaims(database, claimsOf(session), (db) => fn(db, writing)).catch((error: unknown) => {
      throw isLoosening(error) ? looseningRefused() : error
    })
    // The change is made. Should reading it back fail, the model catches up by itself.
    await parts.readModel.catchUp().catch(() => {})
    return done
  }
}

export const noSuchLocale = () => new AppError(404, 'locale_not_found', 'There is no such church.')

/** The row for the rest of the transaction; with `madeFrom`, only while it is still what the caller has seen. */
export async function holdLocale(db: Db, id: string, madeFrom?: string): Promise<LocaleRow> {
  const held = await db.selectFrom('locales').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!held) throw noSuchLocale()
  if (madeFrom !== undefined && held.updated_at.getTime() !== Date.parse(madeFrom)) throw stale()
  return held
}

export const stale = () =>
  new AppError(409, 'stale', 'Somebody has changed this since you opened it. Nothing was saved.')

/** Later than before also within one millisecond: it is what the next change is measured by. */
export const after = (held: { updated_at: Date }, now: Date) =>
  new Date(Math.max(now.getTime(), held.updated_at.getTime() + 1))

/** Notes that something of the locale changed, and writes anew what the public sees of it. */
export async function touchLocale(db: Db, held: LocaleRow, { now, countries }: Writing): Promise<void> {
  await db
    .updateTable('locales')
    .set({ updated_at: after(held, now) })
    .where('id', '=', held.id)
    .execute()
  await projectLocales(db, [held.id], countryNames(countries))
}

export const invalid = (fields: Record<string, string>) =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })

/** Only what says something, for the trail. */
export const given = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
