import { useEffect, useRef, useState } from 'react'
import { ComponentBoundary } from '#web/content/ComponentBoundary.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { later } from '#web/lib/load-code.ts'
import { useSite } from '#web/lib/root-data.ts'
import { classes } from '#web/ui/classes.ts'
import type { Locator } from './locator.server.ts'
import styles from './MapPanel.module.css'
import type { LocatorMap as LocatorMapNow } from './map/LocatorMap.tsx'
import { LOCATOR_PATH } from './search.ts'

interface Props {
  data: Locator
  active: string | null
  onActive: (id: string | null) => void
  zone: string | null
}

/**
 * Placeholder of the map. Code and data are loaded when it scrolls into view, after everything else. Without scripts, or
 * if they fail, it is an image.
 */
export function MapPanel({ data, zone, active, onActive }: Props) {
  const t = useT('churches')
  const panel = useRef<HTMLElement>(null)
  const { LocatorMap, hasFailed } = useMapInView(panel)
  const attribution = useSite()?.tiles?.attribution
  const hasMarks = data.rows.some(({ point }) => point)
  const isMe = data.search.point && !data.search.near
  return (
    <figure ref={panel} className={classes(styles.panel, !hasMarks && styles.empty)}>
      <div className={styles.map}>
        {LocatorMap ? (
          <ComponentBoundary name="LocatorMap">
            <LocatorMap data={data} zone={zone} active={active} onActive={onActive} />
          </ComponentBoundary>
        ) : (
          <>
            {hasMarks && <MapImage query={data.mapQuery} isNeeded={hasFailed ?? false} />}
            {(!hasFailed || !hasMarks) && (
              <p className={classes(styles.waiting, 'needs-script')}>{t(hasFailed ? 'map_failed' : 'map_loading')}</p>
            )}
          </>
        )}
      </div>
      <figcaption className={styles.caption}>
        {t('map_note')} {isMe && t('map_point_me')}
        {data.place && t('map_point_is', { place: data.place.name })} {attribution && <bdi>{attribution}</bdi>}
      </figcaption>
    </figure>
  )
}

/** Drawn by the server. Not fetched while it is not displayed. */
function MapImage({ query, isNeeded }: { query: string; isNeeded: boolean }) {
  const t = useT('churches')
  const address = `${LOCATOR_PATH}/map.svg?${query}`
  return (
    <picture>
      <source media="(max-width: 600px)" srcSet={`${address}&size=small`} width={360} height={400} />
      <img
        src={address}
        alt={t('map_label')}
        width={560}
        height={500}
        loading="lazy"
        decoding="async"
        className={classes(styles.image, isNeeded && styles.needed)}
      />
    </picture>
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
