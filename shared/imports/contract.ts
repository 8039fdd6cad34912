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
  const { path, access, record, nouns } = kind
  const schemas = importSchemas(kind)
  const recordId = `${record}_id` as const
  const Id = z.strictObject({ id: z.uuid('The id of an import is a UUID') })
  const RowId = Id.extend({ row_number: z.coerce.number().int().min(1).max(2_147_483_647) })
  const version = { plan_version: z.int() }
  const manages = { access } as const
  const one = { params: Id, response: z.object({ import: schemas.Import }) }

  return {
    record,
    fields: kind.fields,
    /** Codes of problems that keep a row from being imported. */
    errors: [...BASE_ERRORS, ...kind.errors, `${record}_twice`] as readonly string[],
    schemas,

    upload: endpoint({
      ...manages,
      method: 'POST',
      path,
      status: 201,
      takesFile: true,
      summary: `Reads a CSV, XLSX, GeoJSON or OpenStreetMap file of ${nouns.records}; nothing is imported yet`,
      query: z.strictObject({ name: z.string().max(1_000).optional() }),
      body: Upload,
      response: one.response,
    }),
    list: endpoint({
      ...manages,
      method: 'GET',
      path,
      summary: 'The imports, the latest first',
      query: z.strictObject({ page: TABLE_QUERY.page, per_page: TABLE_QUERY.per_page }),
      response: z.object({ imports: z.array(schemas.Import), ...TABLE_ANSWER }),
    }),
    get: endpoint({
      ...manages,
      method: 'GET',
      path: `${path}/{id}`,
      summary: 'One import: its columns with samples, how they are read, and what the plan comes to',
      params: Id,
      response: schemas.Detail,
    }),
    plan: endpoint({
      ...manages,
      ...one,
      method: 'POST',
      path: `${path}/{id}/plan`,
      status: 202,
      summary: 'Keeps how the columns are read and makes the plan from it; a long one goes on after the answer',
      body: schemas.Mapping,
    }),
    rows: endpoint({
      ...manages,
      method: 'GET',
      path: `${path}/{id}/rows`,
      summary: 'The rows of the plan; format=csv gives all that match as a table to save',
      params: Id,
      query: RowFilters.extend({ format: z.enum(['json', 'csv']).default('json') }),
      response: z.object({ rows: z.array(schemas.Row), ...TABLE_ANSWER }),
    }),
    row: endpoint({
      ...manages,
      method: 'GET',
      path: `${path}/{id}/rows/{row_number}`,
      summary: 'One row of the plan with its cells as they stand in the file',
      params: RowId,
      response: z.object({ row: schemas.Row, cells: z.array(z.object({ column: z.string(), value: z.string() })) }),
    }),
    decide: endpoint({
      ...manages,
      method: 'POST',
      path: `${path}/{id}/rows/{row_number}/decision`,
      summary: `Says what becomes of a row that may be ${nouns.existing} that is there already`,
      params: RowId,
      body: z.strictObject({
        decision: z.enum(ROW_DECISIONS),
        ...keyed(recordId, z.uuid().optional().describe('Which one to update')),
        ...version,
      }),
      response: z.object({ import: schemas.Import, row: schemas.Row }),
    }),
    decideAll: endpoint({
      ...manages,
      method: 'POST',
      path: `${path}/{id}/decisions`,
      summary: 'Says it for all rows that are not decided yet',
      params: Id,
      body: z.strictObject({ decision: z.enum(['create', 'skip']), ...version }),
      response: z.object({ import: schemas.Import, decided: z.int() }),
    }),
    commit: endpoint({
      ...manages,
      ...one,
      method: 'POST',
      path: `${path}/{id}/commit`,
      status: 202,
      summary: 'Writes exactly this plan, all of it or nothing; refused when a row is not as the plan saw it',
      body: z.strictObject({ plan_version: z.int32().describe('Of the plan that was looked at') }),
    }),
    undo: endpoint({
      ...manages,
      ...one,
      method: 'POST',
      path: `${path}/{id}/undo`,
      status: 202,
      summary: `Puts everything back as it was before the commit; refused when a ${record} was changed since`,
    }),
    remove: endpoint({
      ...manages,
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Forgets an import that is not in force',
      params: Id,
      response: Removed,
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
