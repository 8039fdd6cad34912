import * as L from 'leaflet'
import { seenFrom } from './clusters.ts'
import type { MapParts } from './drawMap.ts'
import { onEnter, textOf } from './elements.ts'
import styles from './LocatorMap.module.css'

interface Church {
  id: string
  name: string
  lat: number
  lng: number
  /** As in the list. */
  number: number
  isArea: boolean
}

export interface Shown {
  churches: Church[]
  near: { lat: number; lng: number; name: string } | null
  /** Nothing was asked for: the whole world is shown, and of the list only the row that is pointed at. */
  isWhole: boolean
}

/** About half as wide as the cell of 0.1 degrees that an approximate locale lies in. */
const AREA_METERS = 6_000

/** Numbered as in the list; a dashed circle where only the area is known. */
export function createResults(map: L.Map, parts: Omit<MapParts, 'tiles'>) {
  const layer = L.layerGroup().addTo(map)
  const markers = new Map<string, L.Marker>()
  let isWhole = false

  return {
    /** Says what has to be in view. */
    show({ churches, near, isWhole: isAll }: Shown): L.LatLngBounds | null {
      layer.clearLayers()
      markers.clear()
      isWhole = isAll
      const reference = near?.lng ?? churches[0]?.lng ?? 0
      const all = near ? [L.latLng(near.lat, near.lng)] : []
      if (near) layer.addLayer(pointOf(near))
      for (const church of churches) {
        const at = L.latLng(church.lat, seenFrom(reference, church.lng))
        all.push(at)
        const marker = markerOf(church, at, parts)
        markers.set(church.id, marker)
        if (isWhole) continue
        if (church.isArea) layer.addLayer(areaAt(at))
        layer.addLayer(marker)
      }
      return all.length > 0 ? L.latLngBounds(all) : null
    },
    mark(id: string | null) {
      for (const [of, marker] of markers) {
        if (isWhole && of !== id) layer.removeLayer(marker)
        if (isWhole && of === id) layer.addLayer(marker)
        marker.getElement()?.classList.toggle(styles.marked!, of === id)
        marker.setZIndexOffset(of === id ? 1_000 : 0)
      }
    },
  }
}

function markerOf(church: Church, at: L.LatLng, { t, onActive, onOpen }: Omit<MapParts, 'tiles'>) {
  const label = document.createElement('span')
  label.textContent = String(church.number)
  const icon = L.divIcon({ html: label, className: church.isArea ? styles.area! : styles.pin!, iconSize: [30, 30] })
  const marker = L.marker(at, { icon, riseOnHover: true })
  marker.bindTooltip(() => textOf(church.name), { direction: 'top', offset: [0, -14] })
  marker.on('mouseover', () => onActive(church.id))
  marker.on('mouseout', () => onActive(null))
  marker.on('click', () => onOpen(church.id))
  marker.on('add', () => {
    // To those who do not see it a marker is a link with the name of the church.
    const element = marker.getElement()!
    element.setAttribute('role', 'link')
    element.setAttribute('aria-label', t('map_marker', { number: church.number, name: church.name }))
    element.addEventListener('focus', () => onActive(church.id))
    element.addEventListener('blur', () => onActive(null))
    onEnter(element, () => onOpen(church.id))
  })
  return marker
}

const areaAt = (at: L.LatLng) =>
  L.circle(at, {
    radius: AREA_METERS,
    interactive: false,
    weight: 1.5,
    dashArray: '5 4',
    color: '#657186',
    fillOpacity: 0.12,
  })

function pointOf({ lat, lng, name }: NonNullable<Shown['near']>) {
  const icon = L.divIcon({ html: '<span></span>', className: styles.here!, iconSize: [30, 30] })
  const marker = L.marker([lat, lng], { icon, interactive: false, keyboard: false, zIndexOffset: -1_000 })
  if (!name) return marker
  return marker.bindTooltip(textOf(name), {
    permanent: true,
    direction: 'bottom',
    offset: [0, 8],
    className: styles.label!,
  })
}
