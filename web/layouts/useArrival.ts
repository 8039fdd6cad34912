import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { prefersReducedMotion, SCROLL, scrollToHash } from '#web/lib/scroll.ts'

const FADE_MS = 400

// The server has no layout.
const useBeforePaint = import.meta.env.SSR ? useEffect : useLayoutEffect

/**
 * After a client navigation: the new page fades in, receives the focus, and is scrolled to its top or to the hash
 * target. Filters and paging change only the query and keep the scroll position.
 */
export function useArrival(main: RefObject<HTMLElement | null>) {
  const { pathname, hash } = useLocation()
  const type = useNavigationType()
  const arrived = useRef({ pathname, hash })
  useBeforePaint(() => {
    const before = arrived.current
    arrived.current = { pathname, hash }
    const isNewPage = before.pathname !== pathname
    if (!isNewPage && before.hash === hash) return
    if (isNewPage) {
      main.current?.focus({ preventScroll: true })
      if (!prefersReducedMotion()) main.current?.animate({ opacity: [0, 1] }, FADE_MS)
    }
    // Going back restores the scroll position; the router does that.
    if (type === 'POP') return
    let stop = () => {}
    const timer = setTimeout(() => {
      stop = scrollToHash(hash)
    }, SCROLL.delayMs)
    // A user who navigates again in the meantime must not be scrolled.
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [pathname, hash, type, main])
}
