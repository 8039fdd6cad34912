import { type ReactNode, useId, useRef } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './Confirm.module.css'

interface Props {
  title: string
  text: string
  /** Label of the confirming button. */
  action: string
  onConfirm: () => void
  /** The element that opens the dialog. */
  children: (ask: () => void) => ReactNode
}

/** Confirmation dialog for an irreversible action. */
export function Confirm({ title, text, action, onConfirm, children }: Props) {
  const t = useT('assistant')
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const close = () => dialog.current?.close()
  return (
    <>
      {children(() => dialog.current?.showModal())}
      <dialog ref={dialog} className={styles.dialog} aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
        <div className={styles.buttons}>
          <Button onClick={close}>{t('keep_it')}</Button>
          <Button
            look="danger"
            onClick={() => {
              close()
              onConfirm()
            }}
          >
            {action}
          </Button>
        </div>
      </dialog>
    </>
  )
}
