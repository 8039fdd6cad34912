import type { Generated } from 'kysely'
import type {
  ImportCounts,
  ImportRefusal,
  ImportSettings,
  ImportStatus,
  Mapping,
  PlannedAction,
  PossibleDuplicate,
  RowDecision,
  RowProblem,
} from '#shared/imports/model.ts'
import type { DefaultInstant, Json, OptionalInstant } from './column-types.ts'

export interface ImportsTable {
  id: Generated<string>
  /** The kind of records, as its adapter names it; who may see a kind is decided by `portal_may_import`. */
  kind: string
  file_name: string
  sha256: string
  columns: string[]
  mapping: Json<Mapping>
  settings: Json<ImportSettings>
  status: ImportStatus
  row_count: number
  counts: Json<ImportCounts>
  plan_version: Generated<number>
  refusal: Json<ImportRefusal> | null
  progress: Generated<number>
  active_at: DefaultInstant
  created_by: string | null
  created_at: DefaultInstant
  planned_at: OptionalInstant
  committed_at: OptionalInstant
  undone_at: OptionalInstant
}

export interface ImportRowsTable {
  import_id: string
  row_number: number
  /** In column order. */
  cells: Json<string[]>
  action: PlannedAction | null
  record_id: string | null
  seen_updated_at: OptionalInstant
  fields: Json<Record<string, unknown>> | null
  before: Json<Record<string, unknown>> | null
  written_updated_at: OptionalInstant
  problems: Json<RowProblem[]>
  duplicates: Json<PossibleDuplicate[]>
  name: string | null
  place: string | null
  decision: RowDecision | null
  decided_record_id: string | null
  is_undecided: Generated<boolean>
}

export interface ImportTables {
  imports: ImportsTable
  import_rows: ImportRowsTable
}
