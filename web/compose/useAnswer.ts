import { useRef } from 'react'
import { useNavigation } from 'react-router'

/**
 * The answer of the last submission, until the next page is there: the router drops it as soon as another page has
 * answered, and the form would be empty for that moment.
 */
export function useAnswer<T>(answer: T | undefined): T | undefined {
  const { state } = useNavigation()
  const last = useRef(answer)
  if (state === 'idle' || answer !== undefined) last.current = answer
  return last.current
}
