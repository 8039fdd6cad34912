import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import { projectLocales } from '../projection.ts'
import { locked, refuseIfAny, spans, type WriteDeps } from './commit-import.ts'
import { restoreLists } from './lists.ts'

const ROWS_SHOWN = 50
/** Rows others may have added to a locale that the import created; with one of them it can no longer be deleted. */
const HANGING = ['locale_photos', 'locale_corrections', 'locale_messages'] as const
/** Rows the import itself may have added. */
const LISTS = { locale_servants: 'servants', locale_schedules: 'services' } as const

/**
 * Restores the tables from before an import was committed, in one transaction: created locales are deleted, changed
 * ones get their whole row back. Refused when one of the locales has been edited since.
 */
export async function undoImport(database: Database, id: string, deps: WriteDeps): Promise<void> {
  await inBackground(database, 'import', async (db) => {
    const found = await locked(db, id, 'undoing')
    await sql`select from locales where id in (select locale_id from locale_import_rows where import_id = ${id}
      and action in ('create', 'update')) order by id for update`.execute(db)
    await refuseWhatChanged(db, id)
    const all = await columnsOfLocales(db)
    const restored: string[] = []
    for (const [from, to] of await spans(db, id)) {
      await sql`delete from locales where id in (select locale_id from locale_import_rows where import_id = ${id}
        and row_number between ${from} and ${to} and action = 'create')`.execute(db)
      const { rows } = await sql<{ id: string }>`
        update locales l set (${sql.join(all.map((name) => sql.ref(name)))}) =
          row(${sql.join(all.map(valueBefore))})
        from locale_import_rows r cross join lateral jsonb_populate_record(null::locales, r.before) p
        where l.id = r.locale_id and r.import_id = ${id} and r.row_number between ${from} and ${to}
          and r.action = 'update' returning l.id`.execute(db)
      await restoreLists(db, id, from, to)
      restored.push(...rows.map((row) => row.id))
      await turn()
    }
    await projectLocales(db, restored, deps.countryName)
    await sql`update locale_imports set status = 'undone', undone_at = clock_timestamp(), refusal = null
      where id = ${id}`.execute(db)
    await audit(db, deps.by, {
      action: 'locale.import_undo',
      subject_type: 'locale_import',
      subject_id: id,
      after: { file_name: found.file_name, removed: found.counts.create, restored: restored.length },
    })
  })
}

/** The previous row; a row it refers to may have been deleted, which cleared the locale's reference as well. */
function valueBefore(name: string) {
  const value = sql.ref(`p.${name}`)
  const table = { chapter_id: 'mfa_local_chapters', confirmed_by: 'user_profiles' }[name]
  return table ? sql`(select there.id from ${sql.table(table)} there where there.id = ${value})` : value
}

/** Locales edited since; created ones that were deleted already need no undo. */
async function refuseWhatChanged(db: Db, id: string): Promise<void> {
  const hanging = sql.join(
    [
      ...HANGING.map((name) => sql`exists (select from ${sql.table(name)} h where h.locale_id = l.id)`),
      ...Object.entries(LISTS).map(
        ([name, field]) => sql`exists (select from ${sql.table(name)} h where h.locale_id = l.id and not exists
          (select from jsonb_array_elements(r.fields -> ${field}) made where (made ->> 'id')::uuid = h.id))`,
      ),
    ],
    sql` or `,
  )
  const { rows } = await sql<{ row_number: number; name: string | null; code: string; total: number }>`
    with gone_by as (
      select r.row_number, r.name, case when l.id is null then 'removed'
          when l.updated_at <> r.written_updated_at then 'changed' else 'has_more' end as code
      from locale_import_rows r left join locales l on l.id = r.locale_id
      where r.import_id = ${id} and (
        (r.action = 'update' and (l.id is null or l.updated_at <> r.written_updated_at))
        or (r.action = 'create' and l.id is not null and (l.updated_at <> r.written_updated_at or ${hanging})))
    ) select *, count(*) over () as total from gone_by order by row_number limit ${ROWS_SHOWN}`.execute(db)
  refuseIfAny('changed_since', rows)
}

/** Includes columns that later versions of the portal add. */
async function columnsOfLocales(db: Db): Promise<string[]> {
  const { rows } = await sql<{ column_name: string }>`
    select column_name from information_schema.columns
    where table_schema = current_schema() and table_name = 'locales' and column_name <> 'id'
    order by ordinal_position`.execute(db)
  return rows.map((row) => row.column_name)
}
