import { useEffect } from 'react'
import { removeCopies } from '#web/lib/leftovers.ts'

/** A page that nobody has to explain. */
export const HARMLESS = 'https://www.wikipedia.org/'

/** Twice within this time, so that closing a box does not carry anybody away. */
const TWICE_MS = 1_000

/** Away from here: nothing of it stays in this browser, and the way back does not lead here. */
export function leaveQuickly(): void {
  removeCopies()
  // The page that is gone to is not told where one came from.
  const policy = document.createElement('meta')
  policy.name = 'referrer'
  policy.content = 'no-referrer'
  document.head.append(policy)
  document.body.hidden = true
  history.replaceState(null, '', '/')
  location.replace(HARMLESS)
}

/** Escape pressed twice leaves as well, while there is somebody in danger. */
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
