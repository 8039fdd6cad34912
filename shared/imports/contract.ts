import * as z from 'zod'
import { Removed } from '#shared/common-schemas.ts'
import { type Endpoint, endpoint } from '#shared/contract.ts'
import { Upload } from '#shared/files/upload.ts'
import type { Access } from '#shared/roles.ts'
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
import { BASE_ERRORS, type ImportKind, importSchemas, keyed, RowFilters, type Shape } from './schemas.ts'

/** Schemas and endpoints of one kind of import. */
export function importContract<
  const Path extends string,
  const Noun extends string,
  const Fields extends readonly [string, ...string[]],
  const Errors extends readonly string[],
  const Warnings extends readonly string[],
  const Refusals extends readonly string[],
  Settings extends Shape,
  Counts extends Shape,
  Duplicate extends Shape,
  Detail extends Shape,
>(kind: ImportKind<Path, Noun, Fields, Errors, Warnings, Refusals, Settings, Counts, Duplicate, Detail>) {
  const { record, fields } = kind
  const schemas = importSchemas(kind)
  return {
    record,
    fields,
    /** Codes of problems that keep a row from being imported. */
    errors: [...BASE_ERRORS, ...kind.errors, `${record}_twice`] as readonly string[],
    schemas,
    ...fileEndpoints(kind, schemas.Import, schemas.Detail),
    ...stepEndpoints(kind, schemas.Import, schemas.Mapping),
    ...rowEndpoints(kind, schemas.Import, schemas.Row),
  }
}

/** What endpoints need to know of their kind. */
interface Addressed<Path extends string> {
  path: Path
  access: Access
  record: string
  nouns: { records: string; existing: string }
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
      summary: 'The imports, the latest first',
      query: z.strictObject({ page: TABLE_QUERY.page, per_page: TABLE_QUERY.per_page }),
      response: z.object({ imports: z.array(Import), ...TABLE_ANSWER }),
    }),
    get: endpoint({
      access,
      method: 'GET',
      path: `${path}/{id}`,
      summary: 'One import: its columns with samples, how they are read, and what the plan comes to',
      params: Id,
      response: Detail,
    }),
    remove: endpoint({
      access,
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Forgets an import that is not in force',
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
      summary: 'Keeps how the columns are read and makes the plan from it; a long one goes on after the answer',
      body: Mapping,
    }),
    commit: endpoint({
      ...step,
      path: `${path}/{id}/commit`,
      summary: 'Writes exactly this plan, all of it or nothing; refused when a row is not as the plan saw it',
      body: z.strictObject({ plan_version: z.int32().describe('Of the plan that was looked at') }),
    }),
    undo: endpoint({
      ...step,
      path: `${path}/{id}/undo`,
      summary: `Puts everything back as it was before the commit; refused when a ${record} was changed since`,
    }),
  }
}

function rowEndpoints<
  const Path extends string,
  const Noun extends string,
  Import extends z.ZodType,
  Row extends z.ZodType,
>({ path, access, record, nouns }: Addressed<Path> & { record: Noun }, Import: Import, Row: Row) {
  const RowId = Id.extend({ row_number: z.coerce.number().int().min(1).max(2_147_483_647) })
  const plan_version = z.int()
  return {
    rows: endpoint({
      access,
      method: 'GET',
      path: `${path}/{id}/rows`,
      summary: 'The rows of the plan; format=csv gives all that match as a table to save',
      params: Id,
      query: RowFilters.extend({ format: z.enum(['json', 'csv']).default('json') }),
      response: z.object({ rows: z.array(Row), ...TABLE_ANSWER }),
    }),
    row: endpoint({
      access,
      method: 'GET',
      path: `${path}/{id}/rows/{row_number}`,
      summary: 'One row of the plan with its cells as they stand in the file',
      params: RowId,
      response: z.object({ row: Row, cells: z.array(z.object({ column: z.string(), value: z.string() })) }),
    }),
    decide: endpoint({
      access,
      method: 'POST',
      path: `${path}/{id}/rows/{row_number}/decision`,
      summary: `Says what becomes of a row that may be ${nouns.existing} that is there already`,
      params: RowId,
      body: z.strictObject({
        decision: z.enum(ROW_DECISIONS),
        ...keyed(`${record}_id` as const, z.uuid().optional().describe('Which one to update')),
        plan_version,
      }),
      response: z.object({ import: Import, row: Row }),
    }),
    decideAll: endpoint({
      access,
      method: 'POST',
      path: `${path}/{id}/decisions`,
      summary: 'Says it for all rows that are not decided yet',
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

/** The same for code that serves every kind: names and settings of the kind are not known. */
export interface ImportContract {
  record: string
  fields: readonly string[]
  errors: readonly string[]
  schemas: { Settings: z.ZodType<ImportSettings>; Mapping: z.ZodType<HowToRead> }
  upload: Endpoint<{ query?: { name?: string }; body: Upload }, { query: { name?: string }; body: Upload }, Summary>
  list: Endpoint<
    { query?: { page?: unknown; per_page?: unknown } },
    { query: { page: number; per_page: number } },
    { imports: ImportSummary[] } & Page
  > & { query: z.ZodObject }
  get: Endpoint<ById, ById, ImportDetail>
  plan: Endpoint<ById & { body: HowToRead }, ById & { body: HowToRead }, Summary>
  rows: Endpoint<
    ById & { query?: z.input<typeof RowFilters> },
    ById & { query: RowFilters & { format: 'json' | 'csv' } },
    { rows: PlannedRow[] } & Page
  >
  row: Endpoint<
    { params: { id: string; row_number: unknown } },
    { params: { id: string; row_number: number } },
    { row: PlannedRow; cells: { column: string; value: string }[] }
  >
  decide: Endpoint<
    { params: { id: string; row_number: unknown }; body: Decision },
    { params: { id: string; row_number: number }; body: Decision },
    Summary & { row: PlannedRow }
  >
  decideAll: Endpoint<
    ById & { body: { decision: 'create' | 'skip'; plan_version: number } },
    ById & { body: { decision: 'create' | 'skip'; plan_version: number } },
    Summary & { decided: number }
  >
  commit: Endpoint<ById & { body: { plan_version: number } }, ById & { body: { plan_version: number } }, Summary>
  undo: Endpoint<ById, ById, Summary>
  remove: Endpoint<ById, ById, { removed: true }>
}
