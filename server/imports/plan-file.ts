import { csvResponse } from '#server/http/csv.ts'
import { type PlannedRow, type RowProblem, recordIdOf } from '#shared/imports/model.ts'
import texts from '../../public/locales/en/imports.json' with { type: 'json' }
import type { ImportAdapter } from './adapter.ts'

/** The plan as a downloadable table: each row with its action and the reason. */
export function savedPlan(adapter: ImportAdapter, fileName: string, rows: PlannedRow[]): Response {
  const { record } = adapter.contract
  return csvResponse(
    `plan of ${fileName}`,
    [
      { label: 'row', value: (row) => row.row_number },
      { label: 'action', value: (row) => row.action },
      { label: 'name', value: (row) => row.name },
      { label: 'place', value: (row) => row.place },
      { label: `${record}_id`, value: (row) => recordIdOf(record, row) },
      { label: 'problems', value: (row) => row.problems.map((problem) => problemText(adapter, problem)).join(' ') },
      {
        label: 'changes',
        value: (row) =>
          row.action === 'update'
            ? row.changes.map((c) => `${c.field}: ${c.old || '-'} → ${c.new || '-'}`).join(' | ')
            : '',
      },
      {
        label: 'possible_duplicates',
        value: (row) =>
          row.duplicates
            .map((duplicate) => `${duplicate.name} (${duplicate.place}) ${recordIdOf(record, duplicate)}`)
            .join(' | '),
      },
    ],
    rows,
  )
}

/** A problem of a row as text. */
export function problemText(adapter: ImportAdapter, { code, field, value }: RowProblem): string {
  const all: Record<string, string | undefined> = { ...texts, ...adapter.texts }
  const text = all[`problem_${code}`] ?? code
  return text.replace('{{field}}', field ? (all[`field_${field}`] ?? field) : '').replace('{{value}}', value ?? '')
}
