import { useEffect, useRef } from 'react'
import { Form, useNavigation } from 'react-router'
import type { AdminAdvisory } from '#shared/advisories/admin.ts'
import { Columns, reviewOnCtrlEnter } from '#web/compose/Composer.tsx'
import { KindSwitch } from '#web/compose/KindSwitch.tsx'
import { carriedIn } from '#web/compose/message.ts'
import { COMPOSER } from '#web/compose/useEstimate.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { translateMessage } from '#web/lib/server-messages.ts'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Note } from '#web/ui/Note.tsx'
import { ConfirmPublish, HiddenFields } from './ConfirmPublish.tsx'
import styles from './EntryEditor.module.css'
import { EntryFields } from './EntryFields.tsx'
import type { Answer, Choices, View } from './entry.server.ts'
import type { EntryValues } from './entry-values.ts'
import { Preview } from './Preview.tsx'
import { useLivePreview } from './useLivePreview.ts'

interface Props {
  answer: Answer | undefined
  choices: Choices
  initialValues: EntryValues
  /** Idempotency key: a form submitted twice creates one advisory. */
  sendKey?: string
  /** The existing advisory, and its preview. */
  advisory?: AdminAdvisory
  view?: View
  /** The newest audit log entry on the page. */
  seen?: number
}

/** The form beside its preview. Without scripts the preview needs the button; with scripts it follows the typing. */
export function EntryEditor({ answer, choices, initialValues, sendKey, advisory, view, seen }: Props) {
  const t = useT('manage')
  const form = useRef<HTMLFormElement>(null)
  const live = useLivePreview(form)
  const error = answer?.entered ? answer.error : undefined
  const values = answer?.entered ?? initialValues
  const isDraft = !advisory || advisory.standing === 'draft'
  const isStale = error?.code === 'stale'

  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])

  const preview = live.preview ?? answer?.preview
  const publishLabel = usePublishLabel(preview)
  const carried = answer?.carried ?? carriedIn(answer?.values.carried)
  const hidden = {
    ...(sendKey ? { key: sendKey } : {}),
    ...(advisory ? { made_from: advisory.updated_at, standing: advisory.standing } : {}),
    ...(seen === undefined ? {} : { seen: String(seen) }),
  }
  return (
    <>
      {answer?.isConfirming && answer.preview && answer.entered && (
        <ConfirmPublish
          key={advisory?.updated_at}
          answer={answer}
          values={answer.entered}
          preview={answer.preview}
          hidden={sendKey ? { ...hidden, kind: 'advisory', carried: JSON.stringify(carried) } : hidden}
        />
      )}
      <Form
        ref={form}
        id={sendKey ? COMPOSER : undefined}
        method="post"
        data-guarded=""
        {...(answer?.entered ? { 'data-unsaved': '' } : {})}
        className={styles.form}
        onKeyDown={reviewOnCtrlEnter}
        onInput={live.follow}
        onSubmit={live.stop}
        noValidate
        preventScrollReset
      >
        {sendKey && <KindSwitch kind="advisory" carried={carried} defaultIntent="review" />}
        <HiddenFields values={hidden} />
        {error && !isStale && !answer?.isConfirming && <ErrorNote error={error} />}
        <Columns
          preview={
            <AdminPanel id="preview" title={t('preview_title')}>
              <Shown preview={preview} view={view} isBehind={live.isBehind} />
            </AdminPanel>
          }
        >
          <EntryFields
            values={values}
            fields={error?.fields ?? {}}
            choices={choices}
            isSourceFixed={!isDraft}
            readers={preview?.readers}
          />
        </Columns>
        <Buttons isFoot>
          {isDraft && !isStale ? (
            <Submit intent="review" look="primary" isReview>
              {publishLabel}
            </Submit>
          ) : (
            <Submit intent="publish" look="primary">
              {t(isStale ? 'save_over' : 'save')}
            </Submit>
          )}
          {isDraft && <Submit intent="draft">{t('save_draft')}</Submit>}
          <Submit intent="preview">{t('preview')}</Submit>
        </Buttons>
      </Form>
    </>
  )
}

/** 'Publish and notify 7 people…' */
function usePublishLabel(preview: Answer['preview']): string {
  const t = useT('compose')
  const language = useLanguage()
  const count = preview?.is_announced ? preview.readers.people : 0
  return count > 0 ? t('publish_to', { count, n: formatNumber(language, count) }) : t('publish_some')
}

function Submit({
  intent,
  look,
  isReview,
  children,
}: {
  intent: string
  look?: 'primary'
  isReview?: boolean
  children: string
}) {
  const { formData, state } = useNavigation()
  const isBusy = state !== 'idle' && formData?.get('intent') === intent
  return (
    <Button
      type="submit"
      name="intent"
      value={intent}
      isBusy={isBusy}
      {...(look ? { look } : {})}
      {...(isReview ? { 'data-review': '' } : {})}
    >
      {children}
    </Button>
  )
}

function ErrorNote({ error }: { error: NonNullable<Answer['error']> }) {
  const t = useT('forms')
  return <Note kind="error" isLive title={translateMessage(t, error.error)} />
}

function Shown(props: { preview: Answer['preview']; view: View | undefined; isBehind: boolean }) {
  const t = useT('manage')
  const { preview, view = preview, isBehind } = props
  const shown = preview ?? view
  if (!shown) return <p className={styles.none}>{t('preview_none')}</p>
  return (
    <>
      {isBehind && <p className={styles.none}>{t('preview_behind')}</p>}
      {preview?.removal && (
        <div className={styles.none}>
          <Note kind="unknown" title={t('removed', { reason: t(`removal_${preview.removal}`) })} />
        </div>
      )}
      <Preview view={shown} />
    </>
  )
}
