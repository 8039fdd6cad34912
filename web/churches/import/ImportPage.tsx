import { Link, useSearchParams } from 'react-router'
import { getImportRow, getLocaleImport, listImportRows, RowFilters } from '#shared/churches/imports.ts'
import { tableQuery } from '#shared/table.ts'
import { allNames } from '#web/advisories/reader.server.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { api, attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Route } from './+types/ImportPage'
import styles from './Import.module.css'
import { ImportProgress } from './ImportProgress.tsx'
import { actOnImport } from './import.server.ts'
import { MappingForm } from './MappingForm.tsx'
import { PlanSection } from './PlanSection.tsx'
import { doneIn, IMPORTS, importPath } from './paths.ts'
import { RefusalNote } from './RefusalNote.tsx'
import { RowDrawer } from './RowDrawer.tsx'
import { useTranslateError } from './useTranslateError.ts'

export const handle = { ns: ['importChurches', 'forms'] } satisfies RouteHandle

export async function loader({ request, context, params: { id } }: Route.LoaderArgs) {
  const params = new URL(request.url).searchParams
  const detail = await api(context)(getLocaleImport, { params: { id } })
  const row = params.get('row')
  const isPlanned = detail.import.counts !== null
  const rows = isPlanned
    ? await attempt(context, (call) => call(listImportRows, { params: { id }, query: tableQuery(RowFilters, params) }))
    : undefined
  const rowResult = row
    ? await attempt(context, (call) => call(getImportRow, { params: { id, row_number: row } }))
    : undefined
  return {
    detail,
    title: detail.import.file_name,
    rows: rows?.done ?? null,
    opened: row ? (rowResult?.done ?? null) : undefined,
    countries: allNames(visitorOf(context).language),
  }
}

export const action = ({ request, context, params: { id } }: Route.ActionArgs) => actOnImport(context, request, id)

/** One file: its mapping, the planned result of every row, and committing or undoing it. */
export default function ImportPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('importChurches')
  const language = useLanguage()
  const [params] = useSearchParams()
  const translateError = useTranslateError()
  const { detail, rows, opened: selectedRow, countries } = loaderData
  const { import: localeImport, same_file } = detail
  const done = actionData ? undefined : doneIn(params)
  const isIdle = ['uploaded', 'planned', 'committed', 'undone'].includes(localeImport.status)
  const canPlan = isIdle
    ? localeImport.status !== 'committed'
    : localeImport.is_stuck && localeImport.status === 'planning'
  return (
    <AdminPage title={<bdi>{localeImport.file_name}</bdi>} end={<span>{t(`status_${localeImport.status}`)}</span>}>
      {selectedRow !== undefined && (
        <RowDrawer
          key={params.get('row')}
          selected={selectedRow}
          of={localeImport}
          rows={rows?.rows ?? []}
          actionData={actionData}
        />
      )}
      <p className={styles.back}>
        <Link to={IMPORTS}>{t('back_to_imports')}</Link>
        {' · '}
        {t('rows_count', { count: localeImport.row_count, n: formatNumber(language, localeImport.row_count) })}
        {' · '}
        <bdi>{localeImport.created_by}</bdi>
        {' · '}
        <Time value={localeImport.created_at} look="day" />
      </p>
      <div className={styles.stack}>
        {done && done !== 'removed' && <Note kind="success" isLive title={t(`done_${done}`)} />}
        {same_file && (
          <Note title={t('same_file_title')}>
            <Link to={importPath(same_file.id)}>
              {t('same_file_text')} (<Time value={same_file.created_at} look="day" />, {t(`status_${same_file.status}`)}
              )
            </Link>
          </Note>
        )}
        {!isIdle && <ImportProgress of={localeImport} />}
        {localeImport.refusal && <RefusalNote refusal={localeImport.refusal} />}
        {localeImport.counts && isIdle && (
          <PlanSection
            of={localeImport}
            counts={localeImport.counts}
            rows={rows}
            unpublished={detail.unpublished}
            current={selectedRow?.row.row_number}
            actionData={actionData}
          />
        )}
        {canPlan && (
          <MappingForm
            key={localeImport.plan_version}
            detail={detail}
            countries={countries}
            actionData={actionData?.intent === 'plan' ? actionData : undefined}
          />
        )}
        {isIdle && localeImport.status !== 'committed' && (
          <details className={styles.details} open={actionData?.intent === 'remove'}>
            <summary>{t('remove')}</summary>
            <div className={styles.panel}>
              <p>{t('remove_hint')}</p>
              <Form error={translateError(actionData?.intent === 'remove' ? actionData.error : undefined)}>
                <div>
                  <Button type="submit" name="intent" value="remove" look="danger">
                    {t('remove')}
                  </Button>
                </div>
              </Form>
            </div>
          </details>
        )}
      </div>
    </AdminPage>
  )
}
