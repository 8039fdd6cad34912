import { type RefObject, useEffect, useRef } from 'react'

/** A new conversation begins where one writes. */
export function useFocusOnNew(field: RefObject<HTMLElement | null>, id: string | null) {
  const before = useRef(id)
  useEffect(() => {
    if (before.current !== id && id === '') field.current?.focus()
    before.current = id
  }, [field, id])
}

/**
 * Whoever goes by the keyboard does not fall out of the page: what begins or ends an answer (send, stop, try again, a
 * question that was ready) goes away with it, and its focus is taken over by the button that stands there now.
 */
export function useFocusRestore(button: RefObject<HTMLElement | null>, isRunning: boolean) {
  const before = useRef(isRunning)
  useEffect(() => {
    if (before.current === isRunning) return
    before.current = isRunning
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  }, [button, isRunning])
}
