import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { mayLeave } from '#web/lib/unsaved.ts'
import { ButtonLink } from './Button.tsx'
import styles from './DetailDrawer.module.css'
import { Icon } from './Icon.tsx'

interface Props {
  title: ReactNode
  subtitle?: ReactNode
  /** URL of the list without the drawer. */
  closeTo: string
  /** The drawers of the previous and next rows. */
  previousTo?: string | undefined
  nextTo?: string | undefined
  children: ReactNode
  /** The decision and the message to the user. */
  foot?: ReactNode
}

/**
 * One row of a list, opened over it. It has its own URL and is open in the server's markup; put it before the list, so
 * that without scripts it is the first section of the page. The native dialog traps and restores focus, and closes on
 * Escape.
 */
export function DetailDrawer({ title, subtitle, closeTo, previousTo, nextTo, children, foot }: Props) {
  const t = useT('admin')
  const tCommon = useT('common')
  const navigate = useNavigate()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    // Open already from the markup, but non-modal.
    dialog.current?.removeAttribute('open')
    dialog.current?.showModal()
  }, [])
  function close(event: MouseEvent) {
    event.preventDefault()
    // Restores the focus to the row before the navigation.
    dialog.current?.close()
  }
  return (
    <dialog
      ref={dialog}
      open
      className={styles.drawer}
      aria-labelledby={titleId}
      closedby="any"
      onClose={(event) => {
        // Ignore the close event of a nested dialog.
        if (event.target !== dialog.current) return
        if (mayLeave(tCommon('unsaved_leave'))) void navigate(closeTo, { preventScrollReset: true })
        else dialog.current.showModal()
      }}
    >
      <header className={styles.head}>
        <div className={styles.name}>
          <h2 id={titleId}>{title}</h2>
          {subtitle && <p>{subtitle}</p>}
        </div>
        <nav aria-label={t('drawer_rows')} className={styles.links}>
          {previousTo && (
            <ButtonLink to={previousTo} preventScrollReset rel="prev">
              {t('drawer_previous')}
            </ButtonLink>
          )}
          {nextTo && (
            <ButtonLink to={nextTo} preventScrollReset rel="next">
              {t('drawer_next')}
            </ButtonLink>
          )}
          <Link to={closeTo} className={styles.close} onClick={close} aria-label={t('close')}>
            <Icon name="close" />
          </Link>
        </nav>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be keyboard accessible */}
      <section className={styles.body} aria-labelledby={titleId} tabIndex={0}>
        {children}
      </section>
      {foot && <footer className={styles.foot}>{foot}</footer>}
    </dialog>
  )
}

/** Facts of the row, one per line. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

export function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
