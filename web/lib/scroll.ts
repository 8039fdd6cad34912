/** 001 §2: wait for the layout after a navigation, then scroll to the target, with an offset from the top. */
export const SCROLL = { delayMs: 100, offsetPx: 80, durationMs: 400 } as const

export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Scrolls to a vertical position; at once with reduced motion. Wheel input cancels it, as does the returned function.
 */
export function scrollToY(target: number): () => void {
  const start = scrollY
  const end = Math.max(0, target)
  if (prefersReducedMotion() || document.hidden) {
    scrollTo({ top: end, behavior: 'instant' })
    return () => {}
  }
  const begin = performance.now()
  let isCancelled = false
  const stop = () => {
    isCancelled = true
  }
  addEventListener('wheel', stop, { once: true, passive: true })
  addEventListener('touchstart', stop, { once: true, passive: true })
  requestAnimationFrame(function step(now) {
    if (isCancelled) return
    const progress = Math.min(1, (now - begin) / SCROLL.durationMs)
    scrollTo({ top: start + (end - start) * easeOut(progress), behavior: 'instant' })
    if (progress < 1) requestAnimationFrame(step)
  })
  return stop
}

/** Scrolls to the element of a hash, 80 px below the top edge, or to the top of the page. */
export function scrollToHash(hash: string): () => void {
  const element = hash && document.getElementById(decode(hash.slice(1)))
  if (element) return scrollToY(element.getBoundingClientRect().top + scrollY - SCROLL.offsetPx)
  return hash ? () => {} : scrollToY(0)
}

const easeOut = (progress: number) => 1 - (1 - progress) ** 3

/** A hash entered manually may contain a lone percent sign. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
