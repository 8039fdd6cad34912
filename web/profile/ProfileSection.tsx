import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Section } from '#web/ui/Page.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import styles from './Profile.module.css'

interface Props {
  /** Anchor of the part, and what the address says when something in it was done. */
  id: string
  title: string
  hint?: ReactNode
  /** Said on top of the part: what was just done. */
  done?: string | false | null | undefined
  children: ReactNode
}

/** A part of the profile on its own sheet. */
export function ProfileSection({ id, title, hint, done, children }: Props) {
  return (
    <Section id={id} title={title} hint={hint}>
      <Surface className={styles.sheet}>
        {done && <Note kind="success" title={done} isLive />}
        {children}
      </Surface>
    </Section>
  )
}

interface Compared {
  label: string
  entered: string
  saved: string
}

/** Somebody, or the same person elsewhere, saved first: what differs, side by side. */
export function ChangedMeanwhile({ compared }: { compared: Compared[] }) {
  const t = useT('profile')
  const differing = compared.filter(({ entered, saved }) => entered !== saved)
  return (
    <Note title={t('conflict_title')} isLive>
      <p>{t('conflict_text')}</p>
      {differing.length > 0 && (
        <table className={styles.compared}>
          <thead>
            <tr>
              <th scope="col">{t('conflict_field')}</th>
              <th scope="col">{t('conflict_yours')}</th>
              <th scope="col">{t('conflict_saved')}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ label, entered, saved }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>
                  <bdi>{entered || t('empty')}</bdi>
                </td>
                <td>
                  <bdi>{saved || t('empty')}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Note>
  )
}
