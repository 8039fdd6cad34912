import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { useNavigate } from 'react-router'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import styles from './Confirmation.module.css'
import { FEW_RECIPIENTS, isJump } from './estimate.ts'

interface Props {
  title: string
  /** Title of the message and its audience, in one line. */
  subject: ReactNode
  /** Their number, and the time where they are. */
  recipients: number
  clocks?: readonly string[]
  /** Who is reached on which channel. */
  channels: ReactNode
  /** What the question is about: it is asked again when this changes. */
  about: unknown
  facts: readonly { icon: IconName; text: ReactNode }[]
  sendLabel: string
  busyLabel: string
  sendIntent: string
  /** The number of recipients shown before. */
  before: number
  /** The page without the confirmation; without, going back is the intent `edit` of the same form. */
  backTo?: string
  action?: string
  error: FormError | undefined
  /** Hidden fields. */
  children: ReactNode
}

/**
 * The last question before a message is sent: to how many, on which channels, at what price, at what time there. Open in
 * the server's markup, above the form; a modal dialog with scripts.
 */
export function Confirmation({ title, subject, facts, backTo, before, error, ...form }: Props) {
  const t = useT('compose')
  const language = useLanguage()
  const navigate = useNavigate()
  const problem = useProblems(error)
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const { recipients, clocks = [] } = form
  const asksNumber = isJump(before, recipients)
  useModal(dialog, form.about)
  return (
    <dialog
      ref={dialog}
      open
      className={styles.dialog}
      aria-labelledby={titleId}
      onKeyDown={sendOnCtrlEnter}
      onClose={() => backTo && navigate(backTo, { preventScrollReset: true })}
    >
      <Form error={error} isGuarded={false} {...(form.action ? { action: form.action } : {})}>
        {form.children}
        <input type="hidden" name="people" value={recipients} />
        <input type="hidden" name="before" value={before} />
        <div className={styles.body}>
          <h2 id={titleId}>{title}</h2>
          <p className={styles.subject}>{subject}</p>
          {form.channels}
          <ul className={styles.facts}>
            {clocks.length > 0 && (
              <li>
                <Icon name="clock" /> {t('clocks_there', { clocks: clocks.join(t('comma')) })}
              </li>
            )}
            {facts.map(({ icon, text }) => (
              <li key={icon}>
                <Icon name={icon} /> {text}
              </li>
            ))}
          </ul>
          {asksNumber && (
            <TextField
              label={t('number_check', { n: formatNumber(language, recipients) })}
              hint={t('number_check_hint', { before: formatNumber(language, before) })}
              name="number_check"
              inputMode="numeric"
              autoComplete="off"
              error={problem('number_check')}
            />
          )}
        </div>
        <div className={styles.foot}>
          <Submit
            name="intent"
            value={form.sendIntent}
            busyLabel={form.busyLabel}
            data-default={recipients <= FEW_RECIPIENTS ? '' : undefined}
          >
            {form.sendLabel}
          </Submit>
          {backTo ? (
            <ButtonLink to={backTo} preventScrollReset data-default={recipients > FEW_RECIPIENTS ? '' : undefined}>
              {t('go_back')}
            </ButtonLink>
          ) : (
            <Button
              type="submit"
              name="intent"
              value="edit"
              data-default={recipients > FEW_RECIPIENTS ? '' : undefined}
              onClick={(event) => {
                event.preventDefault()
                dialog.current?.close()
              }}
            >
              {t('go_back')}
            </Button>
          )}
          <span className={styles.keys}>{t('keys_send')}</span>
        </div>
      </Form>
    </dialog>
  )
}

function useModal(dialog: { current: HTMLDialogElement | null }, shown: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens again for what is shown next
  useEffect(() => {
    if (!dialog.current || dialog.current.matches(':modal')) return
    // Open already from the markup, but non-modal.
    dialog.current.removeAttribute('open')
    dialog.current.showModal()
    // A slip of the finger must not send to many.
    dialog.current.querySelector<HTMLElement>('[data-default]')?.focus()
  }, [dialog, shown])
}

function sendOnCtrlEnter(event: KeyboardEvent<HTMLDialogElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget
    .querySelector('form')
    ?.requestSubmit(event.currentTarget.querySelector<HTMLButtonElement>('[type=submit]'))
}
