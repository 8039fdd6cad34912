import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { audit } from '#server/audit/audit-log.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { ImportRefusal } from '#shared/churches/imports.ts'
import { projectLocales } from '../projection.ts'
import { WRITTEN_COLUMNS } from './change.ts'
import { writeLists } from './lists.ts'

export type By = Pick<SignedIn, 'id' | 'role'> | null
export interface WriteDeps {
  by: By
  countryName: (code: string) => string | null
}

/** Rows per statement: the embedded database serves no one else while it runs. */
const ROWS_AT_ONCE = 250
const ROWS_SHOWN = 50

/** The plan no longer matches the tables: nothing was written. */
export class Refused extends Error {
  readonly refusal: ImportRefusal
  constructor(refusal: ImportRefusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

const columns = (prefix = '') => sql.join(WRITTEN_COLUMNS.map((name) => sql.ref(prefix + name)))

/**
 * Writes exactly the plan of a claimed import in one transaction: all of it, or nothing if a locale was changed,
 * deleted or created since planning.
 */
export async function commitImport(database: Database, id: string, deps: WriteDeps): Promise<void> {
  await inBackground(database, 'import', async (db) => {
    const found = await locked(db, id, 'committing')
    await lockMeant(db, id)
    await refuseWhatChanged(db, id)
    await refuseWhatLoosens(db, id)
    const now = await clock(db)
    const written: string[] = []
    for (const [from, to] of await spans(db, id)) {
      await insertNew(db, id, from, to, now)
      await changeOld(db, id, from, to, now)
      await writeLists(db, id, from, to)
      written.push(...(await markWritten(db, id, from, to, now)))
      await turn()
    }
    await projectLocales(db, written, deps.countryName)
    await db
      .updateTable('locale_imports')
      .set({ status: 'committed', committed_at: sql<Date>`${now}::timestamptz`, refusal: null })
      .where('id', '=', id)
      .execute()
    const { create, update, published, services, servants } = found.counts
    await audit(db, deps.by, {
      action: 'locale.import',
      subject_type: 'locale_import',
      subject_id: id,
      after: {
        file_name: found.file_name,
        created: create,
        published,
        updated: update,
        services,
        servants,
        rows: found.row_count,
      },
    })
  })
}

/** Locks the import until the transaction ends; a concurrent caller then finds it in another state. */
export async function locked(db: Db, id: string, status: 'committing' | 'undoing') {
  const found = await db
    .selectFrom('locale_imports')
    .select(['status', 'counts', 'row_count', 'file_name'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (found?.status !== status) throw new Refused({ code: 'failed', rows: [], total: 0 })
  return found
}

/** One import writes at a time, and its rows stay unchanged until it has written. */
async function lockMeant(db: Db, id: string) {
  // Otherwise two plans that create the same church would each find it missing.
  await sql`select pg_advisory_xact_lock(hashtext('portal.locale_import'))`.execute(db)
  await sql`select from locales where id in
    (select locale_id from locale_import_rows where import_id = ${id} and action = 'update') order by id for update`.execute(
    db,
  )
}

async function refuseWhatChanged(db: Db, id: string): Promise<void> {
  const { rows } = await sql<{ row_number: number; name: string | null; code: string; total: number }>`
    with gone_by as (
      select r.row_number, r.name, case when l.id is null then 'removed' else 'changed' end as code
      from locale_import_rows r left join locales l on l.id = r.locale_id
      where r.import_id = ${id} and r.action = 'update' and (l.id is null or l.updated_at <> r.seen_updated_at)
      union all
      select r.row_number, r.name, 'made'
      from locale_import_rows r join locales l on l.external_id = r.fields ->> 'external_id' and l.id is distinct from r.locale_id
      where r.import_id = ${id} and r.action in ('create', 'update')
      union all
      select r.row_number, r.name, 'no_chapter'
      from locale_import_rows r
      where r.import_id = ${id} and r.action in ('create', 'update') and r.fields ->> 'chapter_id' is not null
        and not exists (select from mfa_local_chapters c where c.id = (r.fields ->> 'chapter_id')::uuid)
    ) select *, count(*) over () as total from gone_by order by row_number limit ${ROWS_SHOWN}`.execute(db)
  refuseIfAny('rows_changed', rows)
}

/** A file can make less of a church public, never more: that needs a confirmation of its own. */
async function refuseWhatLoosens(db: Db, id: string): Promise<void> {
  const { rows } = await sql<{ row_number: number; name: string | null; code: string; total: number }>`
    with planned as (
      select r.row_number, r.name,
        coalesce(l.discreet_mode::text, before.discreet_mode::text) as was,
        coalesce(case when r.fields ? 'discreet_mode' then r.fields ->> 'discreet_mode' else l.discreet_mode::text end,
          after.discreet_mode::text) as will_be,
        after.country_code is distinct from before.country_code as moves, after.discreet_mode::text as rule
      from locale_import_rows r
        left join locales l on l.id = r.locale_id and r.action = 'update'
        left join country_discretion before on before.country_code = coalesce(l.country_code, r.fields ->> 'country_code')
        left join country_discretion after on after.country_code =
          case when r.fields ? 'country_code' then r.fields ->> 'country_code' else l.country_code end
      where r.import_id = ${id} and r.action in ('create', 'update'))
    select row_number, name, 'loosens' as code, count(*) over () as total
    from planned where discretion_level(will_be) < discretion_level(was)
      or (moves and discretion_level(will_be) < discretion_level(rule)) order by row_number limit ${ROWS_SHOWN}`.execute(
    db,
  )
  refuseIfAny('would_loosen', rows)
}

export function refuseIfAny(
  code: ImportRefusal['code'],
  rows: { row_number: number; name: string | null; code: string; total: number }[],
): void {
  if (rows.length === 0) return
  throw new Refused({ code, rows: rows.map(({ total: _, ...row }) => row), total: rows[0]!.total })
}

/** One timestamp for everything written, with the database's precision. */
export async function clock(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  return rows[0]!.now
}

/** Ranges of row numbers with at most this many rows to write each. */
export async function spans(db: Db, id: string): Promise<[number, number][]> {
  const { rows } = await sql<{ first: number; last: number }>`
    select min(row_number)::int as first, max(row_number)::int as last from (
      select row_number, (row_number() over (order by row_number) - 1) / ${ROWS_AT_ONCE}::int as span
      from locale_import_rows where import_id = ${id} and action in ('create', 'update')
    ) numbered group by span order by 1`.execute(db)
  return rows.map(({ first, last }) => [first, last])
}

async function insertNew(db: Db, id: string, from: number, to: number, now: string) {
  await sql`
    insert into locales (id, ${columns()}, located_in, created_at, updated_at)
    select r.locale_id, ${columns('p.')}, p.located_in, ${now}::timestamptz, ${now}::timestamptz
    from locale_import_rows r cross join lateral jsonb_populate_record(null::locales, r.fields) p
    where r.import_id = ${id} and r.row_number between ${from} and ${to} and r.action = 'create'`.execute(db)
}

/** Stores the whole previous row with the plan, with timestamps in full precision. */
async function changeOld(db: Db, id: string, from: number, to: number, now: string) {
  await sql`
    update locale_import_rows r set before = to_jsonb(l) from locales l
    where l.id = r.locale_id and r.import_id = ${id} and r.row_number between ${from} and ${to}
      and r.action = 'update'`.execute(db)
  await sql`
    update locales l set (${columns()}, updated_at) = row(${columns('p.')}, ${now}::timestamptz)
    from locale_import_rows r join locales o on o.id = r.locale_id
      cross join lateral jsonb_populate_record(o, r.fields) p
    where l.id = o.id and r.import_id = ${id} and r.row_number between ${from} and ${to}
      and r.action = 'update'`.execute(db)
}

async function markWritten(db: Db, id: string, from: number, to: number, now: string): Promise<string[]> {
  const rows = await db
    .updateTable('locale_import_rows')
    .set({ written_updated_at: sql<Date>`${now}::timestamptz` })
    .where('import_id', '=', id)
    .where('row_number', '>=', from)
    .where('row_number', '<=', to)
    .where('action', 'in', ['create', 'update'])
    .returning('locale_id')
    .execute()
  return rows.map(({ locale_id }) => locale_id!)
}
