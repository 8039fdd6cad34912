import { useCallback, useEffect, useState } from 'react'
import type * as z from 'zod'
import type { AssistantPreferences } from '#shared/assistant/preferences.ts'
import { call } from '../lib/call.ts'
import { useUser } from '../root.tsx'
import { shownTheme, showTheme } from './effects.ts'
import { DEFAULT_SETTINGS, readWishes, type Wishes, writeWishes } from './settings.ts'

type Preferences = z.input<typeof AssistantPreferences>

const device = () => localStorage

/** What the person wishes of the screen: on the server where signed in, on the device otherwise. */
export function useWishes(preferences: Preferences | null): [Wishes, (wishes: Wishes) => void] {
  const isIn = useUser() !== null
  const [wishes, setWishes] = useState(() => wishesOf(preferences))

  useEffect(() => {
    const known = preferences ? wishesOf(preferences) : readWishes(device)
    const { theme } = known.settings
    // The device's own choice comes first; one made elsewhere is taken up where it has none.
    if (theme !== 'system' && shownTheme() === 'system') showTheme(theme)
    setWishes({ ...known, settings: { ...known.settings, theme: shownTheme() } })
  }, [preferences])

  const change = useCallback(
    (next: Wishes) => {
      setWishes(next)
      showTheme(next.settings.theme)
      writeWishes(device, next)
      if (!isIn) return
      const body = { preferred_language: next.language, settings: next.settings }
      // It holds for this page, and on this device, where the server cannot be reached.
      call('PUT /ai/preferences', { body }).catch(() => {})
    },
    [isIn],
  )
  return [wishes, change]
}

const wishesOf = (preferences: Preferences | null): Wishes => ({
  settings: { ...DEFAULT_SETTINGS, ...preferences?.settings } as Wishes['settings'],
  language: preferences?.preferred_language ?? null,
})
