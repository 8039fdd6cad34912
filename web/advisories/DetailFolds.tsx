import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import styles from './Detail.module.css'
import { AffectedAreas, Kind, Timeline } from './DetailFacts.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import type { SectionHeading } from './section-heading.ts'

interface Props {
  detail: AdvisoryDetailData
  heading: SectionHeading
}

/** The source's text under its own headings, then what is known besides; all closed. */
export function DetailFolds({ detail, heading }: Props) {
  const t = useT('advisory')
  const { advisory, sections } = detail
  return (
    <div className={styles.folds}>
      {sections.map(({ title, html }, i) => (
        <Fold
          // biome-ignore lint/suspicious/noArrayIndexKey: sections have no identity, and two may share a title
          key={i}
          title={title ?? t('additional_information')}
          titleLanguage={title ? advisory.language : undefined}
          hint={title ? undefined : t('from_source')}
        >
          {/* Sanitised by the server on import; links leave the portal. */}
          <div
            className={styles.foreign}
            lang={advisory.language}
            dir="auto"
            dangerouslySetInnerHTML={{ __html: html }}
          />
        </Fold>
      ))}
      {advisory.recommendations.length > 0 && (
        <Fold title={t('recommendations')} hint={t('from_source')}>
          <ol className={styles.recommendations} lang={advisory.language} dir="auto">
            {advisory.recommendations.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        </Fold>
      )}
      <Fold title={t('details')} hint={t('details_hint')}>
        <Kind detail={detail} />
        <Timeline detail={detail} heading={heading === 'h2' ? 'h3' : 'h4'} />
        <AffectedAreas detail={detail} heading={heading === 'h2' ? 'h3' : 'h4'} />
      </Fold>
      <Fold title={t('resources')}>
        <p>{t('resources_text')}</p>
      </Fold>
    </div>
  )
}

interface FoldProps {
  title: string
  titleLanguage?: string | undefined
  hint?: string | undefined
  children: ReactNode
}

function Fold({ title, titleLanguage, hint, children }: FoldProps) {
  return (
    <details>
      <summary>
        <span>
          <b lang={titleLanguage} dir="auto">
            {title}
          </b>
          {hint && <span className={styles.hint}>{hint}</span>}
        </span>
      </summary>
      {children}
    </details>
  )
}
