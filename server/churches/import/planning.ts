import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Countries } from '#server/countries/reference.ts'
import { inBackground } from '#server/db/claims.ts'
import type { Database, Db } from '#server/db/connection.ts'
import {
  ERROR_CODES,
  type ImportCounts,
  ImportMapping,
  type PlannedAction,
  type PossibleDuplicate,
  type RowDecision,
  type RowProblem,
} from '#shared/churches/imports.ts'
import { type Change, changeOf, type Fields, type LocaleRow, newLocale } from './change.ts'
import { type Known, type KnownLocale, knownLocales, knownPage } from './known.ts'
import { createRowReader, type ReadRow } from './row.ts'
import { plain } from './values.ts'

const ROWS_AT_ONCE = 250
const ERRORS: ReadonlySet<string> = new Set(ERROR_CODES)

export interface Planned {
  row_number: number
  action: PlannedAction
  locale_id: string | null
  /** As the database writes it: its fractions of a second are finer than those of a Date. */
  seen_updated_at: string | null
  fields: Fields | null
  before: Fields | null
  problems: RowProblem[]
  duplicates: PossibleDuplicate[]
  name: string | null
  place: string | null
  is_undecided: boolean
}

interface FileRow {
  row_number: number
  cells: string[]
  decision: RowDecision | null
  decided_locale_id: string | null
}
export type SeenLocale = LocaleRow & { seen: string }

/** What the rows of one file are planned with. */
export interface PlanContext {
  read: (cells: readonly string[]) => ReadRow
  known: Known
  clearsEmpty: boolean
  nameOf: (code: string) => string
}

/** Makes the plan of an import that was claimed for it: every row gets what is done with it, and why. */
export async function planImport(database: Database, id: string, countries: Countries): Promise<void> {
  const work = <T>(run: (db: Db) => Promise<T>) => inBackground(database, 'import', run)
  const context = await contextOf(work, id, countries)
  const planner = createPlanner(context)
  for (let after = 0; ; ) {
    const rows = await work((db) => fileRows(db, id, after))
    if (rows.length === 0) break
    after = rows.at(-1)!.row_number
    const read = rows.map((row) => ({ ...row, ...context.read(row.cells) }))
    const seen = await work((db) => seenLocales(db, planner.meant(read)))
    const planned = read.flatMap((row) => planner.plan(row, seen))
    await work((db) => writePlanned(db, id, planned, read.length))
  }
  for (const planned of planner.rest()) await work((db) => writePlanned(db, id, planned, 0))
  await work((db) => finishPlan(db, id))
}

async function contextOf(
  work: <T>(run: (db: Db) => Promise<T>) => Promise<T>,
  id: string,
  countries: Countries,
): Promise<PlanContext> {
  const known = await knownLocales((after) => work((db) => knownPage(db, after)))
  return { ...(await work((db) => readingOf(db, id, countries))), known }
}

/** For a single row: of all locales only those that have its id are asked for. */
export async function contextFor(db: Db, id: string, countries: Countries): Promise<PlanContext> {
  const reading = await readingOf(db, id, countries)
  return { ...reading, known: await knownLocales(async () => []) }
}

