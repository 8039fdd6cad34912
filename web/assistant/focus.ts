import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the message input when a new conversation starts. */
export function useFocusOnNew(field: RefObject<HTMLElement | null>, id: string | null) {
  const before = useRef(id)
  useEffect(() => {
    if (before.current !== id && id === '') field.current?.focus()
    before.current = id
  }, [field, id])
}

/**
 * Keeps keyboard focus on the page: buttons that start or stop an answer (send, stop, retry, a suggested question)
 * disappear on use, and the button now in their place takes the focus.
 */
export function useFocusRestore(button: RefObject<HTMLElement | null>, isRunning: boolean) {
  const before = useRef(isRunning)
  useEffect(() => {
    if (before.current === isRunning) return
    before.current = isRunning
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  }, [button, isRunning])
}
