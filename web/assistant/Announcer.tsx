import { useEffect, useRef, useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { useChat } from './ChatProvider.tsx'
import { beep, notifyAnswer, vibrate } from './effects.ts'
import { besidePanel, plainOf } from './plain-text.ts'

/** Announces a finished answer: once and whole to screen readers, and by sound or notification as configured. */
export function Announcer() {
  const t = useT('assistant')
  const { conversation, preferences } = useChat()
  const [announcement, setAnnouncement] = useState<{ text: string; lang?: string | undefined; isUrgent?: boolean }>({
    text: '',
  })
  const { phase, messages } = conversation
  const before = useRef(phase)
  const settings = useRef(preferences.settings)
  settings.current = preferences.settings

  useEffect(() => {
    const was = before.current
    before.current = phase
    if (phase === 'waiting') return setAnnouncement({ text: t('looking') })
    const last = messages.at(-1)
    if (phase !== 'idle' || was === 'idle' || last?.sender !== 'assistant') return
    const { danger, language } = last.metadata ?? {}
    const text = [danger?.title, danger?.message, plainOf(besidePanel(last.content, danger))].filter(Boolean).join('\n')
    setAnnouncement({ text, lang: language, isUrgent: Boolean(danger) })
    const { enableSounds, enableHaptics, enableNotifications } = settings.current
    if (enableSounds) beep()
    if (enableHaptics) vibrate()
    if (enableNotifications) notifyAnswer(t('notice_title'), t('notice_text'))
  }, [phase, messages, t])

  return (
    <>
      <div className="visually-hidden" role="status" lang={announcement.lang}>
        {!announcement.isUrgent && announcement.text}
      </div>
      <div className="visually-hidden" role="alert" lang={announcement.lang}>
        {announcement.isUrgent && announcement.text}
      </div>
    </>
  )
}
