/** 001 §2: after a navigation one waits for the page to be laid out, then moves to the place, below the edge. */
export const SCROLL = { delayMs: 100, offsetPx: 80, durationMs: 400 } as const

export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Moves to a height of the page; at once where motion is not wanted. A touch of the wheel takes over, and so does whoever
 * calls what is returned.
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

/** The element a hash names, 80 px below the upper edge, or the top of the page. */
export function scrollToHash(hash: string): () => void {
  const element = hash && document.getElementById(decode(hash.slice(1)))
  if (element) return scrollToY(element.getBoundingClientRect().top + scrollY - SCROLL.offsetPx)
  return hash ? () => {} : scrollToY(0)
}

const easeOut = (progress: number) => 1 - (1 - progress) ** 3

/** A hash typed by hand may hold a lone percent sign. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
