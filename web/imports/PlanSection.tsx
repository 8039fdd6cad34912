import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ImportCounts, ImportSummary, PlannedRow } from '#shared/imports/model.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Tiles } from '#web/ui/Tiles.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import styles from './Import.module.css'
import type { ActionData } from './imports.server.ts'
import { RowTable } from './RowTable.tsx'
import { useImportText, useTranslateError } from './text.ts'

interface Props {
  of: ImportSummary
  counts: ImportCounts
  rows: { rows: PlannedRow[]; total: number; page: number; per_page: number } | null
  /** What the kind adds about the plan, or about the committed import. */
  summary: ReactNode
  current: number | undefined
  actionData: ActionData | undefined
}

const TILES = ['create', 'update', 'unchanged', 'skip', 'undecided', 'error', 'warnings'] as const

/** Summary of the plan, its actions, and its rows. */
export function PlanSection({ of, counts, rows, summary, current, actionData }: Props) {
  const t = useImportText()
  const language = useLanguage()
  const [params] = useSearchParams()
  const chosen = params.get('action')
  return (
    <>
      <PlanSteps of={of} counts={counts} actionData={actionData} />
      {summary}
      <Tiles
        label={t('plan_tiles')}
        tiles={TILES.map((key) => ({
          key,
          label: t(`action_${key}`),
          value: formatNumber(language, counts[key]),
          to: addressWith(params, { action: chosen === key ? null : key, row: null, done: null, search: null }),
          isChosen: chosen === key,
        }))}
      />
      <AdminTableFilters
        searchLabel={t('search_label')}
        choices={[
          {
            name: 'action',
            label: t('row_action'),
            options: TILES.map((value) => ({ value, label: t(`action_${value}`) })),
          },
        ]}
      />
      <RowTable of={of} rows={rows} current={current} />
    </>
  )
}

function PlanSteps({ of, counts, actionData }: Pick<Props, 'of' | 'counts' | 'actionData'>) {
  const t = useImportText()
  const language = useLanguage()
  const number = (n: number) => formatNumber(language, n)
  const translateError = useTranslateError()
  const errorOf = (intent: string) => (actionData?.intent === intent ? translateError(actionData.error) : undefined)
  if (of.status === 'undone') return null
  if (of.status === 'committed')
    return actionData?.intent === 'undo' && actionData.isToConfirm ? (
      <ConfirmUndo />
    ) : (
      <Form error={errorOf('undo')}>
        <div>
          <Button type="submit" name="intent" value="undo">
            {t('undo')}
          </Button>
        </div>
      </Form>
    )
  return (
    <>
      {counts.undecided > 0 && <Undecided of={of} counts={counts} actionData={actionData} />}
      {counts.create + counts.update > 0 ? (
        <Form error={errorOf('commit')}>
          <input type="hidden" name="intent" value="commit" />
          <input type="hidden" name="plan_version" value={of.plan_version} />
          <div>
            <Submit busyLabel={t('committing_busy')}>
              {t('commit', { create: number(counts.create), update: number(counts.update) })}
            </Submit>
          </div>
        </Form>
      ) : (
        <Note title={t('commit_nothing')}>{t('commit_nothing_text')}</Note>
      )}
    </>
  )
}

function Undecided({ of, counts, actionData }: Pick<Props, 'of' | 'counts' | 'actionData'>) {
  const t = useImportText()
  const error = useTranslateError()(actionData?.intent === 'decide_rest' ? actionData.error : undefined)
  const language = useLanguage()
  const [params] = useSearchParams()
  return (
    <Note
      title={t('undecided_title', { n: formatNumber(language, counts.undecided) })}
      action={
        <Form error={error}>
          <input type="hidden" name="intent" value="decide_rest" />
          <input type="hidden" name="plan_version" value={of.plan_version} />
          <div className={styles.buttons}>
            <ButtonLink to={addressWith(params, { action: 'undecided', row: null, done: null })} preventScrollReset>
              {t('undecided_look')}
            </ButtonLink>
            <Button type="submit" name="decision" value="create">
              {t('undecided_create')}
            </Button>
            <Button type="submit" name="decision" value="skip">
              {t('undecided_skip')}
            </Button>
          </div>
        </Form>
      }
    >
      {t('undecided_text')}
    </Note>
  )
}

function ConfirmUndo() {
  const t = useImportText()
  const [params] = useSearchParams()
  return (
    <Note
      isLive
      title={t('undo_title')}
      action={
        <Form>
          <input type="hidden" name="intent" value="undo" />
          <input type="hidden" name="confirmed" value="yes" />
          <div className={styles.buttons}>
            <Submit look="danger" busyLabel={t('undoing_busy')}>
              {t('undo_yes')}
            </Submit>
            <Link to={addressWith(params, { done: null })} replace>
              {t('not_now')}
            </Link>
          </div>
        </Form>
      }
    >
      {t('undo_means')}
    </Note>
  )
}
