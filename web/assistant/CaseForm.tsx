import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { CaseKind } from '#shared/assistant/cases.ts'
import type { Danger } from '#shared/assistant/intents.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'
import { MAX_BACKUP_MESSAGES } from '#shared/assistant/limits.ts'
import { call } from '#web/lib/call.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { useFocusOnError } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import { RetryButton, useFormAddress } from './AskForm.tsx'
import styles from './CaseForm.module.css'
import { useChat } from './ChatProvider.tsx'
import { isWhollyOnServer } from './conversation.ts'
import { turnsOf } from './turns.ts'
import { useCaseActionData } from './useCaseActionData.ts'

export interface CaseAbout {
  question_id: string | null
  dangers: readonly Danger[]
  country: string | null
  language: AssistantLanguage
}

interface Props {
  kind: CaseKind
  about: CaseAbout
  /** In the language of the answer where translated, otherwise of the page. */
  texts: { title: string; help?: string; safePhone: string; safeTime: string; send: string }
  /** Whether a phone number is requested; if it is required, the label says nothing more. */
  hasPhone: boolean
  icon?: ReactNode
}

interface Result {
  done?: { reference: string; content: string }
  error?: { error: string; fields: Record<string, string> }
}

/** Hands the conversation over to a human. Collapsed until needed; works as a plain form. */
export function CaseForm({ kind, about, texts, hasPhone, icon }: Props) {
  const actionData = useCaseActionData(kind)
  const address = useFormAddress()
  const [result, setResult] = useState<Result>(actionData)
  const [isBusy, setBusy] = useState(false)
  const send = useSending(kind, about)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnError(form, result.error)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const formData = new FormData(event.currentTarget)
    setBusy(true)
    setResult(await send(formData))
    setBusy(false)
  }

  if (result.done) return <Done {...result.done} />
  return (
    <details className={styles.case} open={result.error !== undefined}>
      <summary className={styles.summary}>
        {icon}
        {texts.title}
      </summary>
      <form ref={form} method="post" action={address} className={styles.form} onSubmit={submit} noValidate>
        <RetryButton />
        <Hidden kind={kind} about={about} />
        {texts.help && <p className={styles.help}>{texts.help}</p>}
        {result.error && <ErrorNote text={result.error.error} />}
        {hasPhone && <Fields texts={texts} fields={result.error?.fields ?? {}} values={actionData.values} />}
        <div>
          <Button look="primary" type="submit" isBusy={isBusy}>
            {texts.send}
          </Button>
        </div>
      </form>
    </details>
  )
}

/** Submits it by script, with the conversation if the server has no copy of it. */
function useSending(kind: CaseKind, about: CaseAbout) {
  const t = useT('assistant')
  const { conversation } = useChat()
  return async (form: FormData): Promise<Result> => {
    const text = (name: string) => String(form.get(name) ?? '').trim() || undefined
    const [safe_phone, safe_time] = [text('safe_phone'), text('safe_time')]
    const isSaved = isWhollyOnServer(conversation)
    const body = {
      kind,
      messages: isSaved ? [] : turnsOf(conversation.messages, MAX_BACKUP_MESSAGES),
      conversation_id: isSaved ? conversation.id : null,
      question_id: about.question_id,
      dangers: [...about.dangers],
      country: about.country,
      language: about.language,
      ...(safe_phone ? { safe_phone } : {}),
      ...(safe_time ? { safe_time } : {}),
    }
    try {
      return { done: await call('POST /ai/cases', { body }) }
    } catch (error) {
      const { message, status, fields = {} } = error as { message: string; status?: number; fields?: Result['error'] }
      return { error: { error: status ? message : t('failed_network'), fields: fields as Record<string, string> } }
    }
  }
}

function Hidden({ kind, about }: { kind: CaseKind; about: CaseAbout }) {
  return (
    <>
      <input type="hidden" name="case" value={kind} />
      {about.question_id && <input type="hidden" name="question_id" value={about.question_id} />}
      {about.country && <input type="hidden" name="country" value={about.country} />}
      <input type="hidden" name="case_language" value={about.language} />
      {about.dangers.map((danger) => (
        <input key={danger} type="hidden" name="danger" value={danger} />
      ))}
    </>
  )
}

function ErrorNote({ text }: { text: string }) {
  const translate = useTranslateMessage()
  return <Note kind="error" title={translate(text)} isLive />
}

function Fields({
  texts,
  fields,
  values,
}: {
  texts: Props['texts']
  fields: Record<string, string>
  values: Record<string, string>
}) {
  const translate = useTranslateMessage()
  return (
    <>
      <TextField
        label={texts.safePhone}
        name="safe_phone"
        type="tel"
        dir="ltr"
        autoComplete="off"
        maxLength={40}
        defaultValue={values.safe_phone}
        error={translate(fields.safe_phone)}
      />
      <TextField
        label={texts.safeTime}
        name="safe_time"
        dir="auto"
        autoComplete="off"
        maxLength={200}
        defaultValue={values.safe_time}
        error={translate(fields.safe_time)}
      />
    </>
  )
}

/** What happens next, with the reference on one line. */
function Done({ reference, content }: { reference: string; content: string }) {
  const [before, after] = content.split(reference)
  return (
    <Note
      kind="success"
      isLive
      title={
        <span dir="auto">
          {before}
          {after !== undefined && (
            <bdi dir="ltr" className={styles.reference}>
              {reference}
            </bdi>
          )}
          {after}
        </span>
      }
    />
  )
}
