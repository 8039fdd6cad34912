import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import styles from './LegalPage.module.css'

interface Props {
  title: string
  subtitle?: string
  /** Rendered above the table of contents. */
  children?: ReactNode
  text: { html: string; sections: { id: string; title: string }[]; updated: string }
}

/** Long text with a table of contents. Trusted HTML, from files of this repository. */
export function LegalPage({ title, subtitle, children, text: { html, sections, updated } }: Props) {
  const t = useT('content')
  return (
    <>
      <h1>{title}</h1>
      <p className={styles.intro}>{subtitle ?? t('legal_updated', { date: updated })}</p>
      {children}
      <nav aria-label={t('legal_contents')} className={styles.contents}>
        <ul>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`} dangerouslySetInnerHTML={{ __html: section.title }} />
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.text} dangerouslySetInnerHTML={{ __html: html }} />
    </>
  )
}
