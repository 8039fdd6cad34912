import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Section } from '#web/ui/Page.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import styles from './Profile.module.css'

interface Props {
  /** Anchor of the section, and its value in the URL after an action. */
  id: string
  title: string
  hint?: ReactNode
  /** Result of the last action, above the section. */
  done?: string | false | null | undefined
  children: ReactNode
}

/** A section of the profile on its own panel. */
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

interface FieldDifference {
  label: string
  entered: string
  saved: string
}

/** Conflict: another session or user saved first. Shows the differences side by side. */
export function ChangedMeanwhile({ compared }: { compared: FieldDifference[] }) {
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
