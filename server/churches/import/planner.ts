import { randomUUID } from 'node:crypto'
import {
  ERROR_CODES,
  type PlannedAction,
  type PossibleDuplicate,
  type RowDecision,
  type RowProblem,
} from '#shared/churches/imports.ts'
import { type Change, changeOf, type Fields, type LocaleRow, newLocale } from './change.ts'
import type { Known, KnownLocale } from './known-locales.ts'
import type { Lists } from './lists.ts'
import type { ReadRow } from './row.ts'
import { plain } from './values.ts'

const ROWS_AT_ONCE = 250
const ERRORS: ReadonlySet<string> = new Set(ERROR_CODES)

export interface Planned {
  row_number: number
  action: PlannedAction
  locale_id: string | null
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
  decided_locale_id: string | null
}
export type SeenLocale = LocaleRow & Lists & { seen: string }

/** Context for planning the rows of one file. */
export interface PlanContext {
  read: (cells: readonly string[]) => ReadRow
  known: Known
  clearsEmpty: boolean
  /** Whether new locales are public if the file does not say. */
  publishes: boolean
  nameOf: (code: string) => string
}

export type Read = FileRow & ReadRow

/** Plans row after row, and remembers what earlier rows refer to. */
export function createPlanner(context: PlanContext) {
  const { known } = context
  /** The row in which each id, locale and description first occurred. */
  const ids = new Map<string, number>()
  const locales = new Map<string, number>()
  const descriptions = new Map<string, { row_number: number; hasId: boolean }>()
  /** Possible duplicates: decided once it is known which locales the other rows refer to. */
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
      // Deleted while the plan was made.
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

  /** An earlier row with the same description, unless both have ids. */
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
    /** Ids of the locales that these rows refer to, to be loaded. */
    meant: (rows: readonly Read[]) =>
      rows.flatMap((row) => {
        const target = meantBy(row, known) ?? chosenBy(row, known)
        return target ? [target.id] : []
      }),
    /** The deferred rows, in batches. */
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

function descriptionOf({ name, city, address_line1, latitude, longitude }: Fields): string {
  const where = city || address_line1 ? [city, address_line1] : [latitude, longitude]
  if (!name || where.every((value) => value === undefined)) return ''
  return [name, ...where].map((value) => plain(String(value ?? ''))).join('\n')
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
  const { fields, problems } = newLocale(row, context.publishes)
  const all = [...row.problems, ...problems].filter(isStillSo(fields))
  const made = { ...NOTHING, locale_id: randomUUID(), fields, problems: all }
  return { ...described(row, context, fields), ...made, action: 'create' }
}

/** The row as an update of an existing locale. */
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
    problems: [...row.problems, ...change.problems].filter(isStillSo({ ...locale, ...change.fields })),
  }
}

/** Without a country in the file, a locale retains its own, or takes that of its point. */
const isStillSo =
  ({ country_code }: Fields) =>
  ({ code }: RowProblem) =>
    code !== 'no_country' || !country_code

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
