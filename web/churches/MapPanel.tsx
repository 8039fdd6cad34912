import { useEffect, useRef, useState } from 'react'
import { ComponentBoundary } from '#web/content/ComponentBoundary.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { later } from '#web/lib/load-code.ts'
import { useSite } from '#web/lib/root-data.ts'
import type { Locator } from './locator.server.ts'
import styles from './MapPanel.module.css'
import type { LocatorMap as LocatorMapNow } from './map/LocatorMap.tsx'

interface Props {
  data: Locator
  active: string | null
  onActive: (id: string | null) => void
}

/** Placeholder of the map. Code and data are loaded when it scrolls into view, after everything else. */
export function MapPanel({ data, active, onActive }: Props) {
  const t = useT('churches')
  const panel = useRef<HTMLElement>(null)
  const { LocatorMap, hasFailed } = useMapInView(panel)
  const attribution = useSite()?.tiles?.attribution
  const isMe = data.search.point && !data.search.near
  return (
    <figure ref={panel} className={styles.panel}>
      <div className={styles.map}>
        {LocatorMap ? (
          <ComponentBoundary name="LocatorMap">
            <LocatorMap data={data} active={active} onActive={onActive} />
          </ComponentBoundary>
        ) : (
          <p className={styles.waiting}>{t(hasFailed ? 'map_failed' : 'map_loading')}</p>
        )}
      </div>
      <figcaption className={styles.caption}>
        {t('map_note')} {isMe && t('map_point_me')}
        {data.place && t('map_point_is', { place: data.place.name })} {attribution && <bdi>{attribution}</bdi>}
      </figcaption>
    </figure>
  )
}

function useMapInView(panel: React.RefObject<HTMLElement | null>) {
  const [loaded, setLoaded] = useState<{ LocatorMap?: typeof LocatorMapNow; hasFailed?: boolean }>({})
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      later(() => import('./map/LocatorMap.tsx')).then(
        ({ LocatorMap }) => setLoaded({ LocatorMap }),
        () => setLoaded({ hasFailed: true }),
      )
    })
    if (panel.current) observer.observe(panel.current)
    return () => observer.disconnect()
  }, [panel])
  return loaded
}
