import type { KeyboardEvent, ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Submit } from '#web/ui/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Composer.module.css'

/** The form on the start side and its preview on the end side; one below the other on a phone. */
export function Columns({ children, preview }: { children: ReactNode; preview: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      <div className={styles.aside}>{preview}</div>
    </div>
  )
}

/** A section of the form: What, Who or How. */
export function Section({
  id,
  title,
  hint,
  children,
}: {
  id: string
  title: string
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {hint && <p>{hint}</p>}
      </div>
      {children}
    </section>
  )
}

interface SendBarProps {
  label: string
  /** Nobody matches: there is nothing to send. */
  isFlat: boolean
  summary: ReactNode
  /** Further actions. */
  children?: ReactNode
}

/** Send with dots asks for confirmation; on a phone the preview is one tap away. */
export function SendBar({ label, isFlat, summary, children }: SendBarProps) {
  const t = useT('compose')
  return (
    <div className={styles.foot}>
      <div className={styles.bar}>
        <Submit name="intent" value="review" data-review="" disabled={isFlat}>
          <Icon name="arrow" />
          {label}
        </Submit>
        <ButtonLink to="#preview" className={styles.toPreview} preventScrollReset>
          {t('preview')}
        </ButtonLink>
        <p className={styles.summary}>{summary}</p>
      </div>
      {children && <div className={styles.more}>{children}</div>}
    </div>
  )
}

/** Ctrl Enter presses the button that opens the confirmation. */
export function reviewOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  const button = event.currentTarget.querySelector<HTMLButtonElement>('[data-review]')
  if (!button || button.disabled) return
  event.preventDefault()
  event.currentTarget.requestSubmit(button)
}
