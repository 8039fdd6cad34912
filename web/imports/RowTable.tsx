import { Link, useSearchParams } from 'react-router'
import type { ImportSummary, PlannedRow, RowProblem } from '#shared/imports/model.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import { AdminTable } from '#web/ui/AdminTable.tsx'
import { classes } from '#web/ui/classes.ts'
import { Note } from '#web/ui/Note.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import styles from './Import.module.css'
import { useImportKind } from './kind.ts'
import { useImportText } from './text.ts'

interface Props {
  of: ImportSummary
  rows: { rows: PlannedRow[]; total: number; page: number; per_page: number } | null
  current: number | undefined
}

/** The rows of the plan, each with its outcome and the reason. */
export function RowTable({ of, rows, current }: Props) {
  const { apiPath } = useImportKind()
  const t = useImportText()
  const language = useLanguage()
  const [params] = useSearchParams()
  const open = (row: number) => addressWith(params, { row, done: null, page: rows?.page })
  return (
    <AdminTable
      label={t('plan_title')}
      columns={[
        {
          key: 'name',
          label: t('field_name'),
          cell: (row) => (
            <Link to={open(row.row_number)} preventScrollReset>
              <bdi>{row.name || t('row_title', { row: formatNumber(language, row.row_number) })}</bdi>
            </Link>
          ),
        },
        {
          key: 'row',
          label: t('row'),
          cell: (row) => formatNumber(language, row.row_number),
          isNumber: true,
        },
        { key: 'place', label: t('row_place'), cell: (row) => <bdi>{row.place}</bdi>, narrow: 'under' },
        { key: 'action', label: t('row_action'), cell: (row) => <WhatHappens row={row} />, narrow: 'end' },
        { key: 'notes', label: t('row_notes'), cell: (row) => <RowNotes row={row} />, narrow: 'under' },
      ]}
      rows={rows?.rows ?? []}
      rowKey={(row) => String(row.row_number)}
      current={current === undefined ? undefined : String(current)}
      total={rows?.total ?? 0}
      page={rows?.page ?? 1}
      per_page={rows?.per_page ?? 50}
      filters={['search', 'action']}
      empty={<Note heading="h2" title={t('rows_none')} />}
      csv={savedAt(apiPath, of.id, params)}
      hasFailed={rows === null}
    />
  )
}

export function WhatHappens({ row }: { row: PlannedRow }) {
  const t = useImportText()
  return (
    <span className={classes(styles.does, styles[row.action])}>
      {row.is_undecided ? t('action_undecided') : t(`does_${row.action}`)}
    </span>
  )
}

/** Changed fields, and warnings. */
function RowNotes({ row }: { row: PlannedRow }) {
  const t = useImportText()
  const changes = row.action === 'update' ? row.changes.map(({ field }) => t(`field_${field}`)) : []
  return (
    <span className={styles.notes}>
      {changes.length > 0 && <span>{changes.join(t('comma'))}</span>}
      {row.problems.map((problem) => (
        <ProblemText key={`${problem.code} ${problem.field}`} problem={problem} />
      ))}
    </span>
  )
}

export function ProblemText({ problem }: { problem: RowProblem }) {
  const { problemValue } = useImportKind()
  const { code, field } = problem
  const t = useImportText()
  const language = useLanguage()
  const value = problemValue?.(problem, language) ?? problem.value ?? ''
  return <span dir="auto">{t(`problem_${code}`, { field: field ? t(`field_${field}`) : '', value })}</span>
}

/** URL of the same rows, all pages, as a file. */
function savedAt(apiPath: string, id: string, params: URLSearchParams): string {
  const filters = ['search', 'action'].flatMap((name) => {
    const value = params.get(name)
    return value ? [[name, value]] : []
  })
  return `/api${apiPath}/${id}/rows?${new URLSearchParams([...filters, ['format', 'csv']])}`
}
