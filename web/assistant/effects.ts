import { showNotification } from '#web/advisories/browser-notification.ts'

/** A short tone, for users who switched sounds on. Browsers require a prior user gesture. */
export function beep(): void {
  try {
    const audio = new AudioContext()
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = 660
    volume.gain.setValueAtTime(0.06, audio.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.18)
    tone.connect(volume).connect(audio.destination)
    tone.onended = () => void audio.close()
    tone.start()
    tone.stop(audio.currentTime + 0.2)
  } catch {
    // Device without sound: ignore.
  }
}

const TOUCH_MS = 15

export const vibrate = () => void navigator.vibrate?.(TOUCH_MS)

/** Shown only while the page is hidden; the text of an answer never appears on a screen that others may see. */
export function notifyAnswer(title: string, body: string): void {
  if (document.hidden) showNotification({ title, body, tag: 'assistant', isUrgent: false })
}

/** Requests permission; true if notifications may be shown. */
export async function mayNotify(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false
  if (Notification.permission !== 'default') return Notification.permission === 'granted'
  return (await Notification.requestPermission()) === 'granted'
}

type Theme = 'system' | 'light' | 'dark'

/** The theme applies to the whole portal; the page script reads the same entry (lib/page-script.ts). */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  } catch {
    // Without storage it applies to this page only.
  }
}

export const shownTheme = (): Theme => (document.documentElement.dataset.theme as Theme | undefined) ?? 'system'
