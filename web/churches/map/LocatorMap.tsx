import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '#web/lib/call.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { ChosenChurch } from '../ChosenChurch.tsx'
import type { Locator } from '../locator.server.ts'
import { firstNumber, hasFilters, LOCATOR_PATH } from '../search.ts'
import { drawMap } from './draw-map.ts'
import styles from './LocatorMap.module.css'
import type { ShownResults } from './results.ts'

interface Props {
  data: Locator
  active: string | null
  onActive: (id: string | null) => void
  /** The user's time zone, if known. */
  zone: string | null
}

/** As in LocatorPage.module.css: list and map are tabs. */
const SMALL = '(max-width: 899px)'

/** The numbered results, the search location, and behind them all other churches. */
export function LocatorMap({ data, zone, active, onActive }: Props) {
  const language = useLanguage()
  const t = useT('churches')
  const navigate = useNavigate()
  const tiles = useSite()?.tiles
  const container = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const map = useRef<ReturnType<typeof drawMap>>(undefined)
  const handlers = useRef({ onActive, open: (_id: string) => {} })
  // Where the list is hidden, a result is shown over the map first.
  const open = (id: string) => {
    if (data.rows.some((row) => row.id === id) && matchMedia(SMALL).matches) setChosen(id)
    else void navigate(`${LOCATOR_PATH}/${id}`)
  }
  handlers.current = { onActive, open }

  useEffect(() => {
    if (!container.current) return
    const drawn = drawMap(container.current, {
      tiles: tiles ?? null,
      t,
      language,
      coveredBelow: () => container.current?.nextElementSibling?.clientHeight ?? 0,
      onActive: (id) => handlers.current.onActive(id),
      onOpen: (id) => handlers.current.open(id),
    })
    map.current = drawn
    const left = new AbortController()
    call('GET /public/locales/points', {}, { signal: left.signal }).then(
      ({ points }) => drawn.setPoints(points),
      // The results are shown without the rest.
      () => {},
    )
    return () => {
      left.abort()
      drawn.remove()
    }
  }, [t, tiles, language])

  useEffect(() => map.current?.show(shownOf(data)), [data])
  useEffect(() => map.current?.mark(active ?? chosen), [active, chosen])
  return (
    <>
      <section ref={container} className={styles.map} aria-label={t('map_label')} />
      <ChosenChurch data={data} chosen={chosen} zone={zone} />
    </>
  )
}

function shownOf({ rows, search, place }: Locator): ShownResults {
  const first = firstNumber(search)
  const point = search.point ?? place?.point ?? null
  return {
    churches: rows.flatMap(({ id, name, point, mode }, i) =>
      point ? [{ id, name, lat: point[0], lng: point[1], number: first + i, isArea: mode !== 'exact' }] : [],
    ),
    near: point && { ...point, name: place?.name ?? '' },
    isWhole: !hasFilters({ ...search, page: 1 }),
  }
}
