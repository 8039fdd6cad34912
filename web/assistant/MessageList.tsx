import { type RefObject, useEffect, useRef } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import { Button } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { useChat } from './ChatProvider.tsx'
import { type Conversation, unanswered } from './conversation.ts'
import { Message } from './Message.tsx'
import styles from './MessageList.module.css'
import { answer, beginsGroup, type ShownMessage } from './messages.ts'

/** The conversation in order, the answer in progress, and errors. */
export function MessageList() {
  const { conversation, preferences } = useChat()
  const { messageGrouping, showTimestamps, autoScroll } = preferences.settings
  const { draft, phase, error } = conversation
  const all = withDraft(conversation)
  const list = useRef<HTMLOListElement>(null)
  useFollowing(list, conversation, autoScroll)
  return (
    <>
      <ol ref={list} className={styles.list}>
        {all.map((message, at) => (
          <Message
            key={message.id}
            message={message}
            question={questionBefore(all, at)}
            isFirst={beginsGroup(all, at, messageGrouping)}
            hasTime={showTimestamps}
            hasFailed={phase === 'idle'}
            isLast={at === all.length - 1}
            isUnfinished={message.id === draft?.id}
          />
        ))}
      </ol>
      {phase === 'waiting' && <Looking />}
      {error && phase === 'idle' && unanswered(conversation) && <AnswerError {...error} />}
    </>
  )
}

/** The draft has the id that the finished answer will have. */
function withDraft({ messages, draft }: Conversation): ShownMessage[] {
  if (!draft) return messages
  const { id, content, ...lead } = draft
  const last = messages.at(-1)?.timestamp ?? ''
  return [...messages, answer(id, { content, timestamp: last, replyTo: null }, lead)]
}

const questionBefore = (messages: readonly ShownMessage[], at: number): string =>
  messages.slice(0, at).findLast(({ sender }) => sender === 'user')?.content ?? ''

function Looking() {
  const t = useT('assistant')
  return (
    <p className={styles.looking}>
      <span className={styles.dots} aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      {t('looking')}
    </p>
  )
}

function AnswerError({ code, error }: NonNullable<Conversation['error']>) {
  const t = useT('assistant')
  const translate = useTranslateMessage()
  const { askAgain } = useChat()
  const again = (
    <Button icon="refresh" onClick={askAgain}>
      {t('ask_again')}
    </Button>
  )
  if (code === 'stopped')
    return (
      <div className={styles.error}>
        <p className={styles.aborted}>{t('aborted')}</p>
        {again}
      </div>
    )
  const known = code === 'offline' || code === 'timeout' || code === 'network'
  return (
    <div className={styles.error}>
      <Note
        kind={code === 'offline' ? 'unknown' : 'error'}
        icon={code === 'offline' ? 'offline' : 'critical'}
        title={known ? t(`failed_${code}`) : (translate(error) ?? t('failed_other'))}
        isLive
        action={again}
      >
        <p>{t('question_still_here')}</p>
        <p>
          <a href="/emergency">{t('failed_emergency')}</a>
        </p>
      </Note>
    </div>
  )
}

/** Space above the question, also below the bar that stays visible while there is danger. */
const ABOVE_PIXELS = 76
/** A user this far above the automatic scroll position wants to read there. */
const AWAY_PIXELS = 60

/** Scrolls with the answer until the question reaches the top: an answer is read from its beginning. */
function useFollowing(list: RefObject<HTMLElement | null>, { messages, draft, phase }: Conversation, isOn: boolean) {
  const broughtTo = useRef(0)
  const count = useRef(messages.length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every token of the draft moves the end of the page
  useEffect(() => {
    const isNew = messages.length !== count.current
    count.current = messages.length
    const mine = list.current?.querySelectorAll('[data-mine]')
    const question = mine?.[mine.length - 1]
    if (!isOn || !question || (phase === 'idle' && !isNew)) return
    if (phase !== 'waiting' && scrollY < broughtTo.current - AWAY_PIXELS) return
    const end = document.documentElement.scrollHeight - innerHeight
    broughtTo.current = Math.max(0, Math.min(end, question.getBoundingClientRect().top + scrollY - ABOVE_PIXELS))
    scrollTo({ top: broughtTo.current, behavior: 'instant' })
  }, [list, messages.length, draft, phase, isOn])
}
