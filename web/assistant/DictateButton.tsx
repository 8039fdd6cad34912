import { type RefObject, useEffect, useRef, useState } from 'react'
import { assistantLanguageOf } from '#shared/assistant/languages.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useChat } from './ChatProvider.tsx'
import { Sign } from './Sign.tsx'
import { canListen, listen } from './voice.ts'

/** Dictates into the input where the browser supports it; never sends. */
export function DictateButton({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const t = useT('assistant')
  const interfaceLanguage = useLanguage()
  const { preferences, conversation } = useChat()
  const [state, setState] = useState<'idle' | 'listening' | 'failed'>('idle')
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  if (!preferences.settings.enableVoice || !canListen()) return null

  const answered = conversation.messages.findLast(({ metadata }) => metadata)?.metadata?.language
  const language = preferences.language ?? answered ?? assistantLanguageOf(interfaceLanguage) ?? 'en'

  function toggle() {
    if (state === 'listening') return stop.current?.()
    const input = field.current
    if (!input) return
    const before = input.value
    setState('listening')
    stop.current = listen(language, {
      heard: (text) => {
        input.value = [before, text].filter(Boolean).join(' ')
      },
      failed: (error) => setState(error === 'aborted' ? 'idle' : 'failed'),
      ended: () => {
        setState((now) => (now === 'failed' ? now : 'idle'))
        field.current?.focus()
      },
    })
  }

  return (
    <>
      <Button look="link" isSmall aria-pressed={state === 'listening'} onClick={toggle}>
        <Sign name={state === 'listening' ? 'stop' : 'mic'} />
        {t(state === 'listening' ? 'listen_stop' : 'listen')}
      </Button>
      <span role="status">{state === 'failed' && t('listen_failed')}</span>
    </>
  )
}
