import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { prefersReducedMotion, SCROLL, scrollToHash } from '#web/lib/scroll.ts'

const FADE_MS = 400

// The server lays nothing out.
const useBeforePaint = import.meta.env.SSR ? useEffect : useLayoutEffect

/**
 * What follows a navigation inside the portal: the new page fades in, focus moves to it, and it is read from its top or
 * from the place the hash names. Filters and paging change the query only; they leave the reader where they are.
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
    // Going back returns to where one was; the router remembers.
    if (type === 'POP') return
    let stop = () => {}
    const timer = setTimeout(() => {
      stop = scrollToHash(hash)
    }, SCROLL.delayMs)
    // Who goes on, or back, before it is over must not be pulled along.
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [pathname, hash, type, main])
}
