import { useCallback, useEffect, useState } from 'react'
import type * as z from 'zod'
import type { AssistantPreferences } from '#shared/assistant/preferences.ts'
import { call } from '#web/lib/call.ts'
import { useUser } from '#web/lib/root-data.ts'
import { shownTheme, showTheme } from './effects.ts'
import { type ChatPreferences, DEFAULT_SETTINGS, readPreferences, writePreferences } from './settings.ts'

type Preferences = z.input<typeof AssistantPreferences>

const device = () => localStorage

/** Display preferences: on the server for a signed-in user, otherwise on the device. */
export function useChatPreferences(
  preferences: Preferences | null,
): [ChatPreferences, (next: ChatPreferences) => void] {
  const isIn = useUser() !== null
  const [current, setCurrent] = useState(() => chatPreferencesOf(preferences))

  useEffect(() => {
    const known = preferences ? chatPreferencesOf(preferences) : readPreferences(device)
    const { theme } = known.settings
    // The device's own choice has precedence; one made elsewhere applies where it has none.
    if (theme !== 'system' && shownTheme() === 'system') showTheme(theme)
    setCurrent({ ...known, settings: { ...known.settings, theme: shownTheme() } })
  }, [preferences])

  const change = useCallback(
    (next: ChatPreferences) => {
      setCurrent(next)
      showTheme(next.settings.theme)
      writePreferences(device, next)
      if (!isIn) return
      const body = { preferred_language: next.language, settings: next.settings }
      // If the server cannot be reached, the choice applies to this page and device.
      call('PUT /ai/preferences', { body }).catch(() => {})
    },
    [isIn],
  )
  return [current, change]
}

const chatPreferencesOf = (preferences: Preferences | null): ChatPreferences => ({
  settings: { ...DEFAULT_SETTINGS, ...preferences?.settings } as ChatPreferences['settings'],
  language: preferences?.preferred_language ?? null,
})
