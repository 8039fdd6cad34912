import { useCallback, useEffect, useState } from 'react'
import type * as z from 'zod'
import type { AssistantPreferences } from '#shared/assistant/preferences.ts'
import { call } from '#web/lib/call.ts'
import { useUser } from '#web/root.tsx'
import { shownTheme, showTheme } from './effects.ts'
import { type ChatPreferences, DEFAULT_SETTINGS, readPreferences, writePreferences } from './settings.ts'

type Preferences = z.input<typeof AssistantPreferences>

const device = () => localStorage

/** What the person wishes of the screen: on the server where signed in, on the device otherwise. */
export function useChatPreferences(
  preferences: Preferences | null,
): [ChatPreferences, (next: ChatPreferences) => void] {
  const isIn = useUser() !== null
  const [current, setCurrent] = useState(() => chatPreferencesOf(preferences))

  useEffect(() => {
    const known = preferences ? chatPreferencesOf(preferences) : readPreferences(device)
    const { theme } = known.settings
    // The device's own choice comes first; one made elsewhere is taken up where it has none.
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
      // It holds for this page, and on this device, where the server cannot be reached.
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
