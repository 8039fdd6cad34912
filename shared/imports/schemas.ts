import * as z from 'zod'
import { instant } from '#shared/common-schemas.ts'
import type { Access } from '#shared/roles.ts'
import { TABLE_QUERY } from '#shared/table.ts'
import { MAX_COLUMNS } from './limits.ts'
import { IMPORT_STATUSES, PLANNED_ACTIONS, ROW_DECISIONS } from './model.ts'

/** Problems that every plan may find, beside those of its kind. */
export const BASE_ERRORS = ['lost_letter', 'id_twice', 'id_unknown'] as const
const BASE_WARNINGS = ['same_row', 'maybe_same', 'not_understood', 'too_long', 'chosen_gone'] as const

export type Shape = Record<string, z.ZodType>
/** The description of one kind of import. */
export interface ImportKind {
  /** Of the endpoints: '/locale-imports'. */
  path: string
  access: Access
  /** Names the fields and codes that speak of a record: 'locale' gives `locale_id` and 'locale_twice'. */
  record: string
  /** Fields that a file can contain; 'id' is the portal's own id. */
  fields: readonly [string, ...string[]]
  /** Codes of problems: a row with one of the errors is not imported; warnings are only reported. */
  errors: readonly string[]
  warnings: readonly string[]
  /** Why a commit or an undo may be refused, beside the usual reasons. */
  refusals: readonly string[]
  /** Sent beside the mapping, saved with the import. */
  settings: Shape
  counts: Shape
  /** Details of a possible duplicate; `why` is required. */
  duplicate: Shape
  detail: Shape
  /** For the API document. */
  nouns: { records: string; existing: string }
}

/** The same with the types of this kind: reading a property of a type parameter would widen it. */
type SchemasOf<K extends ImportKind> = { [P in keyof ImportKind]: K[P] }

/** Sets one computed key, with its type. */
export const keyed = <K extends string, T>(key: K, value: T) => ({ [key]: value }) as { [k in K]: T }

export const RowFilters = z.strictObject({
  ...TABLE_QUERY,
  action: z.enum([...PLANNED_ACTIONS, 'undecided', 'warnings']).optional(),
})
export type RowFilters = z.output<typeof RowFilters>

const BASE_COUNTS = {
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  skip: z.int(),
  error: z.int(),
  undecided: z.int().describe('Skipped rows that may already exist and need a decision'),
  warnings: z.int().describe('Imported rows with warnings'),
}

/** The schemas of one kind of import; the names of a record's fields come from its noun. */
export function importSchemas<const K extends ImportKind>(kind: K) {
  const { record, fields, errors, warnings, settings, duplicate, detail }: SchemasOf<K> = kind
  const recordId = `${record}_id` as const
  const Field = z.enum(fields, 'Choose one of the fields.')
  const Problem = z.object({
    code: z.enum([...BASE_ERRORS, ...errors, `${record}_twice` as const, ...BASE_WARNINGS, ...warnings]),
    field: Field.optional(),
    value: z.string().optional().describe('Value in the file; for a duplicate row, the number of the first'),
  })
  const Duplicate = z.object({
    ...keyed(recordId, z.uuid()),
    name: z.string(),
    place: z.string(),
    ...duplicate,
  })
  const Import = summaryOf<K['counts'], K['refusals']>(kind.counts, kind.refusals)
  const mapping = z.record(z.string().max(200), Field)
  return {
    Import,
    Problem,
    Duplicate,
    /** Settings, completed by their defaults. */
    Settings: z.object(settings),
    /** Maps file columns to fields; columns not listed are ignored. */
    Mapping: z.strictObject({
      mapping: mapping.refine((all) => Object.keys(all).length <= MAX_COLUMNS, 'The file has no such columns.'),
      ...settings,
    }),
    Detail: z.object({
      import: Import,
      columns: z.array(z.object({ name: z.string(), samples: z.array(z.string()) })),
      mapping: z.record(z.string(), Field),
      ...settings,
      ...detail,
      same_file: z
        .object({ id: z.uuid(), created_at: instant, status: z.enum(IMPORT_STATUSES) })
        .nullable()
        .describe('Earlier upload of the same file'),
    }),
    Row: z.object({
      row_number: z.int().describe('Line number in the file; the headings are line 1'),
      action: z.enum(PLANNED_ACTIONS),
      name: z.string().nullable(),
      place: z.string().nullable(),
      ...keyed(recordId, z.uuid().nullable()),
      changes: z
        .array(z.object({ field: z.string(), old: z.string(), new: z.string() }))
        .describe('The values to write'),
      problems: z.array(Problem),
      duplicates: z.array(Duplicate),
      decision: z.enum(ROW_DECISIONS).nullable(),
      ...keyed(`decided_${recordId}` as const, z.uuid().nullable()),
      is_undecided: z.boolean(),
    }),
  }
}

function summaryOf<Counts extends Shape, const Refusals extends readonly string[]>(counts: Counts, refusals: Refusals) {
  const Refusal = z.object({
    code: z.enum(['rows_changed', 'changed_since', ...refusals, 'failed']),
    rows: z.array(z.object({ row_number: z.int(), name: z.string().nullable(), code: z.string() })),
    total: z.int().describe('Number of such rows; the first of them are listed'),
  })
  return z.object({
    id: z.uuid(),
    file_name: z.string(),
    status: z.enum(IMPORT_STATUSES),
    row_count: z.int(),
    counts: z
      .object({ ...BASE_COUNTS, ...counts })
      .nullable()
      .describe('Null until there is a plan'),
    plan_version: z.int(),
    progress: z.int().describe('Rows processed in the current step'),
    is_stuck: z.boolean().describe('Running, but without progress for minutes: the step can be started again'),
    refusal: Refusal.nullable().describe('Why the last step was rejected'),
    created_by: z.string().nullable().describe('Name of the user who uploaded it'),
    created_at: instant,
    planned_at: instant.nullable(),
    committed_at: instant.nullable(),
    undone_at: instant.nullable(),
  })
}
