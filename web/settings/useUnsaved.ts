import { type RefObject, useEffect, useState } from 'react'
import { useBlocker } from 'react-router'

/** Whether something in a form was changed and not sent; asks before the page is left without it. */
export function useUnsaved(around: RefObject<HTMLElement | null>, question: string): boolean {
  const [isUnsaved, setUnsaved] = useState(false)
  useEffect(() => {
    const element = around.current!
    const change = () => setUnsaved(true)
    const sent = () => setUnsaved(false)
    element.addEventListener('input', change)
    element.addEventListener('submit', sent)
    return () => {
      element.removeEventListener('input', change)
      element.removeEventListener('submit', sent)
    }
  }, [around])
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (window.confirm(question)) blocker.proceed()
    else blocker.reset()
  }, [blocker, question])
  return isUnsaved
}
