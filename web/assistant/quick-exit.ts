import { useEffect } from 'react'
import { removeCopies } from '#web/lib/leftovers.ts'

/** A page that needs no explanation. */
export const HARMLESS = 'https://www.wikipedia.org/'

/** Two presses within this time, so that closing a dialog does not leave the page. */
const TWICE_MS = 1_000

/** Leaves at once: clears this browser's data, and going back does not return here. */
export function leaveQuickly(): void {
  removeCopies()
  // Suppresses the referrer.
  const policy = document.createElement('meta')
  policy.name = 'referrer'
  policy.content = 'no-referrer'
  document.head.append(policy)
  document.body.hidden = true
  history.replaceState(null, '', '/')
  location.replace(HARMLESS)
}

/** Pressing Escape twice leaves as well, while the conversation involves danger. */
export function useQuickExitKey(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    let last = 0
    const pressed = ({ key, timeStamp }: KeyboardEvent) => {
      if (key !== 'Escape') return
      if (last > 0 && timeStamp - last < TWICE_MS) leaveQuickly()
      last = timeStamp
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [isOn])
}
