import { type FormEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { assistantLanguageOf } from '#shared/assistant/languages.ts'
import { MAX_QUESTION } from '#shared/assistant/limits.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { AskForm, RetryButton, useFormAddress, useScripts } from './AskForm.tsx'
import { useChat } from './ChatProvider.tsx'
import styles from './Composer.module.css'
import { isInDanger } from './conversation.ts'
import { DictateButton } from './DictateButton.tsx'
import { useFocusOnNew, useFocusRestore } from './focus.ts'
import { LanguageOptions } from './LanguageOptions.tsx'
import { PlaceButton } from './PlaceButton.tsx'
import { Sign } from './Sign.tsx'

/** Message input. Enter sends, Shift+Enter inserts a line break. */
export function Composer({ values }: { values: string }) {
  const t = useT('assistant')
  const language = useLanguage()
  const { ask, conversation } = useChat()
  const address = useFormAddress()
  const field = useRef<HTMLTextAreaElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [length, setLength] = useState(0)
  const isRunning = conversation.phase !== 'idle'
  const isTooLong = length > MAX_QUESTION
  useFocusOnNew(field, conversation.messages.length === 0 ? conversation.id : null)
  useFocusRestore(button, isRunning)

  function submit(event: FormEvent) {
    event.preventDefault()
    const input = field.current
    if (!input) return
    const text = input.value
    if (isRunning || text.trim() === '' || text.trim().length > MAX_QUESTION) return input.focus()
    ask(text)
    input.value = ''
    setLength(0)
  }

  function pressed(event: KeyboardEvent<HTMLTextAreaElement>) {
    // During IME composition, Enter confirms the candidate.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }

  const counts = { n: formatNumber(language, length), most: formatNumber(language, MAX_QUESTION) }
  return (
    <div className={styles.composer}>
      <form method="post" action={address} className={styles.content} onSubmit={submit}>
        <RetryButton />
        <div className={styles.line}>
          <label htmlFor="question" className="visually-hidden">
            {t('question_label')}
          </label>
          <textarea
            ref={field}
            id="question"
            name="question"
            rows={1}
            dir="auto"
            enterKeyHint="send"
            autoComplete="off"
            className={styles.field}
            placeholder={t('question_placeholder')}
            defaultValue={values}
            aria-describedby={isTooLong ? 'question-error' : 'question-hint'}
            aria-invalid={isTooLong || undefined}
            onKeyDown={pressed}
            onChange={({ target }) => setLength(target.value.trim().length)}
          />
          <SendButton button={button} isRunning={isRunning} />
        </div>
        {isTooLong && (
          <p id="question-error" role="alert" className={styles.error}>
            {t('question_too_long', counts)}
          </p>
        )}
        <div className={styles.extras}>
          <LanguageChoice />
          <PlaceButton />
          <DictateButton field={field} />
          <Unsafe />
        </div>
        <p id="question-hint" className={styles.hint}>
          {t('question_hint')}
        </p>
      </form>
      <AskForm id={UNSAFE} />
    </div>
  )
}

/** Sends the question, or stops the answer in progress. */
function SendButton({ button, isRunning }: { button: RefObject<HTMLButtonElement | null>; isRunning: boolean }) {
  const t = useT('assistant')
  const { stop } = useChat()
  return isRunning ? (
    <Button key="stop" ref={button} onClick={stop} className={styles.send}>
      <Sign name="stop" />
      {t('stop')}
    </Button>
  ) : (
    <Button key="send" ref={button} look="primary" type="submit" className={styles.send}>
      <Sign name="send" />
      {t('send')}
    </Button>
  )
}

const UNSAFE = 'unsafe'

/** Leads to help whatever the assistant understood of the question: this phrase is recognised in every language. */
function Unsafe() {
  const t = useT('assistant')
  const { conversation } = useChat()
  // Help is already shown.
  if (isInDanger(conversation)) return null
  return (
    <Button
      type="submit"
      form={UNSAFE}
      name="question"
      value={t('unsafe_question')}
      look="link"
      isSmall
      icon="warning"
      className={styles.unsafe}
    >
      {t('unsafe')}
    </Button>
  )
}

/** Language of the answer; defaults to the language of the question. */
function LanguageChoice() {
  const t = useT('assistant')
  const { preferences, changePreferences } = useChat()
  // The other forms carry the choice in a hidden field.
  const name = useScripts() ? undefined : 'language'
  return (
    <label className={styles.language}>
      <span className="visually-hidden">{t('answer_in')}</span>
      <select
        name={name}
        value={preferences.language ?? ''}
        onChange={({ target }) =>
          changePreferences({ ...preferences, language: assistantLanguageOf(target.value) ?? null })
        }
      >
        <option value="">{t('answer_in_same')}</option>
        <LanguageOptions />
      </select>
    </label>
  )
}
