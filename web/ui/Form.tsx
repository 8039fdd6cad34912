import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Form as RouterForm, useActionData, useNavigation } from 'react-router'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { Button } from './Button.tsx'
import styles from './Form.module.css'
import { Note } from './Note.tsx'

interface SubmissionError {
  error: string
  fields: Record<string, string>
}

interface Props extends Omit<ComponentProps<typeof RouterForm>, 'method' | 'ref'> {
  /** Error of the last submission: shown at the top, and the first invalid field receives the focus. */
  error?: SubmissionError | undefined
  /** What can be done about it, below the text. */
  remedy?: ReactNode
  /** False: leaving the page loses nothing worth a confirmation, as on sign-in. */
  isGuarded?: boolean
  /** The values shown are a preview and not saved yet. */
  isUnsaved?: boolean
}

const BusyContext = createContext(false)

/** A POST form, with or without scripts. Validation errors come from the server only, for consistent messages. */
export function Form({ error, remedy, isGuarded = true, isUnsaved, children, ...rest }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const isBusy = useIsBusy(error)
  useFocusOnError(form, error)
  return (
    <RouterForm
      noValidate
      {...rest}
      ref={form}
      method="post"
      {...(isGuarded ? { 'data-guarded': '' } : {})}
      {...(isGuarded && (error || isUnsaved) ? { 'data-unsaved': '' } : {})}
      className={styles.form}
      onSubmit={(event) => isBusy && event.preventDefault()}
    >
      {error && <Summary text={error.error} remedy={remedy} />}
      <BusyContext value={isBusy}>{children}</BusyContext>
    </RouterForm>
  )
}

/**
 * Whether a submission is in progress: until its response is rendered, or the page it redirects to. Revalidation may
 * take longer than the response, and the next submission is not lost meanwhile.
 */
function useIsBusy(error: SubmissionError | undefined): boolean {
  const { state, formData } = useNavigation()
  const answer = useActionData() ?? error
  // A form first rendered with the response was not submitted.
  const [before, setBefore] = useState({ answer, isNew: state === 'loading' })
  if (state === 'submitting' && (before.isNew || before.answer !== answer)) setBefore({ answer, isNew: false })
  if (state === 'idle' && before.isNew) setBefore({ answer, isNew: false })
  // To save over another user's change, the form needs the version that is still being loaded.
  const isStale = (answer as { error?: { code?: string } } | undefined)?.error?.code === 'stale'
  const isAnswered = state === 'loading' && !isStale && (before.isNew || before.answer !== answer)
  return formData !== undefined && !isAnswered
}

/** Focuses the first invalid field of a rejected form, otherwise the error message. */
export function useFocusOnError(form: RefObject<HTMLFormElement | null>, error: SubmissionError | undefined) {
  useEffect(() => {
    if (!error) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    ;(wrong ?? form.current?.querySelector<HTMLElement>('[data-summary]'))?.focus()
  }, [error, form])
}

function Summary({ text, remedy }: { text: string; remedy: ReactNode }) {
  const message = useTranslateMessage()(text) ?? text
  const [, first, rest] = /^(.+?[.!؟?])\s+(.+)$/s.exec(message) ?? [message, message]
  return (
    <div tabIndex={-1} data-summary="" className={styles.summary}>
      <Note kind="error" title={first} isLive action={remedy}>
        {rest && <p>{rest}</p>}
      </Note>
    </div>
  )
}

/** The error of each field of a rejected form, in the user's language. */
export function useProblems(error: SubmissionError | undefined) {
  const translate = useTranslateMessage()
  return (field: string) => {
    // The first invalid entry of a list is an error of its field: 'links.2' of 'links'.
    const name = Object.keys(error?.fields ?? {}).find((key) => key === field || key.replace(/\.\d+$/, '') === field)
    return translate(name && error?.fields[name])
  }
}

/** Name, value and error of a field: `<TextField label=… {...field('title')} />`. */
export function useFields(values: Record<string, string>, error: SubmissionError | undefined) {
  const problem = useProblems(error)
  return (name: string) => ({ name, defaultValue: values[name] ?? '', error: problem(name) })
}

/** Submit button: while the submission is in progress it ignores clicks and shows its busy label. */
export function Submit({
  busyLabel,
  children,
  ...rest
}: { busyLabel?: string | undefined; children: ReactNode } & Omit<
  ComponentProps<typeof Button>,
  'type' | 'isBusy' | 'busyLabel'
>) {
  const isBusy = use(BusyContext)
  return (
    <Button look="primary" {...rest} type="submit" isBusy={isBusy} {...(busyLabel ? { busyLabel } : {})}>
      {children}
    </Button>
  )
}
