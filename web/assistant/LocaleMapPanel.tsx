import { type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import type { MapLocale } from '#shared/assistant/answer.ts'
import { useT } from '#web/lib/i18n.tsx'
import { later } from '#web/lib/load-code.ts'
import type { LocaleMap as LocaleMapNow } from './LocaleMap.tsx'
import styles from './Locales.module.css'

/** Placeholder of the map: code and data are loaded when it scrolls into view. */
export function LocaleMapPanel({ locales }: { locales: readonly MapLocale[] }) {
  const t = useT('assistant')
  const panel = useRef<HTMLDivElement>(null)
  const { LocaleMap, hasFailed } = useMapInView(panel)
  const waiting = <p className={styles.waiting}>{t(hasFailed ? 'map_failed' : 'map_loading')}</p>
  return (
    <div ref={panel} className={`${styles.map} needs-script`}>
      {LocaleMap ? (
        <Suspense fallback={waiting}>
          <LocaleMap locales={locales} />
        </Suspense>
      ) : (
        waiting
      )}
    </div>
  )
}

function useMapInView(panel: RefObject<HTMLElement | null>) {
  const [loaded, setLoaded] = useState<{ LocaleMap?: typeof LocaleMapNow; hasFailed?: boolean }>({})
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      later(() => import('./LocaleMap.tsx')).then(
        ({ LocaleMap }) => setLoaded({ LocaleMap }),
        () => setLoaded({ hasFailed: true }),
      )
    })
    if (panel.current) observer.observe(panel.current)
    return () => observer.disconnect()
  }, [panel])
  return loaded
}
