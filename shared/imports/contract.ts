import * as z from 'zod'
import { Removed } from '#shared/common-schemas.ts'
import { type Endpoint, endpoint } from '#shared/contract.ts'
import { Upload } from '#shared/files/upload.ts'
import { TABLE_ANSWER, TABLE_QUERY } from '#shared/table.ts'
import {
  type ImportDetail,
  type ImportSettings,
  type ImportSummary,
  type Mapping,
  type PlannedRow,
  ROW_DECISIONS,
  type RowDecision,
} from './model.ts'
import { BASE_ERRORS, type ImportKind, importSchemas, keyed, RowFilters } from './schemas.ts'

/** Schemas and endpoints of one kind of import. */
export function importContract<const K extends ImportKind>(kind: K) {
  const { record, fields } = kind
  const schemas = importSchemas(kind)
  return {
    record: record as K['record'],
    fields: fields as K['fields'],
    /** Codes of problems that keep a row from being imported. */
    errors: [...BASE_ERRORS, ...kind.errors, `${record}_twice`] as readonly string[],
    schemas,
    ...fileEndpoints(kind, schemas.Import, schemas.Detail),
    ...stepEndpoints(kind, schemas.Import, schemas.Mapping),
    ...rowEndpoints(kind, schemas.Import, schemas.Row),
  }
}

/** What endpoints need to know of their kind. */
interface Addressed<Path extends string, Noun extends string = string> extends ImportKind {
  path: Path
  record: Noun
}

const Id = z.strictObject({ id: z.uuid('The id of an import is a UUID') })

function fileEndpoints<const Path extends string, Import extends z.ZodType, Detail extends z.ZodType>(
  { path, access, nouns }: Addressed<Path>,
  Import: Import,
  Detail: Detail,
) {
  return {
    upload: endpoint({
      access,
      method: 'POST',
      path,
      status: 201,
      takesFile: true,
      summary: `Reads a CSV, XLSX, GeoJSON or OpenStreetMap file of ${nouns.records}; nothing is imported yet`,
      query: z.strictObject({ name: z.string().max(1_000).optional() }),
      body: Upload,
      response: z.object({ import: Import }),
    }),
    list: endpoint({
      access,
      method: 'GET',
      path,
      summary: 'Imports, newest first',
      query: z.strictObject({ page: TABLE_QUERY.page, per_page: TABLE_QUERY.per_page }),
      response: z.object({ imports: z.array(Import), ...TABLE_ANSWER }),
    }),
    get: endpoint({
      access,
      method: 'GET',
      path: `${path}/{id}`,
      summary: 'One import: its columns with samples, their mapping and a summary of the plan',
      params: Id,
      response: Detail,
    }),
    remove: endpoint({
      access,
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Deletes an import that is not in force',
      params: Id,
      response: Removed,
    }),
  }
}

function stepEndpoints<const Path extends string, Import extends z.ZodType, Mapping extends z.ZodType>(
  { path, access, record }: Addressed<Path>,
  Import: Import,
  Mapping: Mapping,
) {
  const step = { access, method: 'POST', status: 202, params: Id, response: z.object({ import: Import }) } as const
  return {
    plan: endpoint({
      ...step,
      path: `${path}/{id}/plan`,
      summary: 'Saves the mapping of the columns and builds the plan; a long one continues after the response',
      body: Mapping,
    }),
    commit: endpoint({
      ...step,
      path: `${path}/{id}/commit`,
      summary: 'Commits exactly this plan, all or nothing; rejected if a row no longer matches it',
      body: z.strictObject({ plan_version: z.int32().describe('Version of the plan that was reviewed') }),
    }),
    undo: endpoint({
      ...step,
      path: `${path}/{id}/undo`,
      summary: `Undoes the commit; rejected if a ${record} was changed since`,
    }),
  }
}

function rowEndpoints<
  const Path extends string,
  const Noun extends string,
  Import extends z.ZodType,
  Row extends z.ZodType,
>({ path, access, record, nouns }: Addressed<Path, Noun>, Import: Import, Row: Row) {
  const RowId = Id.extend({ row_number: z.coerce.number().int().min(1).max(2_147_483_647) })
  const plan_version = z.int()
  return {
    rows: endpoint({
      access,
      method: 'GET',
      path: `${path}/{id}/rows`,
      summary: 'Rows of the plan; format=csv exports all matches',
      params: Id,
      query: RowFilters.extend({ format: z.enum(['json', 'csv']).default('json') }),
      response: z.object({ rows: z.array(Row), ...TABLE_ANSWER }),
    }),
    row: endpoint({
      access,
      method: 'GET',
      path: `${path}/{id}/rows/{row_number}`,
      summary: 'One row of the plan with its cells from the file',
      params: RowId,
      response: z.object({ row: Row, cells: z.array(z.object({ column: z.string(), value: z.string() })) }),
    }),
    decide: endpoint({
      access,
      method: 'POST',
      path: `${path}/{id}/rows/{row_number}/decision`,
      summary: `Decides about a row that may be ${nouns.existing} that already exists`,
      params: RowId,
      body: z.strictObject({
        decision: z.enum(ROW_DECISIONS),
        ...keyed(`${record}_id` as const, z.uuid().optional().describe('The record to update')),
        plan_version,
      }),
      response: z.object({ import: Import, row: Row }),
    }),
    decideAll: endpoint({
      access,
      method: 'POST',
      path: `${path}/{id}/decisions`,
      summary: 'Decides about all rows that are still open',
      params: Id,
      body: z.strictObject({ decision: z.enum(['create', 'skip']), plan_version }),
      response: z.object({ import: Import, decided: z.int() }),
    }),
  }
}

type ById = { params: { id: string } }
type Summary = { import: ImportSummary }
type Page = { total: number; page: number; per_page: number }
type Decision = { decision: RowDecision; plan_version: number }
type HowToRead = { mapping: Mapping } & ImportSettings
type Call<Input, Output, Parsed = Input> = Endpoint<Input, Parsed, Output>
type RowCall<Body, Output> = Call<
  { params: { id: string; row_number: unknown } } & Body,
  Output,
  { params: { id: string; row_number: number } } & Body
>

/** The same for code that serves every kind: names and settings of the kind are not known. */
export interface ImportContract {
  record: string
  fields: readonly string[]
  errors: readonly string[]
  schemas: { Settings: z.ZodType<ImportSettings>; Mapping: z.ZodType<HowToRead> }
  upload: Call<{ query?: { name?: string }; body: Upload }, Summary, { query: { name?: string }; body: Upload }>
  list: Call<
    { query?: { page?: unknown; per_page?: unknown } },
    { imports: ImportSummary[] } & Page,
    { query: { page: number; per_page: number } }
  > & { query: z.ZodObject }
  get: Call<ById, ImportDetail>
  plan: Call<ById & { body: HowToRead }, Summary>
  rows: Call<
    ById & { query?: z.input<typeof RowFilters> },
    { rows: PlannedRow[] } & Page,
    ById & { query: RowFilters & { format: 'json' | 'csv' } }
  >
  row: RowCall<unknown, { row: PlannedRow; cells: { column: string; value: string }[] }>
  decide: RowCall<{ body: Decision }, Summary & { row: PlannedRow }>
  decideAll: Call<ById & { body: { decision: 'create' | 'skip'; plan_version: number } }, Summary & { decided: number }>
  commit: Call<ById & { body: { plan_version: number } }, Summary>
  undo: Call<ById, Summary>
  remove: Call<ById, { removed: true }>
}
