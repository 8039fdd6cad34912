import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/connection.ts'
import type { By } from '#server/imports/adapter.ts'
import { clock } from '#server/imports/commit.ts'
import { importNotFound } from '#server/imports/steps.ts'
import { AppError } from '#shared/errors.ts'
import { projectLocales } from '../projection.ts'

interface PublishDeps {
  by: By
  countryName: (code: string) => string | null
}

/** Locales an import created that are not public and have not been edited since. */
const unpublished = (id: string) => sql`
  import_rows r join locales l on l.id = r.record_id and l.updated_at = r.written_updated_at
  where r.import_id = ${id} and r.action = 'create' and not l.is_public`

/** How many locales of a committed import publishImport would make public. */
export async function countUnpublished(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${unpublished(id)}`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Publishes the locales that an import created unpublished; they are shown as not confirmed yet. Edited ones are left
 * out, and the import can still be undone.
 * @param expected the count that the user has seen; with another one nothing is done
 * @throws AppError 409 when the import is not in force, or the count has changed
 */
export async function publishImport(db: Db, id: string, expected: number, deps: PublishDeps): Promise<number> {
  const found = await db
    .selectFrom('imports')
    .select(['status', 'file_name'])
    .where('id', '=', id)
    .where('kind', '=', 'locales')
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw importNotFound()
  if (found.status !== 'committed') throw new AppError(409, 'wrong_state', 'This import is not in force.')
  await sql`select from locales where id in (select r.record_id from ${unpublished(id)}) order by id for update`.execute(
    db,
  )
  const { rows: meant } = await sql<{ id: string }>`select l.id from ${unpublished(id)}`.execute(db)
  const ids = meant.map((row) => row.id)
  if (ids.length !== expected)
    throw new AppError(409, 'count_changed', `There are ${ids.length} now. Look at them, and publish again.`)
  const now = await clock(db)
  await sql`update locales set is_public = true, updated_at = ${now}::timestamptz where id = any(${ids}::uuid[])`.execute(
    db,
  )
  await sql`update import_rows set written_updated_at = ${now}::timestamptz
    where import_id = ${id} and record_id = any(${ids}::uuid[])`.execute(db)
  await projectLocales(db, ids, deps.countryName)
  await audit(db, deps.by, {
    action: 'locale.import_publish',
    subject_type: 'locale_import',
    subject_id: id,
    after: { file_name: found.file_name, published: ids.length },
  })
  return ids.length
}

/** Stores whether new locales are public if the file does not say. */
export async function saveNewLocalesOption(db: Db, id: string, publishes: boolean): Promise<void> {
  const new_locales = publishes ? 'to_be_confirmed' : 'unpublished'
  await db
    .updateTable('imports')
    .set({ settings: sql`jsonb_set(settings, '{options,new_locales}', to_jsonb(${new_locales}::text))` })
    .where('id', '=', id)
    .execute()
}
