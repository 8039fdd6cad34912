import { type ReactNode, type RefObject, useId } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Sheet.module.css'

interface Props {
  dialog: RefObject<HTMLDialogElement | null>
  title: string
  side: 'start' | 'end'
  children: ReactNode
}

/** A side sheet over the conversation. Escape or a tap outside closes it. */
export function Sheet({ dialog, title, side, children }: Props) {
  const t = useT('assistant')
  const id = useId()
  const close = () => dialog.current?.close()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      className={classes(styles.sheet, styles[side])}
      aria-labelledby={id}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className={styles.content}>
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          <button type="button" className={styles.close} aria-label={t('close')} onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
