import { useEffect } from 'react'
import { useBlocker, useNavigation } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { finishNavigation, followTyping, mayLeave, wouldLose } from '#web/lib/unsaved.ts'

/** Asks before a page, a tab or a drawer is left without what was typed there. One for all forms: a router has one. */
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
