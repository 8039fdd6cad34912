import { type ReactNode, useId, useRef } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import styles from './Confirm.module.css'

interface Props {
  title: string
  text: string
  /** What the button that does it says. */
  action: string
  onConfirm: () => void
  /** What asks. */
  children: (ask: () => void) => ReactNode
}

/** Asks before something goes for good. */
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
