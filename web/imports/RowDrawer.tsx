import { Link, useSearchParams } from 'react-router'
import { type ImportSummary, type PlannedRow, recordIdOf } from '#shared/imports/model.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Parameters, useLanguage } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { DetailDrawer } from '#web/ui/DetailDrawer.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import styles from './Import.module.css'
import type { ActionData } from './imports.server.ts'
import { useImportKind } from './kind.ts'
import { ProblemText, WhatHappens } from './RowTable.tsx'
import { useImportText, useTranslateError } from './text.ts'

interface Props {
  selected: { row: PlannedRow; cells: { column: string; value: string }[] } | null
  of: ImportSummary
  rows: PlannedRow[]
  actionData: ActionData | undefined
}

/** One row over the list: its outcome, the values written, possible duplicates, and the original cells. */
export function RowDrawer({ selected, of, rows, actionData }: Props) {
  const { record, recordsPath } = useImportKind()
  const t = useImportText()
  const language = useLanguage()
  const [params] = useSearchParams()
  const to = (row: number | undefined | null) => addressWith(params, { row, done: null, page: params.get('page') })
  if (!selected)
    return (
      <DetailDrawer title={t('row_unknown')} closeTo={to(null)}>
        <Note title={t('row_unknown')} />
      </DetailDrawer>
    )
  const { row, cells } = selected
  const recordId = recordIdOf(record, row)
  const at = rows.findIndex(({ row_number }) => row_number === row.row_number)
  const [previous, next] = at < 0 ? [] : [rows[at - 1], rows[at + 1]]
  return (
    <DetailDrawer
      title={<bdi>{row.name || t('row_title', { row: formatNumber(language, row.row_number) })}</bdi>}
      subtitle={
        <>
          {t('row_title', { row: formatNumber(language, row.row_number) })} · <WhatHappens row={row} />
        </>
      }
      closeTo={to(null)}
      previousTo={previous && to(previous.row_number)}
      nextTo={next && to(next.row_number)}
    >
      <div className={styles.stack}>
        {row.problems.length > 0 && (
          <Note kind={row.action === 'error' ? 'error' : 'plain'} title={t('row_notes')}>
            {row.problems.map((problem) => (
              <p key={`${problem.code} ${problem.field}`}>
                <ProblemText problem={problem} />
              </p>
            ))}
          </Note>
        )}
        {row.duplicates.length > 0 && <Duplicates row={row} of={of} actionData={actionData} />}
        {recordId && <Link to={`${recordsPath}/${recordId}`}>{t('open_record')}</Link>}
        {row.changes.length > 0 && <Changes row={row} />}
        <section>
          <h3 className={styles.subtitle}>{t('cells_title')}</h3>
          <Pairs rows={cells.map(({ column, value }) => [column, value])} />
        </section>
      </div>
    </DetailDrawer>
  )
}

function Duplicates({
  row,
  of,
  actionData,
}: {
  row: PlannedRow
  of: ImportSummary
  actionData: ActionData | undefined
}) {
  const t = useImportText()
  const { record } = useImportKind()
  const isOpen = of.status === 'planned'
  const error = useTranslateError()(actionData?.intent === 'decide' ? actionData.error : undefined)
  return (
    <section>
      <h3 className={styles.subtitle}>{t('duplicates_title')}</h3>
      {row.decision && <p>{t('decided', { decision: t(`does_${row.decision}`) })}</p>}
      <Form error={error}>
        <input type="hidden" name="intent" value="decide" />
        <input type="hidden" name="row_number" value={row.row_number} />
        <input type="hidden" name="plan_version" value={of.plan_version} />
        <ul className={styles.duplicates}>
          {row.duplicates.map((duplicate) => (
            <DuplicateItem key={recordIdOf(record, duplicate)} duplicate={duplicate} isOpen={isOpen} />
          ))}
        </ul>
        {isOpen && (
          <div className={styles.buttons}>
            <Button type="submit" name="decision" value="create">
              {t('decide_create')}
            </Button>
            <Button type="submit" name="decision" value="skip">
              {t('decide_skip')}
            </Button>
          </div>
        )}
      </Form>
    </section>
  )
}

function DuplicateItem({ duplicate, isOpen }: { duplicate: PlannedRow['duplicates'][number]; isOpen: boolean }) {
  const t = useImportText()
  const { record, recordsPath } = useImportKind()
  const id = recordIdOf(record, duplicate)
  return (
    <li>
      <div>
        <Link to={`${recordsPath}/${id}`}>
          <bdi>{duplicate.name}</bdi>
        </Link>
        <div>
          <bdi>{duplicate.place}</bdi>
        </div>
        <div className={styles.hint}>{t(`why_${duplicate.why}`, { ...duplicate } as Parameters)}</div>
      </div>
      {isOpen && (
        <Button type="submit" name="decision" value={`update ${id}`} isSmall>
          {t('decide_update')}
        </Button>
      )}
    </li>
  )
}

function Changes({ row }: { row: PlannedRow }) {
  const t = useImportText()
  const isUpdate = row.action === 'update'
  const fieldOf = (field: string) => t(`field_${field}`)
  return (
    <section>
      <h3 className={styles.subtitle}>{t('changes_title')}</h3>
      <table className={styles.pairs}>
        <thead>
          <tr>
            <th scope="col">{t('change_field')}</th>
            {isUpdate && <th scope="col">{t('change_old')}</th>}
            <th scope="col">{isUpdate ? t('change_new') : t('change_value')}</th>
          </tr>
        </thead>
        <tbody>
          {row.changes.map((change) => (
            <tr key={change.field}>
              <th scope="row">{fieldOf(change.field)}</th>
              {isUpdate && (
                <td className={styles.old}>
                  <Value text={change.old} />
                </td>
              )}
              <td>
                <Value text={change.new} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Value({ text }: { text: string }) {
  const t = useImportText()
  if (text === '') return t('empty')
  return text === 'true' || text === 'false' ? t(text) : <bdi>{text}</bdi>
}

function Pairs({ rows }: { rows: [string, string][] }) {
  return (
    <table className={styles.pairs}>
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
