import { present } from '#shared/assert.ts'
import type { AssistantLanguage } from '#shared/assistant/languages.ts'

/** 000 §2. */
const SPEECH = { rate: 0.9, volume: 0.8 } as const

/** Language tags under which devices offer voices. */
const VOICES: Record<AssistantLanguage, string> = {
  en: 'en-US',
  tl: 'fil-PH',
  es: 'es-ES',
  ar: 'ar-SA',
  zh: 'zh-CN',
  fr: 'fr-FR',
  de: 'de-DE',
  it: 'it-IT',
  ja: 'ja-JP',
  ko: 'ko-KR',
  pt: 'pt-PT',
  hi: 'hi-IN',
}

export const canSpeak = () => 'speechSynthesis' in globalThis && 'SpeechSynthesisUtterance' in globalThis

/** Reads a text aloud; `ended` is called when it ends for any reason. Stops any previous reading. */
export function speak(text: string, language: AssistantLanguage, ended: () => void): void {
  speechSynthesis.cancel()
  const utterance = new SpeechSynthesisUtterance(text)
  utterance.lang = VOICES[language]
  utterance.rate = SPEECH.rate
  utterance.volume = SPEECH.volume
  utterance.onend = ended
  utterance.onerror = ended
  speechSynthesis.speak(utterance)
}

export const stopSpeaking = () => canSpeak() && speechSynthesis.cancel()

/** The part of SpeechRecognition used here; TypeScript's DOM types lack it. */
interface Recogniser {
  lang: string
  interimResults: boolean
  start(): void
  stop(): void
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
}

type Recognition = new () => Recogniser

const recognition = () => {
  const names = globalThis as { SpeechRecognition?: Recognition; webkitSpeechRecognition?: Recognition }
  return names.SpeechRecognition ?? names.webkitSpeechRecognition
}

export const canListen = () => recognition() !== undefined

/** Transcribes speech until the user is silent, or until the returned function is called. */
export function listen(
  language: AssistantLanguage,
  hearing: { heard: (text: string) => void; failed: (error: string) => void; ended: () => void },
): () => void {
  const Recognition = present(recognition(), 'speech recognition')
  const recogniser = new Recognition()
  recogniser.lang = VOICES[language]
  recogniser.interimResults = true
  recogniser.onresult = ({ results }) =>
    hearing.heard(
      Array.from(results)
        .map((result) => result[0]?.transcript ?? '')
        .join(' '),
    )
  recogniser.onerror = ({ error }) => hearing.failed(error)
  recogniser.onend = hearing.ended
  recogniser.start()
  return () => recogniser.stop()
}
