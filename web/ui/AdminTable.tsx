import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import styles from './AdminTable.module.css'
import { TableEmpty, TableFoot } from './AdminTableFooter.tsx'
import { Chooser, SelectionBar } from './AdminTableSelection.tsx'
import { classes } from './classes.ts'
import { addressWith, isFiltered, sortAfter } from './table-address.ts'

export interface Column<T> {
  /** Also the name of the sort key. */
  key: string
  label: ReactNode
  cell: (row: T) => ReactNode
  /** Sortable, initially in this direction. */
  sort?: 'asc' | 'desc'
  isNumber?: boolean
  /** On a phone: below the first column, or still at the end. If omitted, the column is hidden there. */
  narrow?: 'under' | 'end'
}

interface Props<T> {
  /** Accessible name of the table. */
  label: string
  /** The first column names the row, is sticky and usually links to it. */
  columns: readonly [Column<T>, ...Column<T>[]]
  rows: readonly T[]
  rowKey: (row: T) => string
  /** The row whose details are open. */
  current?: string | undefined
  total: number
  page: number
  per_page: number
  /** The effective sort order, since the URL may omit it. */
  sort?: string | undefined
  /** Names of the filter parameters; `search` is one. */
  filters?: readonly string[]
  /** Shown if there are no rows at all, even without filters. */
  empty: ReactNode
  /** URL of the same list as CSV. */
  csv?: string
  /** Replaces the row and page numbers, for a list that is not counted. */
  foot?: ReactNode
  /** The list could not be read. */
  hasFailed?: boolean
  /** Makes rows selectable, for the buttons `actions` of the `<Form>` around the table. */
  selection?: { name: string; label: (row: T) => string; actions: ReactNode }
}

/** A list of the admin area: sorted, filtered and paged by the server, with all state in the URL. */
export function AdminTable<T>(props: Props<T>) {
  const { label, columns, rows, rowKey, current, total, filters = ['search'], hasFailed, selection } = props
  const [params] = useSearchParams()
  if (hasFailed || rows.length === 0)
    return <TableEmpty hasFailed={hasFailed} isFiltered={isFiltered(params, filters)} filters={filters} {...props} />
  return (
    <div className={styles.table}>
      {selection && <SelectionBar>{selection.actions}</SelectionBar>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be keyboard accessible */}
      <section className={styles.scroller} aria-label={label} tabIndex={0}>
        <table>
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              {selection && <Chooser />}
              {columns.map((column, i) => (
                <Head key={column.key} column={column} sort={props.sort} isFirst={i === 0} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={rowKey(row)} data-current={rowKey(row) === current || undefined}>
                {selection && (
                  <td className={styles.choose}>
                    <input
                      type="checkbox"
                      name={selection.name}
                      value={rowKey(row)}
                      aria-label={selection.label(row)}
                    />
                  </td>
                )}
                <Cells row={row} columns={columns} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {props.foot ?? <TableFoot {...props} shown={rows.length} total={total} />}
    </div>
  )
}

/** The first cell names the row; on a phone it also contains the cells without a column of their own there. */
function Cells<T>({ row, columns: [first, ...others] }: { row: T; columns: Props<T>['columns'] }) {
  const under = others.filter(({ narrow }) => narrow === 'under')
  return (
    <>
      <th scope="row">
        {first.cell(row)}
        {under.length > 0 && (
          <div className={styles.under}>
            {under.map(({ key, cell }) => (
              <div key={key}>{cell(row)}</div>
            ))}
          </div>
        )}
      </th>
      {others.map((column) => (
        <td key={column.key} className={styleOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </>
  )
}

function Head<T>({ column, sort, isFirst }: { column: Column<T>; sort: string | undefined; isFirst: boolean }) {
  const t = useT('admin')
  const [params] = useSearchParams()
  const { key, label } = column
  const className = isFirst ? undefined : styleOf(column)
  if (!column.sort)
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    )
  const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : undefined
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <Link
        to={addressWith(params, { sort: sortAfter(sort, key, column.sort) })}
        preventScrollReset
        aria-description={t('table_sort')}
      >
        {label}
        <span aria-hidden="true" className={styles.arrow}>
          {direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''}
        </span>
      </Link>
    </th>
  )
}

const styleOf = ({ isNumber, narrow }: Pick<Column<never>, 'isNumber' | 'narrow'>) =>
  classes(isNumber && styles.number, narrow !== 'end' && styles.wideOnly)
