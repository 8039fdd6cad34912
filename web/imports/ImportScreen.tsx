import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ImportDetail, ImportSummary } from '#shared/imports/model.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Import.module.css'
import { ImportProgress } from './ImportProgress.tsx'
import type { ActionData, ImportData } from './imports.server.ts'
import { doneIn, type ImportKind, ImportKindProvider, importPath, useImportKind } from './kind.ts'
import { MappingForm, type SettingsForm } from './MappingForm.tsx'
import { PlanSection } from './PlanSection.tsx'
import { RefusalNote } from './RefusalNote.tsx'
import { RowDrawer } from './RowDrawer.tsx'
import { useImportText, useTranslateError } from './text.ts'

interface Props {
  kind: ImportKind
  data: ImportData
  actionData: ActionData | undefined
  /** Fields of the kind's settings in the mapping form. */
  settings: (form: SettingsForm) => ReactNode
  summary?: ReactNode
}

/** One file: its mapping, the planned result of every row, and committing or undoing it. */
export function ImportScreen({ kind, ...props }: Props) {
  return (
    <ImportKindProvider value={kind}>
      <Screen kind={kind} {...props} />
    </ImportKindProvider>
  )
}

function Screen({ kind, data, actionData, settings, summary }: Props) {
  const t = useImportText()
  const [params] = useSearchParams()
  const { detail, rows, opened: selectedRow } = data
  const { import: of } = detail
  const done = actionData ? undefined : doneIn(kind, params)
  const isIdle = ['uploaded', 'planned', 'committed', 'undone'].includes(of.status)
  const canPlan = isIdle ? of.status !== 'committed' : of.is_stuck && of.status === 'planning'
  return (
    <AdminPage title={<bdi>{of.file_name}</bdi>} end={<span>{t(`status_${of.status}`)}</span>}>
      {selectedRow !== undefined && (
        <RowDrawer
          key={params.get('row')}
          selected={selectedRow}
          of={of}
          rows={rows?.rows ?? []}
          actionData={actionData}
        />
      )}
      <Facts of={of} />
      <div className={styles.stack}>
        {done && done !== 'removed' && <Note kind="success" isLive title={t(`done_${done}`)} />}
        {detail.same_file && <SameFile file={detail.same_file} />}
        {!isIdle && <ImportProgress of={of} />}
        {of.refusal && <RefusalNote refusal={of.refusal} />}
        {of.counts && isIdle && (
          <PlanSection
            of={of}
            counts={of.counts}
            rows={rows}
            summary={summary}
            current={selectedRow?.row.row_number}
            actionData={actionData}
          />
        )}
        {canPlan && (
          <MappingForm
            key={of.plan_version}
            detail={detail}
            settings={settings}
            actionData={actionData?.intent === 'plan' ? actionData : undefined}
          />
        )}
        {isIdle && of.status !== 'committed' && (
          <RemoveSection actionData={actionData?.intent === 'remove' ? actionData : undefined} />
        )}
      </div>
    </AdminPage>
  )
}

/** Number of rows, and who uploaded the file when. */
function Facts({ of }: { of: ImportSummary }) {
  const t = useImportText()
  const language = useLanguage()
  return (
    <p className={styles.back}>
      <Link to={useImportKind().path}>{t('back_to_imports')}</Link>
      {' · '}
      {t('rows_count', { count: of.row_count, n: formatNumber(language, of.row_count) })}
      {' · '}
      <bdi>{of.created_by}</bdi>
      {' · '}
      <Time value={of.created_at} look="day" />
    </p>
  )
}

function SameFile({ file }: { file: NonNullable<ImportDetail['same_file']> }) {
  const t = useImportText()
  return (
    <Note title={t('same_file_title')}>
      <Link to={importPath(useImportKind(), file.id)}>
        {t('same_file_text')} (<Time value={file.created_at} look="day" />, {t(`status_${file.status}`)})
      </Link>
    </Note>
  )
}

function RemoveSection({ actionData }: { actionData: ActionData | undefined }) {
  const t = useImportText()
  const translateError = useTranslateError()
  return (
    <details className={styles.details} open={actionData !== undefined}>
      <summary>{t('remove')}</summary>
      <div className={styles.panel}>
        <p>{t('remove_hint')}</p>
        <Form error={translateError(actionData?.error)}>
          <div>
            <Button type="submit" name="intent" value="remove" look="danger">
              {t('remove')}
            </Button>
          </div>
        </Form>
      </div>
    </details>
  )
}
