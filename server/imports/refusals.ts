import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { ImportRefusal } from '#shared/imports/model.ts'

const ROWS_SHOWN = 50

/** The plan no longer matches the tables: nothing was written. */
export class Refused extends Error {
  readonly refusal: ImportRefusal
  constructor(refusal: ImportRefusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

/** Refuses the step if any of these selects of row_number, name and code finds a row. */
export async function refuseIfAny(db: Db, code: string, selects: readonly RawBuilder<unknown>[]): Promise<void> {
  const { rows } = await sql<{ row_number: number; name: string | null; code: string; total: number }>`
    with found as (${sql.join(selects, sql` union all `)})
    select *, count(*) over () as total from found order by row_number limit ${ROWS_SHOWN}`.execute(db)
  const [first] = rows
  if (first) throw new Refused({ code, rows: rows.map(({ total: _, ...row }) => row), total: first.total })
}
