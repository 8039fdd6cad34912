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

interface Failed {
  error: string
  fields: Record<string, string>
}

interface Props extends Omit<ComponentProps<typeof RouterForm>, 'method' | 'ref'> {
  /** Of the last try of this form: said on top, and focus goes to the first wrong field. */
  error?: Failed | undefined
  /** What can be done about it, below the text. */
  remedy?: ReactNode
  /** False: leaving the page without sending it loses nothing worth a question, as when signing in. */
  isGuarded?: boolean
  /** What it shows was only looked at, and is not saved yet. */
  isUnsaved?: boolean
}

const BusyContext = createContext(false)

/** A form that is posted, with scripts or without. What is wrong is said by the server only, in one voice. */
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
 * Whether a submission is under way: until its answer is on the page, or until the page that it redirects to is there.
 * The data of the page may take longer than the answer to be fetched anew, and the next submission is not lost meanwhile.
 */
function useIsBusy(error: Failed | undefined): boolean {
  const { state, formData } = useNavigation()
  const answer = useActionData() ?? error
  // What is drawn only with the answer was not submitted.
  const [before, setBefore] = useState({ answer, isNew: state === 'loading' })
  if (state === 'submitting' && (before.isNew || before.answer !== answer)) setBefore({ answer, isNew: false })
  if (state === 'idle' && before.isNew) setBefore({ answer, isNew: false })
  const isAnswered = state === 'loading' && (before.isNew || before.answer !== answer)
  return formData !== undefined && !isAnswered
}

/** Leads to the first wrong field of a form that was refused, else to what is said of it. */
export function useFocusOnError(form: RefObject<HTMLFormElement | null>, error: Failed | undefined) {
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

/** The message of each field of a failed form, in the reader's language. */
export function useProblems(error: Failed | undefined) {
  const translate = useTranslateMessage()
  return (field: string) => translate(error?.fields[field])
}

/** Sends its form once: while that is under way it does nothing, and says so. */
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
