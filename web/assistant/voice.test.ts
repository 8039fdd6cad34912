import { afterEach, expect, test, vi } from 'vitest'
import { canListen, canSpeak, listen, speak } from './voice.ts'

afterEach(() => vi.unstubAllGlobals())

test('answers are read at 0.9 of the usual speed and 0.8 of the volume, in their language', () => {
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

test('speech is transcribed until the user is silent', () => {
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

test('a browser without speech offers none', () => {
  expect([canSpeak(), canListen()]).toEqual([false, false])
})
