export const PLANNED_ACTIONS = ['create', 'update', 'unchanged', 'skip', 'error'] as const
export type PlannedAction = (typeof PLANNED_ACTIONS)[number]
export const ROW_DECISIONS = ['create', 'update', 'skip'] as const
export type RowDecision = (typeof ROW_DECISIONS)[number]

/** planning, committing and undoing are in progress; a failed step returns to the previous state, with a refusal. */
export const IMPORT_STATUSES = [
  'reading',
  'uploaded',
  'planning',
  'planned',
  'committing',
  'committed',
  'undoing',
  'undone',
] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

/** Whether a step of the import is running. */
export const isInProgress = (status: ImportStatus) =>
  status === 'reading' || status === 'planning' || status === 'committing' || status === 'undoing'

/** Something to know about a row; the contract of each kind of import names its codes and fields. */
export interface RowProblem {
  code: string
  field?: string | undefined
  value?: string | undefined
}

/** An existing record that a row may refer to; its id has the name of the record in public. */
interface Duplicate {
  name: string
  place: string
  why: string
}
/** The same as it is stored; a kind may add details such as a distance. */
export interface PossibleDuplicate extends Duplicate {
  record_id: string
  [detail: string]: unknown
}

export const BASE_COUNTS = ['create', 'update', 'unchanged', 'skip', 'error', 'undecided', 'warnings'] as const
/** Number of rows by action; a kind may count more. */
export type ImportCounts = Record<(typeof BASE_COUNTS)[number], number> & Record<string, number>

export interface ImportRefusal {
  code: string
  rows: { row_number: number; name: string | null; code: string }[]
  total: number
}

/** How the columns of a file are read: the field of each column, and the settings of the kind. */
export type Mapping = Record<string, string>
export type ImportSettings = Record<string, unknown>

/** One import, whatever it imports. */
export interface ImportSummary {
  id: string
  file_name: string
  status: ImportStatus
  row_count: number
  counts: ImportCounts | null
  plan_version: number
  progress: number
  is_stuck: boolean
  refusal: ImportRefusal | null
  created_by: string | null
  created_at: string
  planned_at: string | null
  committed_at: string | null
  undone_at: string | null
}

export interface ImportDetail {
  import: ImportSummary
  columns: { name: string; samples: string[] }[]
  mapping: Mapping
  same_file: { id: string; created_at: string; status: ImportStatus } | null
}

export interface PlannedRow {
  row_number: number
  action: PlannedAction
  name: string | null
  place: string | null
  changes: { field: string; old: string; new: string }[]
  problems: RowProblem[]
  duplicates: Duplicate[]
  decision: RowDecision | null
  is_undecided: boolean
}

/** The id of the record in an object of the public contract, whose field is named after the record: `locale_id`. */
export function recordIdOf(record: string, of: object): string | null {
  return (of as Record<string, unknown>)[`${record}_id`] as string | null
}