async function readingOf(db: Db, id: string, countries: Countries): Promise<Omit<PlanContext, 'known'>> {
  const { columns, ...how } = await db
    .selectFrom('locale_imports')
    .select(['columns', 'mapping', 'id_prefix', 'options'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const chapters = await db.selectFrom('mfa_local_chapters').select('id').execute()
  const mapping = ImportMapping.parse(how)
  const known = new Set(chapters.map((chapter) => chapter.id))
  const read = createRowReader(columns, mapping, countries)
  return {
    read: (cells) => withKnownChapter(read(cells), known),
    clearsEmpty: mapping.options.clears_empty,
    nameOf: countries.nameOf,
  }
}

export type Read = FileRow & ReadRow

/** Plans one row after the other, and remembers what the rows before meant. */
function createPlanner(context: PlanContext) {
  const { known } = context
  /** Which row each id, locale and description was first met in. */
  const ids = new Map<string, number>()
  const locales = new Map<string, number>()
  const descriptions = new Map<string, { row_number: number; hasId: boolean }>()
  /** May be there already: told apart when it is known what the other rows mean. */
  const doubtful: { row: Read; planned: Planned }[] = []

  function plan(row: Read, seen: ReadonlyMap<string, SeenLocale>): Planned[] {
    const { values, problems } = row
    if (isError(problems)) return [asError(row, context)]
    const externalId = values.external_id as string | undefined
    const first = externalId === undefined ? undefined : ids.get(externalId)
    if (first !== undefined) return [asError(row, context, { code: 'id_twice', value: String(first) })]
    if (externalId !== undefined) ids.set(externalId, row.row_number)
    if (row.id && !known.byId(row.id)) return [asError(row, context, { code: 'id_unknown', value: row.id })]

    const meant = meantBy(row, known)
    const chosen = meant ? undefined : chosenBy(row, known)
    const target = meant ?? chosen
    if (target) {
      const other = locales.get(target.id)
      if (other !== undefined) return [asError(row, context, { code: 'locale_twice', value: String(other) })]
      const locale = seen.get(target.id)
      // Removed while the plan was made.
      if (!locale) return [asError(row, context, { code: 'id_unknown', value: target.id })]
      locales.set(target.id, row.row_number)
      const planned = asUpdate(row, locale, context)
      return [chosen ? { ...planned, duplicates: known.alike(values, () => false) } : planned]
    }

    const twin = twinOf(row)
    if (twin !== undefined) return [asSkipped(row, context, { code: 'same_row', value: String(twin) })]
    const planned = newRowOf(row, context)
    const duplicates = known.alike(values, () => false)
    if (duplicates.length === 0) return [planned]
    doubtful.push({ row: { ...row, cells: [] }, planned: { ...planned, duplicates } })
    return []
  }

  /** The row before that says the same, where no id tells the two apart. */
  function twinOf({ values, row_number }: Read): number | undefined {
    const key = descriptionOf(values)
    const hasId = values.external_id !== undefined
    const before = descriptions.get(key)
    if (before && !(hasId && before.hasId)) return before.row_number
    if (key !== '' && !before) descriptions.set(key, { row_number, hasId })
    return undefined
  }

  return {
    plan,
    /** The locales that these rows mean, to be looked at. */
    meant: (rows: readonly Read[]) =>
      rows.flatMap((row) => {
        const target = meantBy(row, known) ?? chosenBy(row, known)
        return target ? [target.id] : []
      }),
    /** The rows that were put aside, some at a time. */
    *rest(): Generator<Planned[]> {
      for (let at = 0; at < doubtful.length; at += ROWS_AT_ONCE)
        yield doubtful.slice(at, at + ROWS_AT_ONCE).map(({ row, planned }) => {
          const duplicates = planned.duplicates.filter(({ locale_id }) => !locales.has(locale_id))
          return duplicates.length === 0 ? { ...planned, duplicates } : asDoubtful(row, { ...planned, duplicates })
        })
    },
  }
}

function meantBy({ id, values }: ReadRow, known: Known): KnownLocale | undefined {
  if (id) return known.byId(id)
  const externalId = values.external_id as string | undefined
  return (externalId === undefined ? undefined : known.byExternalId(externalId)) ?? known.same(values)
}

function chosenBy({ decision, decided_locale_id }: FileRow, known: Known): KnownLocale | undefined {
  return decision === 'update' && decided_locale_id ? known.byId(decided_locale_id) : undefined
}

const isError = (problems: readonly RowProblem[]) => problems.some(({ code }) => ERRORS.has(code))

function withKnownChapter(row: ReadRow, chapters: ReadonlySet<string>): ReadRow {
  const { chapter_id, ...values } = row.values
  if (chapter_id === undefined || chapters.has(chapter_id as string)) return row
  const problem: RowProblem = { code: 'not_understood', field: 'chapter_id', value: chapter_id as string }
  return { ...row, values, problems: [...row.problems, problem] }
}

function descriptionOf({ name, city, address_line1, latitude, longitude }: Fields): string {
  const where = city || address_line1 ? [city, address_line1] : [latitude, longitude]
  if (!name || where.every((part) => part === undefined)) return ''
  return [name, ...where].map((part) => plain(String(part ?? ''))).join('\n')
}

function described(row: Read, context: Pick<PlanContext, 'nameOf'>, values: Fields = row.values) {
  const country = values.country_code as string | null | undefined
  return {
    row_number: row.row_number,
    name: (values.name as string | undefined)?.slice(0, 200) ?? null,
    place: [values.city, country && context.nameOf(country)].filter(Boolean).join(', ') || null,
    duplicates: [],
    is_undecided: false,
  }
}

const NOTHING = { locale_id: null, seen_updated_at: null, fields: null, before: null }

function asError(row: Read, context: PlanContext, ...more: RowProblem[]): Planned {
  return { ...described(row, context), ...NOTHING, action: 'error', problems: [...row.problems, ...more] }
}

function asSkipped(row: Read, context: PlanContext, problem: RowProblem): Planned {
  return { ...described(row, context), ...NOTHING, action: 'skip', problems: [...row.problems, problem] }
}

export function newRowOf(row: Read, context: PlanContext): Planned {
  const { fields, problems } = newLocale(row)
  const made = { ...NOTHING, locale_id: randomUUID(), fields, problems: [...row.problems, ...problems] }
  return { ...described(row, context), ...made, action: 'create' }
}

/** The row as a change of a locale that is there. */
export function asUpdate(row: Read, locale: SeenLocale, context: PlanContext): Planned {
  const taken = context.known.byExternalId(row.values.external_id as string)
  const change: Change = changeOf(locale, row, {
    clearsEmpty: context.clearsEmpty,
    isIdTaken: taken !== undefined && taken.id !== locale.id,
  })
  const isChanged = Object.keys(change.fields).length > 0
  return {
    ...described(row, context, { ...locale, ...change.fields }),
    action: isChanged ? 'update' : 'unchanged',
    locale_id: locale.id,
    seen_updated_at: locale.seen,
    fields: isChanged ? change.fields : null,
    before: isChanged ? change.before : null,
    // Without a country in the file, the locale's own stays.
    problems: [...row.problems, ...change.problems].filter(({ code }) => code !== 'no_country' || !locale.country_code),
  }
}

/** May be there already: skipped until a person decides, and as decided from then on. */
function asDoubtful({ decision }: FileRow, planned: Planned): Planned {
  const isDecided = decision === 'create' || decision === 'skip'
  const problems: RowProblem[] =
    decision === 'update' ? [...planned.problems, { code: 'chosen_gone' }] : planned.problems
  return {
    ...planned,
    problems: isDecided ? problems : [...problems, { code: 'maybe_same' }],
    action: decision === 'create' ? 'create' : 'skip',
    is_undecided: !isDecided,
  }
}

function fileRows(db: Db, id: string, after: number): Promise<FileRow[]> {
  return db
    .selectFrom('locale_import_rows')
    .select(['row_number', 'cells', 'decision', 'decided_locale_id'])
    .where('import_id', '=', id)
    .where('row_number', '>', after)
    .orderBy('row_number')
    .limit(ROWS_AT_ONCE)
    .execute()
}

export async function seenLocales(db: Db, ids: readonly string[]): Promise<Map<string, SeenLocale>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('locales')
    .selectAll()
    .select(sql<string>`updated_at::text`.as('seen'))
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Writes what was planned into the rows, and that the work goes on. */
export async function writePlanned(db: Db, id: string, planned: readonly Planned[], done: number): Promise<void> {
  if (planned.length > 0)
    await sql`
      update locale_import_rows r set action = p.action, locale_id = p.locale_id, seen_updated_at = p.seen_updated_at,
        fields = p.fields, before = p.before, written_updated_at = null, problems = p.problems,
        duplicates = p.duplicates, name = p.name, place = p.place, is_undecided = p.is_undecided
      from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as p (row_number integer, action text, locale_id uuid,
        seen_updated_at timestamptz, fields jsonb, before jsonb, problems jsonb, duplicates jsonb, name text, place text,
        is_undecided boolean)
      where r.import_id = ${id} and r.row_number = p.row_number`.execute(db)
  if (done > 0)
    await db
      .updateTable('locale_imports')
      .set({ progress: sql`progress + ${done}`, active_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', id)
      .execute()
}

async function finishPlan(db: Db, id: string): Promise<void> {
  await db
    .updateTable('locale_imports')
    .set({
      status: 'planned',
      planned_at: sql<Date>`clock_timestamp()`,
      plan_version: sql`plan_version + 1`,
      counts: JSON.stringify(await countRows(db, id)),
      refusal: null,
      committed_at: null,
      undone_at: null,
    })
    .where('id', '=', id)
    .where('status', '=', 'planning')
    .execute()
}

/** How many rows come to what; together all of them. */
export async function countRows(db: Db, id: string): Promise<ImportCounts> {
  const rows = await db
    .selectFrom('locale_import_rows')
    .select((eb) => [
      'action',
      eb.fn.countAll<number>().as('count'),
      sql<number>`count(*) filter (where is_undecided)`.as('undecided'),
      sql<number>`count(*) filter (where problems <> '[]' and action in ('create', 'update', 'unchanged'))`.as(
        'warnings',
      ),
    ])
    .where('import_id', '=', id)
    .groupBy('action')
    .execute()
  const counts: ImportCounts = { create: 0, update: 0, unchanged: 0, skip: 0, error: 0, undecided: 0, warnings: 0 }
  for (const row of rows) {
    if (row.action) counts[row.action] = row.count
    counts.undecided += row.undecided
    counts.warnings += row.warnings
  }
  return counts
}
