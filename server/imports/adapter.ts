import type { RawBuilder } from 'kysely'
import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { ImportContract } from '#shared/imports/contract.ts'
import type { ImportSettings, ImportStatus, Mapping, PossibleDuplicate, RowProblem } from '#shared/imports/model.ts'

export type Fields = Record<string, unknown>
/** Who asked for a step; null: the command line. */
export type By = Pick<SignedIn, 'id' | 'role'> | null
/** Runs one transaction in the name of the portal. */
export type Work = <T>(run: (db: Db) => Promise<T>) => Promise<T>

/** How a file is read. */
export interface HowToRead {
  columns: readonly string[]
  mapping: Mapping
  settings: ImportSettings
}

/** A parsed row. */
export interface ReadRow {
  /** By field; only fields the file has a value for. */
  values: Fields
  /** Fields that the file has and that are empty in this row. */
  empty: string[]
  /** The portal's own id of the record, from an export. */
  id?: string | undefined
  problems: RowProblem[]
}

/** An existing record with its related lists; `seen` is its updated_at as text, more precise than a Date. */
export type ExistingRecord = Fields & { id: string; seen: string }

export interface Change {
  /** New values; empty: nothing to do. */
  fields: Fields
  /** The same fields with their current values. */
  before: Fields
  /** All problems of the row, those found while reading included. */
  problems: RowProblem[]
}

/** How the rows of one file are checked, normalised and compared with records. */
export interface RowRules {
  read: (cells: readonly string[]) => ReadRow
  /** The row's key in its source, which two rows may not share. */
  keyOf: (values: Fields) => string | undefined
  /** Equal for two rows that describe the same record; empty: too little to tell. */
  descriptionOf: (values: Fields) => string
  /** What people recognise a record by. */
  nameOf: (values: Fields) => { name: string | null; place: string | null }
  create: (row: ReadRow) => Change
  update: (record: ExistingRecord, row: ReadRow, isKeyTaken: boolean) => Change
}

/** Index of the existing records that rows may refer to. */
export interface RecordIndex {
  has: (id: string) => boolean
  byKey: (key: string) => string | undefined
  /** The one record with the same description; none if two match. */
  same: (values: Fields) => string | undefined
  /** Possible duplicates, best first; a person decides about them. */
  alike: (values: Fields) => PossibleDuplicate[]
}

/** The table whose rows are imported; it has the columns id, created_at and updated_at. */
export interface RecordTable {
  name: string
  /** Columns that a row of a file can set. */
  columns: readonly string[]
  /** Columns set only when a record is created. */
  derived?: readonly string[]
  /** Columns that refer to rows which others may delete, with their tables. */
  references?: Readonly<Record<string, string>>
}

/** Rows of one import that are written by one statement. */
export interface Span {
  id: string
  from: number
  to: number
}

/**
 * Everything that imports of one kind need: its contract, how rows are read and compared, and what a commit writes
 * beside the record itself. Reading files, plans, commits and undos are the same for all kinds.
 */
export interface ImportAdapter {
  /** As in the column `imports.kind`; `portal_may_import` says in the database who may. */
  kind: string
  contract: ImportContract
  headings: {
    /** Names of the fields in other systems, most reliable first. */
    names: Readonly<Record<string, readonly string[]>>
    /** A file with all of these is an export of the portal: its column `id` is ours. */
    ownExport: readonly string[]
    /** Fields without which no row can be read, each with the sentence that asks for it. */
    required: Readonly<Record<string, string>>
  }
  /** Settings for a file with headings that were not seen before. */
  suggestSettings?: (fileName: string, mapping: Mapping) => ImportSettings
  table: RecordTable
  rules: (db: Db, how: HowToRead) => Promise<RowRules>
  /** `by` lets an adapter leave out records that this user may not know of. */
  index: (work: Work, by: By) => Promise<RecordIndex>
  /** Related lists of records, stored in other tables. */
  related?: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, Fields>>

  /** Fields in the order in which changes are shown. */
  shownFields: readonly string[]
  /** A value as people read it. */
  textOf?: (field: string, value: unknown) => string
  /** English texts of the kind, for the downloaded plan: `field_…`, `problem_…`. */
  texts: Readonly<Record<string, string>>
  /** Counts of a plan beside the number of rows by action: aggregates over `import_rows`. */
  counts?: Readonly<Record<string, RawBuilder<number>>>
  /** Fields of the detail response beside the usual ones. */
  detail?: (db: Db, of: { id: string; status: ImportStatus }) => Promise<object>

  /** Further rows that the plan does not fit any more: selects of row_number, name and code. */
  conflicts?: (id: string) => RawBuilder<unknown>[]
  /** What must not be committed, each by a refusal of its own. */
  checks?: (id: string) => { code: string; rows: RawBuilder<unknown> }[]
  /** Whether others added to a created record `l` of the row `r`, so that it cannot be deleted any more. */
  hasMore?: RawBuilder<boolean>
  /** Called after the records of a span were written, or restored. */
  afterWrite?: (db: Db, span: Span) => Promise<void>
  afterRestore?: (db: Db, span: Span) => Promise<void>
  /** Called once, before the transaction ends. */
  finish?: (db: Db, ids: string[]) => Promise<void>
  /** The refusal that an error of the database stands for. */
  refusalOf?: (error: unknown) => string | undefined
}
