import { Link, useSearchParams } from 'react-router'
import type { LocaleImport, PlannedRow, RowProblem } from '#shared/churches/imports.ts'
import type { Language } from '#shared/language.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { AdminTable } from '#web/ui/AdminTable.tsx'
import { classes } from '#web/ui/classes.ts'
import { Note } from '#web/ui/Note.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import styles from './Import.module.css'

interface Props {
  of: LocaleImport
  rows: { rows: PlannedRow[]; total: number; page: number; per_page: number } | null
  current: number | undefined
}

/** The rows of the plan, each with its outcome and the reason. */
export function RowTable({ of, rows, current }: Props) {
  const t = useT('importChurches')
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
      csv={savedAt(of.id, params)}
      hasFailed={rows === null}
    />
  )
}

export function WhatHappens({ row }: { row: PlannedRow }) {
  const t = useT('importChurches')
  return (
    <span className={classes(styles.does, styles[row.action])}>
      {row.is_undecided ? t('action_undecided') : t(`does_${row.action}`)}
    </span>
  )
}

/** Changed fields, and warnings. */
function RowNotes({ row }: { row: PlannedRow }) {
  const t = useT('importChurches')
  const changes = row.action === 'update' ? row.changes.map(({ field }) => t(`field_${field}` as 'field_name')) : []
  return (
    <span className={styles.notes}>
      {changes.length > 0 && <span>{changes.join(t('comma'))}</span>}
      {row.problems.map((problem) => (
        <ProblemText key={`${problem.code} ${problem.field}`} problem={problem} />
      ))}
    </span>
  )
}

export function ProblemText({ problem: { code, field, value } }: { problem: RowProblem }) {
  const t = useT('importChurches')
  const language = useLanguage()
  const text = code === 'point_elsewhere' && value ? regionName(language, value) : (value ?? '')
  return <span dir="auto">{t(`problem_${code}`, { field: field ? t(`field_${field}`) : '', value: text })}</span>
}

const regionName = (language: Language, code: string) =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code

/** URL of the same rows, all pages, as a file. */
function savedAt(id: string, params: URLSearchParams): string {
  const filters = ['search', 'action'].flatMap((name) => (params.get(name) ? [[name, params.get(name)!]] : []))
  return `/api/locale-imports/${id}/rows?${new URLSearchParams([...filters, ['format', 'csv']])}`
}
