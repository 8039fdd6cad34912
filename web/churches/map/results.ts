import * as L from 'leaflet'
import { classes } from '#web/ui/classes.ts'
import { seenFrom } from './clusters.ts'
import type { MapDeps } from './deps.ts'
import { onEnter, textOf } from './elements.ts'
import styles from './LocatorMap.module.css'
import { spread } from './spread.ts'

interface Church {
  id: string
  name: string
  lat: number
  lng: number
  /** Same number as in the list. */
  number: number
  isArea: boolean
}

export interface ShownResults {
  churches: Church[]
  near: { lat: number; lng: number; name: string } | null
  /** Without a search: the whole world is shown, and of the list only the active row. */
  isWhole: boolean
}

const PIN_PIXELS = 30
/** About half the width of the 0.1 degree cell of an approximate locale. */
const AREA_METERS = 6_000

type ResultsDeps = Pick<MapDeps, 't' | 'onActive' | 'onOpen'>

/** Numbered as in the list; a dashed circle where only the area is known. */
export function createResults(map: L.Map, deps: ResultsDeps) {
  const layer = L.layerGroup().addTo(map)
  const leaderLines = L.layerGroup().addTo(map)
  const pins = new Map<string, { marker: L.Marker; at: L.LatLng }>()
  let isWhole = false

  /** Spreads overlapping pins, each displaced one connected to its church by a line. */
  function arrange() {
    leaderLines.clearLayers()
    if (isWhole) return
    const all = [...pins.values()]
    const places = spread(
      all.map(({ at }) => map.latLngToLayerPoint(at)),
      PIN_PIXELS + 2,
    )
    for (const [i, { marker, at }] of all.entries()) {
      const spot = places[i]
      if (!spot) continue
      const place = map.layerPointToLatLng(L.point(spot))
      marker.setLatLng(place)
      if (!place.equals(at, 1e-6)) leaderLines.addLayer(threadTo(at, place))
    }
  }
  map.on('zoomend', arrange)

  return {
    /** Returns the bounds to bring into view. */
    show({ churches, near, isWhole: isAll }: ShownResults): L.LatLngBounds | null {
      layer.clearLayers()
      pins.clear()
      isWhole = isAll
      const reference = near?.lng ?? churches[0]?.lng ?? 0
      const all = near ? [L.latLng(near.lat, near.lng)] : []
      if (near) layer.addLayer(pointOf(near))
      for (const church of churches) {
        const at = L.latLng(church.lat, seenFrom(reference, church.lng))
        all.push(at)
        const marker = markerOf(church, at, deps)
        pins.set(church.id, { marker, at })
        if (isWhole) continue
        if (church.isArea) layer.addLayer(areaAt(at))
        layer.addLayer(marker)
      }
      return all.length > 0 ? L.latLngBounds(all) : null
    },
    arrange,
    /** Where numbers and the origin of the search are shown. */
    spots: () => layer.getLayers().flatMap((each) => (each instanceof L.Marker ? [each.getLatLng()] : [])),
    mark(id: string | null) {
      for (const [of, { marker }] of pins) {
        if (isWhole && of !== id) layer.removeLayer(marker)
        if (isWhole && of === id) layer.addLayer(marker)
        marker.getElement()?.classList.toggle(classes(styles.marked), of === id)
        marker.setZIndexOffset(of === id ? 1_000 : 0)
      }
    },
  }
}

function markerOf(church: Church, at: L.LatLng, { t, onActive, onOpen }: ResultsDeps) {
  const label = document.createElement('span')
  label.textContent = String(church.number)
  const className = classes(church.isArea ? styles.area : styles.pin)
  const icon = L.divIcon({ html: label, className, iconSize: [PIN_PIXELS, PIN_PIXELS] })
  const marker = L.marker(at, { icon, riseOnHover: true })
  marker.bindTooltip(() => textOf(church.name), { direction: 'top', offset: [0, -14] })
  marker.on('mouseover', () => onActive(church.id))
  marker.on('mouseout', () => onActive(null))
  marker.on('click', () => onOpen(church.id))
  marker.on('add', () => {
    // For screen readers a marker is a link with the name of the church.
    const element = marker.getElement()
    if (!element) return
    element.setAttribute('role', 'link')
    element.setAttribute('aria-label', t('map_marker', { number: church.number, name: church.name }))
    element.addEventListener('focus', () => onActive(church.id))
    element.addEventListener('blur', () => onActive(null))
    onEnter(element, () => onOpen(church.id))
  })
  return marker
}

const threadTo = (at: L.LatLng, place: L.LatLng) =>
  L.polyline([at, place], { interactive: false, weight: 1.5, color: '#1e40af' })

const areaAt = (at: L.LatLng) =>
  L.circle(at, {
    radius: AREA_METERS,
    interactive: false,
    weight: 1.5,
    dashArray: '5 4',
    color: '#657186',
    fillOpacity: 0.12,
  })

function pointOf({ lat, lng, name }: NonNullable<ShownResults['near']>) {
  const icon = L.divIcon({ html: '<span></span>', className: classes(styles.here), iconSize: [PIN_PIXELS, PIN_PIXELS] })
  const marker = L.marker([lat, lng], { icon, interactive: false, keyboard: false, zIndexOffset: -1_000 })
  if (!name) return marker
  return marker.bindTooltip(textOf(name), {
    permanent: true,
    // Below the numbers.
    pane: 'shadowPane',
    direction: 'bottom',
    offset: [0, 8],
    className: classes(styles.label),
  })
}
