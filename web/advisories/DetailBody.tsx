import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Detail.module.css'
import type { AdvisoryDetailData } from './detail.server.ts'
import { PendingLevel } from './PendingLevel.tsx'
import type { SectionHeading } from './section-heading.ts'
import { VersionHistory } from './VersionHistory.tsx'
import { WhatChanged } from './WhatChanged.tsx'

interface Props {
  detail: AdvisoryDetailData
  heading: SectionHeading
  /** Shown beside the text on the page, and between the texts in the dialog. */
  children?: ReactNode
}

/** The texts of an advisory, the same on its page and in the dialog. The source's text stays in its own language. */
export function DetailBody({ detail, heading: Heading, children }: Props) {
  const t = useT('advisory')
  const { advisory } = detail
  const { language } = advisory
  return (
    <div className={styles.texts}>
      <ValidityNotes detail={detail} />
      <WhatChanged detail={detail} heading={Heading} />
      <section>
        <Heading>{t('why')}</Heading>
        <p className={styles.description} lang={language} dir="auto">
          {advisory.description}
        </p>
        <p className={styles.original}>
          {t('original_wording')}: <bdi lang={language}>{t('quote', { text: advisory.original_wording })}</bdi>
        </p>
        {detail.title !== advisory.title && (
          <p className={styles.original}>
            {t('title_translated')} <bdi lang={language}>{t('quote', { text: advisory.title })}</bdi>
          </p>
        )}
        {detail.languageName && (
          <p className={styles.original}>{t('text_language', { language: detail.languageName })}</p>
        )}
      </section>
      {advisory.detailed_information && (
        <section>
          <Heading>{t('additional_information')}</Heading>
          {/* Sanitised by the server on import; links leave the portal. */}
          <div
            className={styles.foreign}
            lang={language}
            dir="auto"
            dangerouslySetInnerHTML={{ __html: advisory.detailed_information }}
          />
        </section>
      )}
      {advisory.recommendations.length > 0 && (
        <section>
          <Heading>{t('recommendations')}</Heading>
          <ol className={styles.recommendations} lang={language} dir="auto">
            {advisory.recommendations.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ol>
        </section>
      )}
      {children}
      <Resources />
      <VersionHistory detail={detail} />
    </div>
  )
}

/** Whether the advisory is still in force, before anything else. */
function ValidityNotes({ detail: { advisory } }: { detail: AdvisoryDetailData }) {
  const t = useT('advisory')
  return (
    <>
      {!advisory.is_active && (
        <Note kind="unknown" title={t('expired_note')}>
          <p>{t('expired_text')}</p>
        </Note>
      )}
      {advisory.is_active && <PendingLevel reason={advisory.pending_reason} />}
      {advisory.missing_since && (
        <Note kind="unknown" title={t('missing_note')}>
          <p>
            {t('missing_before')} <Time value={advisory.missing_since} look="day" />. {t('missing_text')}
          </p>
        </Note>
      )}
    </>
  )
}

function Resources() {
  const t = useT('advisory')
  return (
    <details className={styles.fold}>
      <summary>{t('resources')}</summary>
      <p>{t('resources_text')}</p>
    </details>
  )
}
