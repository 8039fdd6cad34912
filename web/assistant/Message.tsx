import { memo } from 'react'
import { ComponentBoundary } from '#web/content/ComponentBoundary.tsx'
import { useNow, useZone } from '#web/lib/clock.ts'
import { formatClock } from '#web/lib/format.ts'
import { useT } from '#web/lib/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import { AnswerTools } from './AnswerTools.tsx'
import { AnswerView } from './AnswerView.tsx'
import styles from './Message.module.css'
import type { ShownMessage } from './messages.ts'

interface Props {
  message: ShownMessage
  /** The question of an answer. */
  question: string
  /** Sender and time are shown once per group. */
  isFirst: boolean
  hasTime: boolean
  isLast: boolean
  /** Sending failed, or there was no response. */
  hasFailed: boolean
  /** Still streaming. */
  isUnfinished: boolean
}

/** The user's messages in a block at the end of the line, answers plain on the page. */
export const Message = memo(function Message(props: Props) {
  const { message, question, isFirst, hasTime, hasFailed, isLast, isUnfinished } = props
  const isMine = message.sender === 'user'
  return (
    <li
      className={classes(styles.message, isMine && styles.mine, !isFirst && styles.next)}
      data-mine={isMine ? '' : undefined}
    >
      <Head message={message} isFirst={isFirst} hasTime={hasTime} hasFailed={hasFailed} />
      {isMine ? (
        <p className={styles.words} dir="auto">
          {message.content}
        </p>
      ) : (
        <>
          <ComponentBoundary name="AnswerView">
            <AnswerView
              id={message.id}
              content={message.content}
              metadata={message.metadata}
              question={question}
              isUnfinished={isUnfinished}
              isLast={isLast}
            />
          </ComponentBoundary>
          {message.isCancelled && <StopNote />}
          {!isUnfinished && <AnswerTools message={message} question={question} isLast={isLast} />}
        </>
      )}
    </li>
  )
})

function Head({ message, isFirst, hasTime, hasFailed }: Pick<Props, 'message' | 'isFirst' | 'hasTime' | 'hasFailed'>) {
  const t = useT('assistant')
  const { sender, status } = message
  const isSending = status === 'sending'
  return (
    <div className={styles.head}>
      {/* Conveyed visually by side and colour. */}
      <h2 className="visually-hidden">{t(sender === 'user' ? 'you_wrote' : 'assistant_wrote')}</h2>
      {isFirst && hasTime && <Clock at={message.timestamp} />}
      {isSending && <span>{t(hasFailed ? 'not_delivered' : 'sending')}</span>}
      {!isSending && sender === 'user' && <span className="visually-hidden">{t('delivered')}</span>}
    </div>
  )
}

/** Time of day in the user's time zone, which the server does not know. */
function Clock({ at }: { at: string }) {
  const zone = useZone()
  const isHere = useNow() !== null
  const here = isHere ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone
  return <time dateTime={at}>{formatClock(at, here)}</time>
}

function StopNote() {
  const t = useT('assistant')
  return <p className={styles.aborted}>{t('aborted')}</p>
}
