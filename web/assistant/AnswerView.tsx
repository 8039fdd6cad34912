import { lazy, Suspense } from 'react'
import type { AnswerMetadata, AnswerStatus } from '#shared/assistant/answer.ts'
import { directionOfAssistant } from '#shared/assistant/languages.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Tag, UnknownTag } from '#web/ui/Chip.tsx'
import { ErrorBoundary } from '#web/ui/ErrorBoundary.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './AnswerView.module.css'
import { CaseForm } from './CaseForm.tsx'
import { DangerPanel } from './DangerPanel.tsx'
import { HelpLine } from './HelpLine.tsx'
import { Locales } from './Locales.tsx'
import { lacksPlace, Nearby } from './Nearby.tsx'
import { besideHelpLine, besidePanel } from './plain-text.ts'
import { QuickActions } from './QuickActions.tsx'
import { Sources, sourceId } from './Sources.tsx'

const Markdown = lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown }))

interface Props {
  id: string
  content: string
  /** Only the lead is present while an answer is written. */
  metadata: Partial<AnswerMetadata> | null
  /** The user's question. */
  question: string
  isUnfinished: boolean
  /** The last answer of the conversation offers next steps. */
  isLast: boolean
}

/** One answer: lead, text, sources, and next steps. */
export function AnswerView({ id, content: whole, metadata, question, isUnfinished, isLast }: Props) {
  const { language, danger, help_line: helpLine, notice, warning, citations = [], status } = metadata ?? {}
  const content = helpLine ? besideHelpLine(whole) : besidePanel(whole, danger)
  const bare = <p className={styles.bare}>{content}</p>
  const inLanguage = language ? { lang: language, dir: directionOfAssistant(language) } : { dir: 'auto' }
  const cite = (n: number) => {
    // A page restored without scripts has the text but no sources.
    if (!metadata) return ''
    return citations.some((each) => each.n === n) ? <Cite answerId={id} n={n} /> : undefined
  }
  return (
    <div className={styles.answer}>
      {danger && (
        <div {...inLanguage}>
          <DangerPanel
            id={id}
            panel={danger}
            question={question}
            questionId={metadata?.question_id ?? null}
            language={language ?? 'en'}
          />
        </div>
      )}
      {helpLine && (
        <div {...inLanguage}>
          <HelpLine {...helpLine} />
        </div>
      )}
      {content && (
        <div className={styles.words} {...inLanguage}>
          <ErrorBoundary fallback={() => bare} resetKeys={[content]}>
            <Suspense fallback={bare}>
              <Markdown isUnfinished={isUnfinished} cite={cite}>
                {content}
              </Markdown>
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
      {warning && (
        <p className={styles.warning} {...inLanguage}>
          {warning}
        </p>
      )}
      {notice && (
        <p className={styles.notice} {...inLanguage}>
          {notice}
        </p>
      )}
      {metadata?.mapLocales && <Locales locales={metadata.mapLocales} />}
      <Sources id={id} citations={citations} />
      {status && <Status status={status} />}
      {isLast && metadata && lacksPlace(metadata) && <Nearby question={question} />}
      {isLast && metadata?.quickActions && (
        <div {...inLanguage}>
          <QuickActions actions={metadata.quickActions} />
        </div>
      )}
      {isLast && metadata?.notify && (
        <div {...inLanguage}>
          <Notify {...metadata.notify} metadata={metadata} />
        </div>
      )}
    </div>
  )
}

/** Notifies a coordinator at once that the user needs help; nothing is sent before the button is pressed. */
function Notify({
  metadata: { question_id, intent_analysis, language },
  ...texts
}: NonNullable<AnswerMetadata['notify']> & { metadata: Partial<AnswerMetadata> }) {
  return (
    <CaseForm
      kind="danger"
      about={{
        question_id: question_id ?? null,
        dangers: [],
        country: intent_analysis?.entities.country ?? null,
        language: language ?? 'en',
      }}
      texts={{ ...texts, safePhone: '', safeTime: '' }}
      hasPhone={false}
      icon={<Icon name="person" />}
    />
  )
}

/** Number of a source in the text, linking to the list below. */
function Cite({ answerId, n }: { answerId: string; n: number }) {
  const t = useT('assistant')
  const target = sourceId(answerId, n)
  return (
    <a
      className={styles.cite}
      href={`#${target}`}
      aria-label={t('source_number', { n })}
      onClick={(event) => {
        // Without a history entry: going back leaves the conversation.
        event.preventDefault()
        document.getElementById(target)?.focus()
      }}
    >
      [{n}]
    </a>
  )
}

const SURE: ReadonlySet<AnswerStatus> = new Set(['answered', 'handed_over', 'fallback'])

function Status({ status }: { status: AnswerStatus }) {
  const t = useT('assistant')
  const text = t(`status_${status}`)
  return <p className={styles.status}>{SURE.has(status) ? <Tag>{text}</Tag> : <UnknownTag>{text}</UnknownTag>}</p>
}
