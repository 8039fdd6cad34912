import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Forms.module.css'

/** Radio group: one row per option, with the whole row clickable. */
export function Choice({
  legend,
  name,
  options,
  chosen,
  error,
}: {
  legend: string
  name: string
  options: readonly (readonly [value: string, label: string])[]
  chosen: string
  error?: ReactNode
}) {
  return (
    <fieldset className={styles.choice}>
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} value={value} defaultChecked={value === chosen} />
          <span>{label}</span>
        </label>
      ))}
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  )
}

/** Honeypot: hidden from users, filled in by bots. */
export function Trap() {
  return (
    <div className={styles.trap} aria-hidden="true">
      <label>
        Homepage
        <input type="text" name="homepage" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}

export function Gone() {
  const t = useT('churchForms')
  return (
    <Note
      kind="unknown"
      title={t('gone_title')}
      action={
        <ButtonLink to="/church-locator" look="primary">
          {t('to_locator')}
        </ButtonLink>
      }
    >
      <p>{t('gone_text')}</p>
    </Note>
  )
}

/** What happens with the submission, and a link back. */
export function Thanks({ id, title, text }: { id: string; title: string; text: string }) {
  const t = useT('churchForms')
  return (
    <Note
      kind="success"
      isLive
      title={title}
      action={<ButtonLink to={`/church-locator/${id}`}>{t('to_church')}</ButtonLink>}
    >
      <p>{text}</p>
    </Note>
  )
}
