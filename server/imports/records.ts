import { sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { ExistingRecord, ImportAdapter, RecordTable, Span } from './adapter.ts'

const names = (columns: readonly string[], prefix = '') => sql.join(columns.map((name) => sql.ref(prefix + name)))
const within = ({ id, from, to }: Span) => sql`r.import_id = ${id} and r.row_number between ${from} and ${to}`

/** Existing records with their related lists, by id. */
export async function existingRecords(
  db: Db,
  { table, related }: ImportAdapter,
  ids: readonly string[],
): Promise<Map<string, ExistingRecord>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ExistingRecord>`
    select *, updated_at::text as seen from ${sql.table(table.name)} where id = any(${ids}::uuid[])`.execute(db)
  const lists = await related?.(db, ids)
  return new Map(rows.map((row) => [row.id, { ...row, ...lists?.get(row.id) }]))
}

/** Locks the records that rows with these actions refer to, in one order for everybody. */
export async function lockRecords(db: Db, table: RecordTable, id: string, actions: readonly string[]): Promise<void> {
  await sql`select from ${sql.table(table.name)} where id in
    (select record_id from import_rows where import_id = ${id} and action = any(${actions}::text[]))
    order by id for update`.execute(db)
}

/** Creates the new records of a span. */
export async function insertRecords(db: Db, table: RecordTable, span: Span, now: string): Promise<void> {
  const columns = [...table.columns, ...(table.derived ?? [])]
  await sql`
    insert into ${sql.table(table.name)} (id, ${names(columns)}, created_at, updated_at)
    select r.record_id, ${names(columns, 'p.')}, ${now}::timestamptz, ${now}::timestamptz
    from import_rows r cross join lateral jsonb_populate_record(null::${sql.table(table.name)}, r.fields) p
    where ${within(span)} and r.action = 'create'`.execute(db)
}

/** Changes the records of a span; the whole previous record is stored with the plan, its times in full precision. */
export async function updateRecords(db: Db, table: RecordTable, span: Span, now: string): Promise<void> {
  const records = sql.table(table.name)
  await sql`
    update import_rows r set before = to_jsonb(l) from ${records} l
    where l.id = r.record_id and ${within(span)} and r.action = 'update'`.execute(db)
  await sql`
    update ${records} l set (${names(table.columns)}, updated_at) = row(${names(table.columns, 'p.')}, ${now}::timestamptz)
    from import_rows r join ${records} o on o.id = r.record_id
      cross join lateral jsonb_populate_record(o, r.fields) p
    where l.id = o.id and ${within(span)} and r.action = 'update'`.execute(db)
}

/** Deletes the records that a span created. */
export async function removeRecords(db: Db, table: RecordTable, span: Span): Promise<void> {
  await sql`delete from ${sql.table(table.name)} where id in
    (select r.record_id from import_rows r where ${within(span)} and r.action = 'create')`.execute(db)
}

/** Gives the changed records of a span their previous rows back. */
export async function restoreRecords(
  db: Db,
  table: RecordTable,
  span: Span,
  columns: readonly string[],
): Promise<string[]> {
  const records = sql.table(table.name)
  const { rows } = await sql<{ id: string }>`
    update ${records} l set (${names(columns)}) = row(${sql.join(columns.map((name) => valueBefore(table, name)))})
    from import_rows r cross join lateral jsonb_populate_record(null::${records}, r.before) p
    where l.id = r.record_id and ${within(span)} and r.action = 'update' returning l.id`.execute(db)
  return rows.map((row) => row.id)
}

/** The previous value; a row it refers to may have been deleted, which cleared the record's reference as well. */
function valueBefore({ references }: RecordTable, name: string) {
  const value = sql.ref(`p.${name}`)
  const table = references?.[name]
  return table ? sql`(select there.id from ${sql.table(table)} there where there.id = ${value})` : value
}

/** All columns but the id: those that later versions of the portal add included. */
export async function columnsOf(db: Db, { name }: RecordTable): Promise<string[]> {
  const { rows } = await sql<{ column_name: string }>`
    select column_name from information_schema.columns
    where table_schema = current_schema() and table_name = ${name} and column_name <> 'id'
      and is_generated = 'NEVER'
    order by ordinal_position`.execute(db)
  return rows.map((row) => row.column_name)
}
