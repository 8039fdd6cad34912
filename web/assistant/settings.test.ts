import { expect, test } from 'vitest'
import { ChatSettings } from '#shared/assistant/preferences.ts'
import { DEFAULT_SETTINGS, readPreferences, writePreferences } from './settings.ts'

function storage() {
  const entries = new Map<string, string>()
  const store = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (k: string, v: string) => void entries.set(k, v),
  }
  return () => store
}

test('default to the contract: sounds, vibration, voice and notifications off', () => {
  expect(DEFAULT_SETTINGS).toEqual(ChatSettings.parse({}))
  expect(DEFAULT_SETTINGS).toMatchObject({
    enableSounds: false,
    enableHaptics: false,
    enableVoice: false,
    enableNotifications: false,
  })
})

test('are stored on the device', () => {
  const device = storage()
  const preferences = {
    settings: { ...DEFAULT_SETTINGS, fontSize: 'large', autoScroll: false },
    language: 'tl',
  } as const
  writePreferences(device, preferences)
  expect(readPreferences(device)).toEqual(preferences)
})

test.each(['nothing', 'null', '[]', '{"settings":{"fontSize":"huge","theme":7,"autoScroll":"no"},"language":"xx"}'])(
  'fall back to the defaults if something else is stored: %s',
  (text) => {
    const device = storage()
    device().setItem('chat-settings', text)
    expect(readPreferences(device)).toEqual({ settings: DEFAULT_SETTINGS, language: null })
  },
)

test('fall back to the defaults if storage is forbidden', () => {
  const forbidden = () => {
    throw new DOMException('no', 'SecurityError')
  }
  writePreferences(forbidden, { settings: DEFAULT_SETTINGS, language: 'ar' })
  expect(readPreferences(forbidden)).toEqual({ settings: DEFAULT_SETTINGS, language: null })
})
