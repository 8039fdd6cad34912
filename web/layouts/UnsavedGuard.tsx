import { useEffect } from 'react'
import { useBlocker, useNavigation } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { finishNavigation, followTyping, mayLeave, wouldLose } from '#web/lib/unsaved.ts'

/** Asks before unsaved input is lost by leaving a page, tab or drawer. One for all forms: a router allows only one. */
export function UnsavedGuard() {
  const t = useT('common')
  const question = t('unsaved_leave')
  const { state } = useNavigation()
  useEffect(followTyping, [])
  useEffect(() => {
    if (state === 'idle') finishNavigation()
  }, [state])
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      (from.pathname !== to.pathname || from.search !== to.search) && wouldLose(),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (mayLeave(question)) blocker.proceed()
    else blocker.reset()
  }, [blocker, question])
  return null
}
