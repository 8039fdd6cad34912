import { useEffect, useRef, useState } from 'react'
import { useT } from '#web/lib/i18n.tsx'
import { scrollToY } from '#web/lib/scroll.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './BackToTop.module.css'

/** Appears after scrolling 300 px. Observes a strip of that height instead of listening to scroll events. */
export function BackToTop() {
  const t = useT('common')
  const strip = useRef<HTMLDivElement>(null)
  const [isFarDown, setFarDown] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setFarDown(entry?.isIntersecting === false))
    if (strip.current) observer.observe(strip.current)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      <div ref={strip} className={styles.strip} aria-hidden="true" />
      {isFarDown && (
        <Button isSmall icon="top" className={styles.button} aria-label={t('back_to_top')} onClick={() => scrollToY(0)}>
          <span className={styles.words}>{t('back_to_top')}</span>
        </Button>
      )}
    </>
  )
}
