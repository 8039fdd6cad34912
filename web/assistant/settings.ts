import { type AssistantLanguage, assistantLanguageOf } from '#shared/assistant/languages.ts'
import type { ChatSettings } from '#shared/assistant/preferences.ts'

/** D-14. The contract has the same defaults, in a schema that need not come along. */
export const DEFAULT_SETTINGS: ChatSettings = {
  enableRealTime: true,
  enableNotifications: false,
  enableSounds: false,
  enableHaptics: false,
  theme: 'system',
  fontSize: 'medium',
  messageGrouping: true,
  showTimestamps: true,
  enableVoice: false,
  autoScroll: true,
}

/** What a person wishes of the screen: the settings, and the language of the answers (null: that of the question). */
export interface ChatPreferences {
  settings: ChatSettings
  language: AssistantLanguage | null
}

/** Not among what goes at sign-out: it says nothing of anybody. */
const KEY = 'chat-settings'

/** The wishes of a visitor, kept on the device; whatever else is found there counts as no wish. */
export function readPreferences(storage: () => Storage): ChatPreferences {
  try {
    const { settings, language } = JSON.parse(storage().getItem(KEY) ?? '{}')
    return { settings: settingsFrom(settings), language: assistantLanguageOf(language) ?? null }
  } catch {
    return { settings: DEFAULT_SETTINGS, language: null }
  }
}

export function writePreferences(storage: () => Storage, preferences: ChatPreferences): void {
  try {
    storage().setItem(KEY, JSON.stringify(preferences))
  } catch {
    // They hold for this page.
  }
}

const CHOICES = { theme: ['system', 'light', 'dark'], fontSize: ['small', 'medium', 'large'] } as const

function settingsFrom(stored: Record<string, unknown> | undefined): ChatSettings {
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS }
  for (const name of Object.keys(settings)) {
    const value = stored?.[name]
    const choices: readonly unknown[] = CHOICES[name as keyof typeof CHOICES] ?? [true, false]
    if (choices.includes(value)) settings[name] = value
  }
  return settings as ChatSettings
}
