import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { ImportedRecord } from '#shared/audit/actions.ts'
import { BASE_COUNTS } from '#shared/imports/model.ts'
import type { By, ImportAdapter, Span } from './adapter.ts'
import { insertRecords, lockRecords, updateRecords } from './records.ts'
import { Refused, refuseIfAny } from './refusals.ts'

/** Rows per statement: the embedded database serves no one else while it runs. */
const ROWS_AT_ONCE = 250

/**
 * Writes exactly the plan of a claimed import in one transaction: all of it, or nothing if a record was changed,
 * deleted or created since planning.
 */
export async function commitImport(database: Database, adapter: ImportAdapter, id: string, by: By): Promise<void> {
  await inBackground(database, 'import', async (db) => {
    const found = await lockImport(db, id, 'committing')
    // One import of a kind writes at a time: two plans that create the same record would each find it missing.
    await sql`select pg_advisory_xact_lock(hashtext(${`portal.import.${adapter.kind}`}))`.execute(db)
    await lockRecords(db, adapter.table, id, ['update'])
    await refuseIfAny(db, 'rows_changed', [changedRows(adapter, id), ...(adapter.conflicts?.(id) ?? [])])
    for (const { code, rows } of adapter.checks?.(id) ?? []) await refuseIfAny(db, code, [rows])
    const now = await clock(db)
    const written: string[] = []
    for (const span of await spans(db, id)) {
      await insertRecords(db, adapter.table, span, now)
      await updateRecords(db, adapter.table, span, now)
      await adapter.afterWrite?.(db, span)
      written.push(...(await markWritten(db, span, now)))
      await turn()
    }
    await adapter.finish?.(db, written)
    await db
      .updateTable('imports')
      .set({ status: 'committed', committed_at: sql<Date>`${now}::timestamptz`, refusal: null })
      .where('id', '=', id)
      .execute()
    await auditCommit(db, adapter, id, found, by)
  })
}

async function auditCommit(db: Db, { contract }: ImportAdapter, id: string, of: LockedImport, by: By) {
  const base: readonly string[] = BASE_COUNTS
  const more = Object.entries(of.counts).filter(([name]) => !base.includes(name))
  await audit(db, by, {
    action: `${contract.record as ImportedRecord}.import`,
    subject_type: `${contract.record}_import`,
    subject_id: id,
    after: {
      file_name: of.file_name,
      created: of.counts.create,
      updated: of.counts.update,
      ...Object.fromEntries(more),
      rows: of.row_count,
    },
  })
}

type LockedImport = Awaited<ReturnType<typeof lockImport>>

/** Locks the import until the transaction ends; a concurrent caller then finds it in another state. */
export async function lockImport(db: Db, id: string, status: 'committing' | 'undoing') {
  const found = await db
    .selectFrom('imports')
    .select(['status', 'counts', 'row_count', 'file_name'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (found?.status !== status) throw new Refused({ code: 'failed', rows: [], total: 0 })
  return found
}

/** Records that were changed or deleted after the plan saw them. */
const changedRows = ({ table }: ImportAdapter, id: string) => sql`
  select r.row_number, r.name, case when l.id is null then 'removed' else 'changed' end as code
  from import_rows r left join ${sql.table(table.name)} l on l.id = r.record_id
  where r.import_id = ${id} and r.action = 'update' and (l.id is null or l.updated_at <> r.seen_updated_at)`

/** One timestamp for everything written, with the database's precision. */
export async function clock(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database has no clock.')
  return row.now
}

/** Ranges of row numbers with at most this many rows to write each. */
export async function spans(db: Db, id: string): Promise<Span[]> {
  const { rows } = await sql<Span>`
    select ${id}::uuid as id, min(row_number)::int as "from", max(row_number)::int as "to" from (
      select row_number, (row_number() over (order by row_number) - 1) / ${ROWS_AT_ONCE}::int as span
      from import_rows where import_id = ${id} and action in ('create', 'update')
    ) numbered group by span order by 2`.execute(db)
  return rows
}

async function markWritten(db: Db, { id, from, to }: Span, now: string): Promise<string[]> {
  const rows = await db
    .updateTable('import_rows')
    .set({ written_updated_at: sql<Date>`${now}::timestamptz` })
    .where('import_id', '=', id)
    .where('row_number', '>=', from)
    .where('row_number', '<=', to)
    .where('action', 'in', ['create', 'update'])
    .returning('record_id')
    .execute()
  return rows.flatMap(({ record_id }) => record_id ?? [])
}
