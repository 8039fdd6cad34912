import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ImportSummary } from '#shared/imports/model.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import { AdminTable } from '#web/ui/AdminTable.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Import.module.css'
import type { ImportListData } from './imports.server.ts'
import { doneIn, type ImportKind, ImportKindProvider, importPath, useImportKind } from './kind.ts'
import { useImportText, useTranslateError } from './text.ts'

interface Props {
  kind: ImportKind
  data: ImportListData
  error: FormError | undefined
  /** Links beside the heading. */
  end?: ReactNode
}

/** Imports of one kind: upload a file, and earlier uploads. */
export function ImportsScreen({ kind, ...props }: Props) {
  return (
    <ImportKindProvider value={kind}>
      <Screen kind={kind} {...props} />
    </ImportKindProvider>
  )
}

function Screen({ kind, data, error, end }: Props) {
  const t = useImportText()
  const [params] = useSearchParams()
  return (
    <AdminPage title={t('imports_title')} end={end}>
      <BackLink to={kind.recordsPath}>{t('back_to_records')}</BackLink>
      <div className={styles.stack}>
        {!error && doneIn(kind, params) === 'removed' && <Note kind="success" isLive title={t('done_removed')} />}
        <UploadPanel failed={error} />
        <h2 className={styles.heading}>{t('imports_list')}</h2>
        <ImportList {...data} />
      </div>
    </AdminPage>
  )
}

function UploadPanel({ failed }: { failed: FormError | undefined }) {
  const t = useImportText()
  const own = useTranslateError()(failed)
  // Errors in the file are shown at its field.
  const error = own && { ...own, error: Object.keys(own.fields).length > 0 ? MARKED : own.error }
  const problem = useProblems(error)
  return (
    <AdminPanel id="upload" title={t('upload_title')}>
      <div className={styles.panel}>
        <p>{t('upload_about')}</p>
        <Form encType="multipart/form-data" error={error}>
          <Field label={t('upload_file')} error={problem('file') ?? problem('body')}>
            {(control) => (
              <input type="file" name="file" accept=".csv,.tsv,.txt,.xlsx,.json,.geojson" required {...control} />
            )}
          </Field>
          <div>
            <Submit busyLabel={t('uploading')}>{t('upload_submit')}</Submit>
          </div>
        </Form>
      </div>
    </AdminPanel>
  )
}

const MARKED = 'Please correct the marked fields.'

function ImportList({ list, hasFailed }: ImportListData) {
  const kind = useImportKind()
  const t = useImportText()
  const language = useLanguage()
  const number = (n: number) => formatNumber(language, n)
  const result = ({ counts }: ImportSummary) =>
    counts && t('result', { create: number(counts.create), update: number(counts.update), error: number(counts.error) })
  return (
    <AdminTable
      label={t('imports_list')}
      columns={[
        {
          key: 'file',
          label: t('column_file'),
          cell: (row) => (
            <Link to={importPath(kind, row.id)}>
              <bdi>{row.file_name}</bdi>
            </Link>
          ),
        },
        { key: 'status', label: t('column_status'), cell: (row) => t(`status_${row.status}`), narrow: 'end' },
        { key: 'rows', label: t('column_rows'), cell: (row) => number(row.row_count), isNumber: true },
        { key: 'result', label: t('column_result'), cell: result, narrow: 'under' },
        { key: 'by', label: t('column_by'), cell: (row) => <bdi>{row.created_by}</bdi> },
        { key: 'when', label: t('column_when'), cell: (row) => <Time value={row.created_at} look="day" /> },
      ]}
      rows={list.imports}
      rowKey={(row) => row.id}
      total={list.total}
      page={list.page}
      per_page={list.per_page}
      empty={<Note heading="h3" title={t('imports_none')} />}
      hasFailed={hasFailed}
    />
  )
}
