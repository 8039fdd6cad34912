import * as z from 'zod'
import { instant, Removed } from '#shared/common-schemas.ts'
import { endpoint } from '#shared/contract.ts'
import { Upload } from '#shared/files/upload.ts'
import { TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import { text } from '#shared/text.ts'
import { IMPORT_FIELDS, MAX_COLUMNS, MISSING_WORDS } from './import-fields.ts'

export const PLANNED_ACTIONS = ['create', 'update', 'unchanged', 'skip', 'error'] as const
export type PlannedAction = (typeof PLANNED_ACTIONS)[number]
const ROW_DECISIONS = ['create', 'update', 'skip'] as const
export type RowDecision = (typeof ROW_DECISIONS)[number]

/** planning, committing and undoing are in progress; a failed step returns to the previous state, with a refusal. */
const IMPORT_STATUSES = [
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
export const isInProgress = (status: ImportStatus) =>
  status === 'reading' || status === 'planning' || status === 'committing' || status === 'undoing'

/** A row with one of these is not imported; other codes are only reported. */
export const ERROR_CODES = [
  'no_name',
  'lost_letter',
  'country_unknown',
  'out_of_range',
  'not_a_number',
  'name_too_long',
  'id_twice',
  'id_unknown',
  'locale_twice',
] as const
const WARNING_CODES = [
  'same_row',
  'maybe_same',
  'zero_point',
  'half_point',
  'too_long',
  'not_understood',
  'phone_unverified',
  'no_country',
  'country_differs',
  'point_elsewhere',
  'keeps_id',
  'chosen_gone',
] as const
const PROBLEM_CODES = [...ERROR_CODES, ...WARNING_CODES] as const

const Field = z.enum(IMPORT_FIELDS, 'Choose a field of a locale')
const RowProblem = z.object({
  code: z.enum(PROBLEM_CODES),
  field: Field.optional(),
  value: z.string().optional().describe('As it stands in the file; of a second row, the number of the first'),
})
export type RowProblem = z.infer<typeof RowProblem>

export const PossibleDuplicate = z.object({
  locale_id: z.uuid(),
  name: z.string(),
  place: z.string(),
  distance_km: z.number().nullable(),
  why: z.enum(['name_and_place', 'near']).describe('near: within 200 m, with a similar name'),
})
export type PossibleDuplicate = z.infer<typeof PossibleDuplicate>

const Counts = z.object({
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  skip: z.int(),
  error: z.int(),
  undecided: z.int().describe('Among the skipped: may be there already, nobody has decided'),
  warnings: z.int().describe('Rows with something to know that are imported all the same'),
  published: z.int().describe('Among the new: public at once, as not confirmed yet; the others are unpublished'),
  services: z.int().describe('Services that the lists of the new and the changed ones come to'),
  servants: z.int().describe('Servants that they come to'),
})
export type ImportCounts = z.infer<typeof Counts>

const Refusal = z.object({
  code: z.enum(['rows_changed', 'changed_since', 'would_loosen', 'failed']),
  rows: z.array(z.object({ row_number: z.int(), name: z.string().nullable(), code: z.string() })),
  total: z.int().describe('Of such rows; the first of them are listed'),
})
export type ImportRefusal = z.infer<typeof Refusal>

export const NEW_LOCALES = ['unpublished', 'to_be_confirmed'] as const

export const ImportOptions = z.strictObject({
  missing_words: z
    .array(text(40).pipe(z.string().min(1)))
    .max(20, 'Give at most 20 words.')
    .default([...MISSING_WORDS])
    .describe('Cells that say that nothing is known; an empty cell always does'),
  default_country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Give the two-letter ISO code.')
    .nullable()
    .default(null)
    .describe('For rows that name no country'),
  title_case_cities: z.boolean().default(false).describe("'PRAIRIE GROVE' becomes 'Prairie Grove'"),
  clears_empty: z.boolean().default(false).describe('An empty cell empties the field of a locale that is updated'),
  new_locales: z
    .enum(NEW_LOCALES)
    .default('unpublished')
    .describe('What becomes of new locales of which the file does not say whether they are public'),
})
export type ImportOptions = z.output<typeof ImportOptions>

/** Maps file columns to fields; columns not listed are ignored. */
export const ImportMapping = z.strictObject({
  mapping: z
    .record(z.string().max(200), Field)
    .refine((mapping) => Object.keys(mapping).length <= MAX_COLUMNS, 'The file has no such columns.'),
  id_prefix: text(40).default('').describe("Goes before the file's own ids, so that two files cannot mean the same"),
  options: ImportOptions.prefault({}),
})
export type ImportMapping = z.output<typeof ImportMapping>

export const LocaleImport = z.object({
  id: z.uuid(),
  file_name: z.string(),
  status: z.enum(IMPORT_STATUSES),
  row_count: z.int(),
  counts: Counts.nullable().describe('Null until there is a plan'),
  plan_version: z.int(),
  progress: z.int().describe('Rows done of the step under way'),
  is_stuck: z.boolean().describe('Under way, but without a sign for minutes: the step may be begun again'),
  refusal: Refusal.nullable().describe('Why the last step was refused'),
  created_by: z.string().nullable().describe('Name of who uploaded it'),
  created_at: instant,
  planned_at: instant.nullable(),
  committed_at: instant.nullable(),
  undone_at: instant.nullable(),
})
export type LocaleImport = z.infer<typeof LocaleImport>

const ImportDetail = z.object({
  import: LocaleImport,
  columns: z.array(z.object({ name: z.string(), samples: z.array(z.string()) })),
  mapping: z.record(z.string(), Field),
  id_prefix: z.string(),
  options: z.object({
    missing_words: z.array(z.string()),
    default_country: z.string().nullable(),
    title_case_cities: z.boolean(),
    clears_empty: z.boolean(),
    new_locales: z.enum(NEW_LOCALES),
  }),
  unpublished: z.int().describe('New ones of a committed import that are not public and that nobody has worked on'),
  same_file: z
    .object({ id: z.uuid(), created_at: instant, status: z.enum(IMPORT_STATUSES) })
    .nullable()
    .describe('The same file as it was uploaded before'),
})
export type ImportDetail = z.infer<typeof ImportDetail>

export const PlannedRow = z.object({
  row_number: z.int().describe('In the file, as a spreadsheet counts: the line of headings is 1'),
  action: z.enum(PLANNED_ACTIONS),
  name: z.string().nullable(),
  place: z.string().nullable(),
  locale_id: z.uuid().nullable(),
  changes: z.array(z.object({ field: z.string(), old: z.string(), new: z.string() })).describe('What is written'),
  problems: z.array(RowProblem),
  duplicates: z.array(PossibleDuplicate),
  decision: z.enum(ROW_DECISIONS).nullable(),
  decided_locale_id: z.uuid().nullable(),
  is_undecided: z.boolean(),
})
export type PlannedRow = z.infer<typeof PlannedRow>

export const RowFilters = z.strictObject({
  ...TABLE_QUERY,
  action: z.enum([...PLANNED_ACTIONS, 'undecided', 'warnings']).optional(),
})
export type RowFilters = z.output<typeof RowFilters>

const manages = { access: 'manageLocales' } as const
const Id = z.strictObject({ id: z.uuid('The id of an import is a UUID') })
const RowId = Id.extend({ row_number: z.coerce.number().int().min(1).max(2_147_483_647) })
const Version = z.strictObject({ plan_version: z.int32().describe('Of the plan that was looked at') })
const Decision = z.strictObject({
  decision: z.enum(ROW_DECISIONS),
  locale_id: z.uuid().optional().describe('Which one to update'),
  plan_version: z.int(),
})

export const uploadLocaleImport = endpoint({
  ...manages,
  method: 'POST',
  path: '/locale-imports',
  status: 201,
  takesFile: true,
  summary: 'Reads a CSV, XLSX, GeoJSON or OpenStreetMap file of locales; nothing is imported yet',
  query: z.strictObject({ name: z.string().max(1_000).optional() }),
  body: Upload,
  response: z.object({ import: LocaleImport }),
})

export const listLocaleImports = endpoint({
  ...manages,
  method: 'GET',
  path: '/locale-imports',
  summary: 'The imports, the latest first',
  query: z.strictObject({ page: TABLE_QUERY.page, per_page: TABLE_QUERY.per_page }),
  response: z.object({ imports: z.array(LocaleImport), ...TABLE_ANSWER }),
})

export const getLocaleImport = endpoint({
  ...manages,
  method: 'GET',
  path: '/locale-imports/{id}',
  summary: 'One import: its columns with samples, how they are read, and what the plan comes to',
  params: Id,
  response: ImportDetail,
})

export const planLocaleImport = endpoint({
  ...manages,
  method: 'POST',
  path: '/locale-imports/{id}/plan',
  status: 202,
  summary: 'Keeps how the columns are read and makes the plan from it; a long one goes on after the answer',
  params: Id,
  body: ImportMapping,
  response: z.object({ import: LocaleImport }),
})

export const listImportRows = endpoint({
  ...manages,
  method: 'GET',
  path: '/locale-imports/{id}/rows',
  summary: 'The rows of the plan; format=csv gives all that match as a table to save',
  params: Id,
  query: RowFilters.extend({ format: z.enum(['json', 'csv']).default('json') }),
  response: z.object({ rows: z.array(PlannedRow), ...TABLE_ANSWER }),
})

export const getImportRow = endpoint({
  ...manages,
  method: 'GET',
  path: '/locale-imports/{id}/rows/{row_number}',
  summary: 'One row of the plan with its cells as they stand in the file',
  params: RowId,
  response: z.object({ row: PlannedRow, cells: z.array(z.object({ column: z.string(), value: z.string() })) }),
})

export const decideImportRow = endpoint({
  ...manages,
  method: 'POST',
  path: '/locale-imports/{id}/rows/{row_number}/decision',
  summary: 'Says what becomes of a row that may be a church that is there already',
  params: RowId,
  body: Decision,
  response: z.object({ import: LocaleImport, row: PlannedRow }),
})

export const decideImportRows = endpoint({
  ...manages,
  method: 'POST',
  path: '/locale-imports/{id}/decisions',
  summary: 'Says it for all rows that are not decided yet',
  params: Id,
  body: Decision.omit({ locale_id: true }).extend({ decision: z.enum(['create', 'skip']) }),
  response: z.object({ import: LocaleImport, decided: z.int() }),
})

export const commitLocaleImport = endpoint({
  ...manages,
  method: 'POST',
  path: '/locale-imports/{id}/commit',
  status: 202,
  summary: 'Writes exactly this plan, all of it or nothing; refused when a row is not as the plan saw it',
  params: Id,
  body: Version,
  response: z.object({ import: LocaleImport }),
})

export const undoLocaleImport = endpoint({
  ...manages,
  method: 'POST',
  path: '/locale-imports/{id}/undo',
  status: 202,
  summary: 'Puts everything back as it was before the commit; refused when a locale was changed since',
  params: Id,
  response: z.object({ import: LocaleImport }),
})

export const publishLocaleImport = endpoint({
  ...manages,
  method: 'POST',
  path: '/locale-imports/{id}/publish',
  summary: 'Makes the new locales of an import public that are still unpublished and as it made them',
  params: Id,
  body: z.strictObject({ count: z.int().min(1).describe('How many there are, as the person has seen it') }),
  response: z.object({ published: z.int() }),
})

export const removeLocaleImport = endpoint({
  ...manages,
  method: 'DELETE',
  path: '/locale-imports/{id}',
  summary: 'Forgets an import that is not in force',
  params: Id,
  response: Removed,
})
