import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { MapLocale } from '#shared/assistant/answer.ts'
import { drawMap } from '#web/churches/map/draw-map.ts'
import map from '#web/churches/map/LocatorMap.module.css'
import { LOCATOR_PATH } from '#web/churches/search.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'

/** Map of the churches in one answer, numbered as in its list. */
export function LocaleMap({ locales }: { locales: readonly MapLocale[] }) {
  const t = useT('churches')
  const language = useLanguage()
  const navigate = useNavigate()
  const tiles = useSite()?.tiles
  const container = useRef<HTMLDivElement>(null)
  const open = useRef((_id: string) => {})
  open.current = (id) => void navigate(`${LOCATOR_PATH}/${id}`)

  useEffect(() => {
    if (!container.current) return
    const drawn = drawMap(container.current, {
      tiles: tiles ?? null,
      t,
      language,
      onActive: () => {},
      onOpen: (id) => open.current(id),
    })
    const churches = locales.map(({ id, name, latitude, longitude, is_area }, i) => {
      return { id, name, lat: latitude, lng: longitude, number: i + 1, isArea: is_area }
    })
    drawn.show({ churches, near: null, isWhole: false })
    return () => drawn.remove()
  }, [t, tiles, language, locales])

  return <section ref={container} className={map.map} aria-label={t('map_label')} />
}
