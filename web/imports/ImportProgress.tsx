import { useEffect } from 'react'
import { useRevalidator, useSearchParams } from 'react-router'
import type { ImportSummary } from '#shared/imports/model.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage } from '#web/lib/i18n.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Form } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import { useImportText } from './text.ts'

const LOOK_AGAIN_MS = 1_500
const STEPS = { planning: undefined, committing: 'commit', undoing: 'undo', reading: undefined } as const

/** Progress of a long step that runs in the background. */
export function ImportProgress({ of }: { of: ImportSummary }) {
  const t = useImportText()
  const language = useLanguage()
  const [params] = useSearchParams()
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (state !== 'idle' || of.is_stuck) return
    const timer = setTimeout(() => void revalidate(), LOOK_AGAIN_MS)
    return () => clearTimeout(timer)
  })
  const number = (n: number) => formatNumber(language, n)
  const step = STEPS[of.status as keyof typeof STEPS]
  return (
    <Note
      isLive
      icon="refresh"
      title={t(`status_${of.status}`)}
      action={
        of.is_stuck && step ? (
          <Form>
            <input type="hidden" name="plan_version" value={of.plan_version} />
            <input type="hidden" name="confirmed" value="yes" />
            <Button type="submit" name="intent" value={step}>
              {t(step === 'undo' ? 'undo_yes' : 'imports_title')}
            </Button>
          </Form>
        ) : (
          <ButtonLink to={addressWith(params, { page: params.get('page'), done: null })} icon="refresh" replace>
            {t('reload')}
          </ButtonLink>
        )
      }
    >
      {of.is_stuck
        ? t('step_stuck')
        : of.status === 'planning'
          ? t('step_progress', { done: number(of.progress), total: number(of.row_count) })
          : t('step_committing')}
    </Note>
  )
}
