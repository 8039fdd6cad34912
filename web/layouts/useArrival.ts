import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { prefersReducedMotion, SCROLL, scrollToHash } from '#web/lib/scroll.ts'

const APPEAR_MS = 400
const SLIDE_PX = 24

/** How a new page appears: it fades in; in the admin area it also slides from the start side (001 §2). */
type Arrival = 'fade' | 'slide'

// The server has no layout.
const useBeforePaint = import.meta.env.SSR ? useEffect : useLayoutEffect

/**
 * After a client navigation: the new page appears, receives the focus, and is scrolled to its top or to the hash
 * target. Filters and paging change only the query and keep the scroll position.
 */
export function useArrival(main: RefObject<HTMLElement | null>, arrival: Arrival = 'fade') {
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
      if (!prefersReducedMotion()) main.current?.animate(framesOf(arrival), { duration: APPEAR_MS, easing: 'ease-out' })
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
  }, [pathname, hash, type, main, arrival])
}

/** Slides along the reading direction: to the right in English, to the left in Arabic. */
function framesOf(arrival: Arrival): PropertyIndexedKeyframes {
  const opacity = [0, 1]
  if (arrival === 'fade') return { opacity }
  const from = document.documentElement.dir === 'rtl' ? SLIDE_PX : -SLIDE_PX
  return { opacity, translate: [`${from}px`, '0px'] }
}
