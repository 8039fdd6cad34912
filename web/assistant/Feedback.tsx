import { type FormEvent, useState } from 'react'
import { call } from '#web/lib/call.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Feedback.module.css'
import { Sign } from './Sign.tsx'

interface Props {
  questionId: string
  question: string
}

type Rating = 1 | -1

const MAX_QUESTION_LENGTH = 500

/** Rates an answer. One tap is enough; a comment may follow, with a note on what is stored. */
export function Feedback({ questionId, question }: Props) {
  const t = useT('assistant')
  const [rating, setRating] = useState<Rating | null>(null)
  const [state, setState] = useState<'idle' | 'rated' | 'commented' | 'failed'>('idle')

  async function send(body: { rating: Rating; comment?: string; question?: string }, next: 'rated' | 'commented') {
    setState(next)
    try {
      await call('POST /ai/feedback', { body: { question_id: questionId, ...body } })
    } catch {
      setState('failed')
    }
  }

  function rate(next: Rating) {
    setRating(next)
    void send({ rating: next }, 'rated')
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!rating) return
    const form = new FormData(event.currentTarget)
    const comment = String(form.get('comment') ?? '').trim()
    const questionBody = form.has('keep') ? { question: question.slice(0, MAX_QUESTION_LENGTH) } : {}
    void send({ rating, ...(comment ? { comment } : {}), ...questionBody }, 'commented')
  }

  return (
    <>
      <fieldset className={styles.rating}>
        <legend className="visually-hidden">{t('useful')}</legend>
        {([1, -1] as const).map((each) => (
          <Button key={each} look="link" isSmall aria-pressed={rating === each} onClick={() => rate(each)}>
            <Sign name={each === 1 ? 'up' : 'down'} />
            <span>{t(each === 1 ? 'useful_yes' : 'useful_no')}</span>
          </Button>
        ))}
      </fieldset>
      {state === 'rated' && (
        <form className={styles.more} onSubmit={submit}>
          <p role="status" className={styles.thanks}>
            {t('useful_thanks')}
          </p>
          <TextAreaField label={t('useful_comment')} hint={t('useful_comment_hint')} name="comment" maxLength={1_000} />
          {rating === -1 && <CheckField name="keep" label={t('useful_keep')} />}
          <div>
            <Button isSmall type="submit">
              {t('useful_send')}
            </Button>
          </div>
        </form>
      )}
      {state === 'commented' && (
        <p role="status" className={styles.thanks}>
          {t('feedback_thanks')}
        </p>
      )}
      {state === 'failed' && <Note kind="error" title={t('useful_failed')} isLive />}
    </>
  )
}
