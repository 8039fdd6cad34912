import { useEffect, useState } from 'react'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { useCopy } from '#web/ui/useCopy.ts'
import styles from './AnswerTools.module.css'
import { CaseForm } from './CaseForm.tsx'
import { useChat } from './ChatProvider.tsx'
import { Feedback } from './Feedback.tsx'
import type { ShownMessage } from './messages.ts'
import { plainOf } from './plain-text.ts'
import { Sign } from './Sign.tsx'
import { canSpeak, speak, stopSpeaking } from './voice.ts'

interface Props {
  message: ShownMessage
  question: string
  isLast: boolean
}

/** Actions on an answer: copy, read aloud, rate, or contact a human. */
export function AnswerTools({ message, question, isLast }: Props) {
  const { preferences } = useChat()
  const { metadata, content } = message
  return (
    <div className={styles.tools}>
      <div className={`${styles.row} needs-script`}>
        <Copy text={plainOf(content)} />
        {preferences.settings.enableVoice && <SpeakButton message={message} />}
        {metadata?.question_id && <Feedback questionId={metadata.question_id} question={question} />}
      </div>
      {isLast && <HumanSupport message={message} />}
    </div>
  )
}

/** Human support is always one step away. */
function HumanSupport({ message: { metadata } }: { message: ShownMessage }) {
  const t = useT('assistant')
  const interfaceLanguage = useLanguage()
  const about = {
    question_id: metadata?.question_id ?? null,
    dangers: metadata?.danger?.dangers ?? [],
    country: metadata?.danger?.country ?? metadata?.intent_analysis?.entities.country ?? null,
    language: metadata?.language ?? interfaceLanguage,
  }
  const texts = {
    title: t('person'),
    help: t('person_help'),
    safePhone: t('person_phone'),
    safeTime: t('person_time'),
    send: t('person_send'),
  }
  return <CaseForm kind="hand_over" about={about} texts={texts} hasPhone icon={<Icon name="person" />} />
}

function Copy({ text }: { text: string }) {
  const t = useT('assistant')
  const { outcome: result, copy } = useCopy(text)
  return (
    <>
      <Button look="link" isSmall onClick={copy}>
        <Sign name="copy" />
        {t(result ?? 'copy')}
      </Button>
      {/* Inside the button it would replace its accessible name. */}
      <span role="status" className="visually-hidden">
        {result && t(result)}
      </span>
    </>
  )
}

function SpeakButton({ message: { content, metadata } }: { message: ShownMessage }) {
  const t = useT('assistant')
  const interfaceLanguage = useLanguage()
  const [isSpeaking, setSpeaking] = useState(false)
  useEffect(() => () => void stopSpeaking(), [])
  if (!canSpeak()) return null
  function toggle() {
    if (isSpeaking) return stopSpeaking()
    setSpeaking(true)
    speak(plainOf(content), metadata?.language ?? interfaceLanguage, () => setSpeaking(false))
  }
  return (
    <Button look="link" isSmall onClick={toggle}>
      <Sign name={isSpeaking ? 'stop' : 'speaker'} />
      {t(isSpeaking ? 'speak_stop' : 'speak')}
    </Button>
  )
}
