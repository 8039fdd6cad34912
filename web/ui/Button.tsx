import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './Button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './Icon.tsx'

interface Look {
  /** One primary button per page; all others are outlined or links. 'danger' deletes, with confirmation. */
  look?: 'primary' | 'secondary' | 'link' | 'danger'
  icon?: IconName
  isSmall?: boolean
  children: ReactNode
}

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'children'> {
  isBusy?: boolean
  /** Label while busy: 'Refreshing...'. */
  busyLabel?: string
}

/** A busy button keeps its width and focus: it is not disabled, but ignores clicks. */
export function Button({ look, icon, isSmall, isBusy, busyLabel, children, className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(styleOf(look, isSmall), className)}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      <Label icon={icon} isHidden={isBusy && !!busyLabel}>
        {children}
      </Label>
      {busyLabel && (
        <Label icon="refresh" isHidden={!isBusy}>
          {busyLabel}
        </Label>
      )}
    </button>
  )
}

/** A link styled as a button; a URL with a scheme leaves the portal and is a plain anchor. */
export function ButtonLink({
  look,
  icon,
  isSmall,
  children,
  className,
  to,
  ...rest
}: Look & Omit<ComponentProps<typeof Link>, 'children'>) {
  const all = { ...rest, className: classes(styleOf(look, isSmall), className) }
  const label = <Label icon={icon}>{children}</Label>
  if (typeof to === 'string' && /^[a-z]+:/i.test(to)) {
    return (
      <a {...all} href={to}>
        {label}
      </a>
    )
  }
  return (
    <Link {...all} to={to}>
      {label}
    </Link>
  )
}

function styleOf(look: Look['look'] = 'secondary', isSmall = false) {
  return classes(styles.button, styles[look], isSmall && styles.small)
}

function Label({
  icon,
  isHidden,
  children,
}: {
  icon?: IconName | undefined
  isHidden?: boolean | undefined
  children: ReactNode
}) {
  return (
    <span className={classes(styles.label, isHidden && styles.hidden)}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  )
}
