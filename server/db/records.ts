import type { Selectable } from 'kysely'
import { audit, changed } from '#server/audit/audit-log.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { AuditedRecord, RecordAction } from '#shared/audit/actions.ts'
import { AppError } from '#shared/errors.ts'
import type { Db } from './connection.ts'
import type { Tables } from './tables.ts'

/** Tables whose rows are records: an id, and the time of the last change as their version. */
type RecordTable = {
  [T in keyof Tables]: Selectable<Tables[T]> extends { id: string; updated_at: Date } ? T : never
}[keyof Tables] &
  string

/** Columns that are no content of a record: they are not compared, and not in the audit log. */
const BOOKKEEPING = ['id', 'created_at', 'updated_at', 'updated_by', 'search_text']

interface RecordOptions {
  /** Name in the audit log: 'pdos_module' gives the actions `pdos_module.create`, `.update` and `.delete`. */
  subject: AuditedRecord
  /** Why there is none: `() => new AppError(404, 'chapter_not_found', 'Chapter not found')`. */
  missing: () => AppError
  /** Messages by field for violated constraints: `{ pdos_modules_code_key: ['code', 'Another module has this code'] }`. */
  constraints?: Record<string, [field: string, message: string]>
}

export interface Saving {
  by: Pick<SignedIn, 'id' | 'role'>
  now: Date
}

/** Which version the caller read, and why they change it. */
export interface Change {
  made_from?: string | undefined
  reason?: string | undefined
}

export interface Records<Row> {
  get(db: Db, id: string): Promise<Row>
  /** Locks the record for the rest of the transaction; with `made_from`, only if it is still that version. */
  lock(db: Db, id: string, made_from?: string): Promise<Row & Versioned>
  create(db: Db, values: Columns<Row>, saving: Saving): Promise<Row>
  /** Saves the fields that differ; without any, nothing is written. */
  update(db: Db, id: string, change: Columns<Row> & Change, saving: Saving): Promise<Row>
  remove(db: Db, id: string, change: Change, saving: Saving): Promise<Row>
}

type Versioned = { id: string; updated_at: Date }
/** The table decides about the values. */
type Columns<Row> = { [C in keyof Row]?: unknown }

/**
 * Reads and writes the records of a table in the transaction `db`. Every write locks the record, rejects a change of a
 * version that is no longer the latest (409), and is in the audit log with what it was and what it became.
 */
export function recordsOf<T extends RecordTable>(
  table: T,
  { subject, missing, constraints = {} }: RecordOptions,
): Records<Selectable<Tables[T]>> {
  // Kysely cannot resolve a table that is a type parameter. Here it is one that has what all records have; callers see
  // the columns of their own.
  const name = table as 'user_profiles'
  type Row = Selectable<Tables['user_profiles']>
  const contentOf = (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !BOOKKEEPING.includes(column)))
  const note = (db: Db, by: Saving['by'], action: RecordAction, id: string, entry: object) =>
    audit(db, by, { action: `${subject}.${action}`, subject_type: subject, subject_id: id, ...entry })

  async function get(db: Db, id: string): Promise<Row> {
    const row = await db.selectFrom(name).selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw missing()
    return row
  }

  async function lock(db: Db, id: string, made_from?: string): Promise<Row> {
    const row = await db.selectFrom(name).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!row) throw missing()
    if (made_from !== undefined && row.updated_at.getTime() !== Date.parse(made_from)) throw stale()
    return row
  }

  async function create(db: Db, values: Columns<Row>, { by, now }: Saving): Promise<Row> {
    const row = await db
      .insertInto(name)
      .values({ ...values, updated_at: now } as never)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(explain)
    await note(db, by, 'create', row.id, { after: contentOf(row) })
    return row
  }

  async function update(db: Db, id: string, change: Columns<Row> & Change, { by, now }: Saving): Promise<Row> {
    const { made_from, reason, ...values } = change
    const existing = await lock(db, id, made_from)
    const difference = changed<object>(existing, values)
    if (!difference) return existing
    const row = await db
      .updateTable(name)
      .set({ ...difference.after, updated_at: laterThan(existing, now) } as never)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(explain)
    await note(db, by, 'update', id, { ...changed(contentOf(existing), contentOf(row)), reason })
    return row
  }

  async function remove(db: Db, id: string, { made_from, reason }: Change, { by }: Saving): Promise<Row> {
    const existing = await lock(db, id, made_from)
    await db.deleteFrom(name).where('id', '=', id).execute()
    await note(db, by, 'delete', id, { before: contentOf(existing), reason })
    return existing
  }

  function explain(error: unknown): never {
    const [field, message] = constraints[(error as { constraint?: string }).constraint ?? ''] ?? []
    throw field && message ? invalid({ [field]: message }) : error
  }

  const records: Records<Row> = { get, lock, create, update, remove }
  return records as unknown as Records<Selectable<Tables[T]>>
}

/** Strictly increasing even within one millisecond: later changes are compared with it. */
export const laterThan = (row: { updated_at: Date }, now: Date) =>
  new Date(Math.max(now.getTime(), row.updated_at.getTime() + 1))

/** The record changed since the caller read it. */
export const stale = () =>
  new AppError(409, 'stale', 'Someone has changed this since you opened it. Nothing was saved.')

/** One message per field of the request. */
export const invalid = (fields: Record<string, string>) =>
  new AppError(422, 'invalid_input', 'Please correct the marked fields.', { fields })
