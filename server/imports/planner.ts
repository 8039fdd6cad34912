import { randomUUID } from 'node:crypto'
import type { PlannedAction, PossibleDuplicate, RowDecision, RowProblem } from '#shared/imports/model.ts'
import type { Change, ExistingRecord, Fields, ReadRow, RecordIndex, RowRules } from './adapter.ts'

const ROWS_AT_ONCE = 250

export interface Planned {
  row_number: number
  action: PlannedAction
  record_id: string | null
  /** As text from the database: its timestamps are more precise than a Date. */
  seen_updated_at: string | null
  fields: Fields | null
  before: Fields | null
  problems: RowProblem[]
  duplicates: PossibleDuplicate[]
  name: string | null
  place: string | null
  is_undecided: boolean
}

export interface FileRow {
  row_number: number
  cells: string[]
  decision: RowDecision | null
  decided_record_id: string | null
}

/** Context for planning the rows of one file. */
export interface PlanContext {
  rules: RowRules
  index: RecordIndex
  /** Names the codes of problems: 'locale_twice'. */
  record: string
  /** Codes of problems that keep a row from being imported. */
  errors: ReadonlySet<string>
}

export type Read = FileRow & ReadRow

/** Plans row after row, and remembers what earlier rows refer to. */
export function createPlanner(context: PlanContext) {
  const { rules, index } = context
  /** The row in which each key and record first occurred. */
  const keys = new Map<string, number>()
  const records = new Map<string, number>()
  const twinOf = createTwinFinder(rules)
  /** Possible duplicates: decided once it is known which records the other rows refer to. */
  const doubtful: { row: Read; planned: Planned }[] = []

  function plan(row: Read, existing: ReadonlyMap<string, ExistingRecord>): Planned[] {
    const error = errorOf(row)
    if (error) return [asError(row, context, ...error)]
    const match = matchOf(row, context)
    const chosen = match === undefined ? chosenBy(row, index) : undefined
    const target = match ?? chosen
    if (target !== undefined) return [planUpdate(row, target, chosen !== undefined, existing)]
    const twin = twinOf(row)
    if (twin !== undefined) return [asSkipped(row, context, { code: 'same_row', value: String(twin) })]
    const planned = newRowOf(row, context)
    const duplicates = index.alike(row.values)
    if (duplicates.length === 0) return [planned]
    doubtful.push({ row: { ...row, cells: [] }, planned: { ...planned, duplicates } })
    return []
  }

  /** Why the row cannot be imported, beside what reading it found. */
  function errorOf(row: Read): RowProblem[] | undefined {
    if (row.problems.some(({ code }) => context.errors.has(code))) return []
    const key = rules.keyOf(row.values)
    const first = key === undefined ? undefined : keys.get(key)
    if (first !== undefined) return [{ code: 'id_twice', value: String(first) }]
    if (key !== undefined) keys.set(key, row.row_number)
    if (row.id && !index.has(row.id)) return [{ code: 'id_unknown', value: row.id }]
    return undefined
  }

  function planUpdate(
    row: Read,
    target: string,
    isChosen: boolean,
    existing: ReadonlyMap<string, ExistingRecord>,
  ): Planned {
    const other = records.get(target)
    if (other !== undefined) return asError(row, context, { code: `${context.record}_twice`, value: String(other) })
    const record = existing.get(target)
    // Deleted while the plan was made.
    if (!record) return asError(row, context, { code: 'id_unknown', value: target })
    records.set(target, row.row_number)
    const planned = asUpdate(row, record, context)
    return isChosen ? { ...planned, duplicates: index.alike(row.values) } : planned
  }

  return {
    plan,
    /** Ids of the records that these rows refer to, to be loaded. */
    targets: (rows: readonly Read[]) => rows.flatMap((row) => matchOf(row, context) ?? chosenBy(row, index) ?? []),
    /** The deferred rows, in batches. */
    *rest(): Generator<Planned[]> {
      for (let at = 0; at < doubtful.length; at += ROWS_AT_ONCE)
        yield doubtful.slice(at, at + ROWS_AT_ONCE).map(({ row, planned }) => {
          const duplicates = planned.duplicates.filter(({ record_id }) => !records.has(record_id))
          return duplicates.length === 0 ? { ...planned, duplicates } : asDoubtful(row, { ...planned, duplicates })
        })
    },
  }
}

/** Finds an earlier row with the same description, unless both have keys. */
function createTwinFinder({ keyOf, descriptionOf }: RowRules) {
  const descriptions = new Map<string, { row_number: number; hasKey: boolean }>()
  return ({ values, row_number }: Read): number | undefined => {
    const description = descriptionOf(values)
    const hasKey = keyOf(values) !== undefined
    const earlier = descriptions.get(description)
    if (earlier && !(hasKey && earlier.hasKey)) return earlier.row_number
    if (description !== '' && !earlier) descriptions.set(description, { row_number, hasKey })
    return undefined
  }
}

/** The record a row refers to for certain. */
function matchOf({ id, values }: ReadRow, { rules, index }: PlanContext): string | undefined {
  if (id) return index.has(id) ? id : undefined
  const key = rules.keyOf(values)
  return (key === undefined ? undefined : index.byKey(key)) ?? index.same(values)
}

function chosenBy({ decision, decided_record_id: id }: FileRow, index: RecordIndex): string | undefined {
  return decision === 'update' && id && index.has(id) ? id : undefined
}

function described(row: Read, { rules }: Pick<PlanContext, 'rules'>, values: Fields = row.values) {
  const { name, place } = rules.nameOf(values)
  return { row_number: row.row_number, name: name?.slice(0, 200) ?? null, place, duplicates: [], is_undecided: false }
}

const NOTHING = { record_id: null, seen_updated_at: null, fields: null, before: null }

function asError(row: Read, context: PlanContext, ...more: RowProblem[]): Planned {
  return { ...described(row, context), ...NOTHING, action: 'error', problems: [...row.problems, ...more] }
}

function asSkipped(row: Read, context: PlanContext, problem: RowProblem): Planned {
  return { ...described(row, context), ...NOTHING, action: 'skip', problems: [...row.problems, problem] }
}

/** The row as a new record. */
export function newRowOf(row: Read, context: Pick<PlanContext, 'rules'>): Planned {
  const { fields, problems } = context.rules.create(row)
  return { ...described(row, context, fields), ...NOTHING, record_id: randomUUID(), fields, problems, action: 'create' }
}

/** The row as an update of an existing record; without an index, whether its key is taken shows at the commit. */
export function asUpdate(
  row: Read,
  record: ExistingRecord,
  { rules, index }: Pick<PlanContext, 'rules'> & { index?: RecordIndex },
): Planned {
  const key = rules.keyOf(row.values)
  const owner = key === undefined ? undefined : index?.byKey(key)
  const change: Change = rules.update(record, row, owner !== undefined && owner !== record.id)
  const isChanged = Object.keys(change.fields).length > 0
  return {
    ...described(row, { rules }, { ...record, ...change.fields }),
    action: isChanged ? 'update' : 'unchanged',
    record_id: record.id,
    seen_updated_at: record.seen,
    fields: isChanged ? change.fields : null,
    before: isChanged ? change.before : null,
    problems: change.problems,
  }
}

/** A possible duplicate: skipped until the user decides. */
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
