import type { ReactNode } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Detail.module.css'
import { DetailFolds } from './DetailFolds.tsx'
import type { AdvisoryDetailData } from './detail.server.ts'
import { FirstSteps } from './FirstSteps.tsx'
import { PendingLevel } from './PendingLevel.tsx'
import type { SectionHeading } from './section-heading.ts'

interface Props {
  detail: AdvisoryDetailData
  heading: SectionHeading
  /** Below the texts. */
  children?: ReactNode
}

/** The texts of an advisory, the same on its page and in the dialog: what to do, why, and the rest folded. */
export function DetailBody({ detail, heading, children }: Props) {
  return (
    <div className={styles.texts}>
      <ValidityNotes detail={detail} />
      {detail.advisory.is_active && <FirstSteps detail={detail} heading={heading} />}
      <Why detail={detail} heading={heading} />
      <DetailFolds detail={detail} heading={heading} />
      {children}
    </div>
  )
}

/** In the words of the source, in its own language. */
function Why({ detail, heading: Heading }: Props) {
  const t = useT('advisory')
  const { advisory } = detail
  return (
    <section>
      <Heading>{t('why')}</Heading>
      <p className={styles.description} lang={advisory.language} dir="auto">
        {advisory.description}
      </p>
      {detail.title !== advisory.title && (
        <p className={styles.original}>
          {t('title_translated')} <bdi lang={advisory.language}>{t('quote', { text: advisory.title })}</bdi>
        </p>
      )}
      {detail.languageName && (
        <p className={styles.original}>{t('text_language', { language: detail.languageName })}</p>
      )}
    </section>
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
