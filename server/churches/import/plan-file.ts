import { csvResponse } from '#server/http/csv.ts'
import type { PlannedRow, RowProblem } from '#shared/churches/imports.ts'
import texts from '../../../public/locales/en/importChurches.json' with { type: 'json' }

const TEXTS: Record<string, string> = texts

/** The plan as a downloadable table: each row with its action and the reason. */
export function savedPlan(fileName: string, rows: PlannedRow[]): Response {
  return csvResponse(
    `plan of ${fileName}`,
    [
      { label: 'row', value: (row) => row.row_number },
      { label: 'action', value: (row) => row.action },
      { label: 'name', value: (row) => row.name },
      { label: 'place', value: (row) => row.place },
      { label: 'locale_id', value: (row) => row.locale_id },
      { label: 'problems', value: (row) => row.problems.map(problemText).join(' ') },
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
            .map((duplicate) => `${duplicate.name} (${duplicate.place}) ${duplicate.locale_id}`)
            .join(' | '),
      },
    ],
    rows,
  )
}

/** A problem of a row as text. */
export function problemText({ code, field, value }: RowProblem): string {
  const text = TEXTS[`problem_${code}`] ?? code
  return text.replace('{{field}}', field ? (TEXTS[`field_${field}`] ?? field) : '').replace('{{value}}', value ?? '')
}
