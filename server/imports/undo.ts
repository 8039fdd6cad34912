import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import type { ImportedRecord } from '#shared/audit/actions.ts'
import type { By, ImportAdapter } from './adapter.ts'
import { lockImport, spans } from './commit.ts'
import { columnsOf, lockRecords, removeRecords, restoreRecords } from './records.ts'
import { refuseIfAny } from './refusals.ts'

/**
 * Restores the tables from before an import was committed, in one transaction: created records are deleted, changed
 * ones get their whole row back. Refused when one of the records has been edited since.
 */
export async function undoImport(database: Database, adapter: ImportAdapter, id: string, by: By): Promise<void> {
  const { table, contract } = adapter
  await inBackground(database, 'import', async (db) => {
    const found = await lockImport(db, id, 'undoing')
    await lockRecords(db, table, id, ['create', 'update'])
    await refuseIfAny(db, 'changed_since', [changedSince(adapter, id)])
    const columns = await columnsOf(db, table)
    const restored: string[] = []
    for (const span of await spans(db, id)) {
      await removeRecords(db, table, span)
      restored.push(...(await restoreRecords(db, table, span, columns)))
      await adapter.afterRestore?.(db, span)
      await turn()
    }
    await adapter.finish?.(db, restored)
    await sql`update imports set status = 'undone', undone_at = clock_timestamp(), refusal = null
      where id = ${id}`.execute(db)
    await audit(db, by, {
      action: `${contract.record as ImportedRecord}.import_undo`,
      subject_type: `${contract.record}_import`,
      subject_id: id,
      after: { file_name: found.file_name, removed: found.counts.create, restored: restored.length },
    })
  })
}

/** Records edited since; created ones that were deleted already need no undo. */
const changedSince = ({ table, hasMore = sql<boolean>`false` }: ImportAdapter, id: string) => sql`
  select r.row_number, r.name, case when l.id is null then 'removed'
      when l.updated_at <> r.written_updated_at then 'changed' else 'has_more' end as code
  from import_rows r left join ${sql.table(table.name)} l on l.id = r.record_id
  where r.import_id = ${id} and (
    (r.action = 'update' and (l.id is null or l.updated_at <> r.written_updated_at))
    or (r.action = 'create' and l.id is not null and (l.updated_at <> r.written_updated_at or ${hasMore})))`
