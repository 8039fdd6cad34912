import type { Insertable, Updateable } from 'kysely'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import { invalid, laterThan } from '#server/db/records.ts'
import type { LocalesTable } from '#server/db/tables-churches.ts'
import type { LocaleFields } from '#shared/churches/entry.ts'
import { AppError } from '#shared/errors.ts'
import { countryNames } from '../deps.ts'
import { type LocaleRow, projectLocales } from '../projection.ts'
import { findDuplicates } from './duplicates.ts'
import { rowOfEntry } from './entry.ts'
import { lockLocale, type WriteContext, withoutNulls } from './write-context.ts'

/** Creates a locale, unless a likely duplicate exists and the request does not confirm it. */
export async function createLocale(
  db: Db,
  fields: LocaleFields,
  { save_anyway }: { save_anyway: boolean },
  writing: WriteContext,
): Promise<string> {
  const row = rowOfEntry(fields, undefined, writing.countries)
  if (!save_anyway && (await findDuplicates(db, row)).length > 0)
    throw new AppError(409, 'possible_duplicate', 'This church may already be on the list. Nothing was saved.')
  const { id } = await withFieldErrors(() =>
    db
      .insertInto('locales')
      .values({ ...(row as Insertable<LocalesTable>), created_at: writing.now, updated_at: writing.now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await projectLocales(db, [id], countryNames(writing.countries))
  await audit(db, writing.by, { action: 'locale.create', ...subject(id), after: withoutNulls(row) })
  return id
}

/** Updates the submitted fields of a locale. Saving without changes writes nothing. */
export async function updateLocale(
  db: Db,
  id: string,
  { made_from, ...fields }: LocaleFields & { made_from: string },
  writing: WriteContext,
): Promise<void> {
  const lockedRow = await lockLocale(db, id, made_from)
  const row = rowOfEntry(fields, lockedRow, writing.countries)
  const difference = changed(lockedRow, row as Partial<LocaleRow>)
  if (!difference) return
  await withFieldErrors(() =>
    db
      .updateTable('locales')
      .set({ ...(difference.after as Updateable<LocalesTable>), updated_at: laterThan(lockedRow, writing.now) })
      .where('id', '=', id)
      .execute(),
  )
  await projectLocales(db, [id], countryNames(writing.countries))
  await audit(db, writing.by, { action: 'locale.update', ...subject(id), ...difference })
}

/** Confirms that the locale's details are still correct. */
export async function confirmLocaleAsAdmin(db: Db, id: string, writing: WriteContext): Promise<void> {
  const lockedRow = await lockLocale(db, id)
  const set = {
    confirmed_at: writing.now,
    confirmed_by: writing.by.id,
    confirmed_as: 'admin' as const,
    updated_at: laterThan(lockedRow, writing.now),
  }
  await db.updateTable('locales').set(set).where('id', '=', id).execute()
  await projectLocales(db, [id], countryNames(writing.countries))
  await audit(db, writing.by, {
    action: 'locale.confirm',
    ...subject(id),
    before: { confirmed_at: lockedRow.confirmed_at },
    after: { confirmed_at: writing.now },
  })
}

/** Deletes a locale with its dependent rows; the audit log retains its fields. */
export async function deleteLocale(
  db: Db,
  id: string,
  { made_from, reason }: { made_from: string; reason: string },
  writing: WriteContext,
): Promise<void> {
  const lockedRow = await lockLocale(db, id, made_from)
  await db.deleteFrom('locales').where('id', '=', id).execute()
  await audit(db, writing.by, { action: 'locale.delete', ...subject(id), before: withoutNulls(lockedRow), reason })
}

const subject = (id: string) => ({ subject_type: 'locale', subject_id: id })

/** Translates database errors: a duplicate external id, or a chapter that does not exist. */
async function withFieldErrors<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code, constraint = '' } = error as { code?: string; constraint?: string }
    if (code === '23505' && constraint.includes('external_id'))
      throw invalid({ external_id: 'Another church already uses this ID' })
    if (code === '23503' && constraint.includes('chapter')) throw invalid({ chapter_id: 'Choose a chapter' })
    throw error
  }
}
