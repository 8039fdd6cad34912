import { type AssistantLanguage, assistantLanguageOf } from '#shared/assistant/languages.ts'
import type { ChatSettings } from '#shared/assistant/preferences.ts'

/** D-14. Same defaults as the contract, whose schema need not be in the bundle. */
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

/** Display preferences: the settings, and the language of the answers (null: that of the question). */
export interface ChatPreferences {
  settings: ChatSettings
  language: AssistantLanguage | null
}

/** Survives sign-out: it contains no personal data. */
const KEY = 'chat-settings'

/** Preferences of an anonymous visitor, stored on the device; invalid content is ignored. */
export function readPreferences(storage: () => Pick<Storage, 'getItem'>): ChatPreferences {
  try {
    const { settings, language } = JSON.parse(storage().getItem(KEY) ?? '{}')
    return { settings: settingsFrom(settings), language: assistantLanguageOf(language) ?? null }
  } catch {
    return { settings: DEFAULT_SETTINGS, language: null }
  }
}

export function writePreferences(storage: () => Pick<Storage, 'setItem'>, preferences: ChatPreferences): void {
  try {
    storage().setItem(KEY, JSON.stringify(preferences))
  } catch {
    // They apply to this page only.
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
