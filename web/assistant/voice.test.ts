import { afterEach, expect, test, vi } from 'vitest'
import { canListen, canSpeak, listen, speak } from './voice.ts'

afterEach(() => vi.unstubAllGlobals())

test('answers are read at nine tenths of the usual speed and eight tenths of the volume, in their language', () => {
  const spoken: Record<string, unknown>[] = []
  vi.stubGlobal('speechSynthesis', { cancel: () => {}, speak: (utterance: never) => spoken.push(utterance) })
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class {
      text: string
      constructor(text: string) {
        this.text = text
      }
    },
  )
  speak('Kumusta po', 'tl', () => {})
  expect(spoken[0]).toMatchObject({ text: 'Kumusta po', rate: 0.9, volume: 0.8, lang: 'fil-PH' })
})

test('what is said is written down until the person is silent', () => {
  const heard: string[] = []
  class Recogniser {
    static last: Recogniser
    lang = ''
    onresult?: (event: unknown) => void
    onend?: () => void
    start() {
      Recogniser.last = this
    }
    stop() {
      this.onend?.()
    }
  }
  vi.stubGlobal('webkitSpeechRecognition', Recogniser)
  const ended = vi.fn()
  const stop = listen('ar', { heard: (text) => heard.push(text), failed: () => {}, ended })
  expect(Recogniser.last.lang).toBe('ar-SA')
  Recogniser.last.onresult!({ results: [[{ transcript: 'one' }], [{ transcript: 'two' }]] })
  stop()
  expect(heard).toEqual(['one two'])
  expect(ended).toHaveBeenCalledOnce()
})

test('a browser without a voice offers none', () => {
  expect([canSpeak(), canListen()]).toEqual([false, false])
})
