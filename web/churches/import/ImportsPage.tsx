import { data, Link, redirect, useSearchParams } from 'react-router'
import { MAX_BYTES } from '#shared/churches/import-fields.ts'
import { type LocaleImport, listLocaleImports, uploadLocaleImport } from '#shared/churches/imports.ts'
import { AppError } from '#shared/errors.ts'
import { tableQuery } from '#shared/table.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { attempt, type FormError } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel } from '#web/ui/AdminPage.tsx'
import { AdminTable } from '#web/ui/AdminTable.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/ImportsPage'
import styles from './Import.module.css'
import { doneIn, importPath } from './paths.ts'
import { useTranslateError } from './useTranslateError.ts'

export const handle = { ns: ['importChurches', 'forms'] } satisfies RouteHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = tableQuery(listLocaleImports.query, new URL(request.url).searchParams)
  const list = await attempt(context, (call) => call(listLocaleImports, { query }))
  return { list: list.done ?? { imports: [], total: 0, page: 1, per_page: 50 }, hasFailed: list.error !== undefined }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { done, error } = await attempt(context, async (call) => {
    const file = (await request.formData()).get('file')
    const body = file instanceof File && file.size > 0 ? { read: () => contentOf(file), name: file.name } : undefined
    return call(uploadLocaleImport, { query: {}, body: body as never })
  })
  if (error) return data({ error }, { status: error.status })
  throw redirect(importPath(done.import.id))
}

async function contentOf(file: File) {
  const tooLarge = `File is too large (max ${MAX_BYTES / 1024 ** 2} MB)`
  if (file.size > MAX_BYTES) throw new AppError(413, 'file_too_large', tooLarge, { fields: { file: tooLarge } })
  return { bytes: new Uint8Array(await file.arrayBuffer()), name: file.name }
}

/** Imports of locales: upload a file, and earlier uploads. */
export default function ImportsPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('importChurches')
  const [params] = useSearchParams()
  return (
    <AdminPage
      title={t('imports_title')}
      end={
        // Downloads, not pages.
        <>
          <a href="/api/locales/export?format=csv" download>
            {t('export_csv')}
          </a>
          <a href="/api/locales/export?format=xlsx" download>
            {t('export_xlsx')}
          </a>
        </>
      }
    >
      <p className={styles.back}>
        <Link to="/admin/locales">{t('back_to_locales')}</Link>
      </p>
      <div className={styles.stack}>
        {!actionData && doneIn(params) === 'removed' && <Note kind="success" isLive title={t('done_removed')} />}
        <UploadPanel failed={actionData?.error} />
        <h2 className={styles.heading}>{t('imports_list')}</h2>
        <ImportList {...loaderData} />
      </div>
    </AdminPage>
  )
}

function UploadPanel({ failed }: { failed: FormError | undefined }) {
  const t = useT('importChurches')
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

function ImportList({ list, hasFailed }: Route.ComponentProps['loaderData']) {
  const t = useT('importChurches')
  const language = useLanguage()
  const number = (n: number) => formatNumber(language, n)
  const result = ({ counts }: LocaleImport) =>
    counts && t('result', { create: number(counts.create), update: number(counts.update), error: number(counts.error) })
  return (
    <AdminTable
      label={t('imports_list')}
      columns={[
        {
          key: 'file',
          label: t('column_file'),
          cell: (row) => (
            <Link to={importPath(row.id)}>
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
