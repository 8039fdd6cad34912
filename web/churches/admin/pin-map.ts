import * as L from 'leaflet'
import { classes } from '#web/ui/classes.ts'
import 'leaflet/dist/leaflet.css'
import { createBaseLayer, type Tiles } from '../map/base-layer.ts'
import styles from './PinMap.module.css'

interface PinMapDeps {
  tiles: Tiles | null
  labels: { pin: string; zoomIn: string; zoomOut: string }
  onMove: (lat: number, lng: number) => void
}
export type PinMap = ReturnType<typeof drawPin>

const CLOSE_ZOOM = 14
const STEP_PIXELS = 10
const KEYS: Record<string, [number, number]> = {
  ArrowUp: [0, -STEP_PIXELS],
  ArrowDown: [0, STEP_PIXELS],
  ArrowLeft: [-STEP_PIXELS, 0],
  ArrowRight: [STEP_PIXELS, 0],
}

/** One pin on a map: placed by a click, moved by dragging or, when focused, by the arrow keys. */
export function drawPin(container: HTMLElement, { tiles, labels, onMove }: PinMapDeps) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = L.map(container, {
    zoomControl: false,
    attributionControl: false,
    scrollWheelZoom: false,
    minZoom: 1,
    maxZoom: 18,
    zoomAnimation: !isCalm,
    fadeAnimation: !isCalm,
    markerZoomAnimation: !isCalm,
    inertia: !isCalm,
  }).setView([15, 20], 1)
  const position = document.documentElement.dir === 'rtl' ? 'topleft' : 'topright'
  L.control.zoom({ position, zoomInTitle: labels.zoomIn, zoomOutTitle: labels.zoomOut }).addTo(map)
  const ground = createBaseLayer(map, tiles)
  const pin = L.marker([0, 0], {
    draggable: true,
    autoPan: true,
    keyboard: true,
    icon: L.divIcon({ className: classes(styles.pin), iconSize: [28, 28], iconAnchor: [14, 28] }),
  })
  pin.on('add', () => {
    const element = pin.getElement()
    if (!element) return
    element.setAttribute('aria-label', labels.pin)
    element.setAttribute('role', 'button')
    element.addEventListener('keydown', (event) => {
      const step = KEYS[event.key]
      if (!step) return
      event.preventDefault()
      event.stopPropagation()
      moveTo(map.containerPointToLatLng(map.latLngToContainerPoint(pin.getLatLng()).add(step)))
      map.panInside(pin.getLatLng(), { padding: [40, 40], animate: false })
    })
  })
  pin.on('dragend', () => moveTo(pin.getLatLng()))
  map.on('click', ({ latlng }: L.LeafletMouseEvent) => moveTo(latlng))

  function moveTo(at: L.LatLng) {
    pin.setLatLng(at).addTo(map)
    const { lat, lng } = at.wrap()
    onMove(Math.max(-90, Math.min(90, lat)), lng)
  }

  return {
    /** Shows the point from the fields, or none. */
    showPoint(lat: number | null, lng: number | null) {
      const isPoint = lat !== null && lng !== null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
      if (!isPoint) {
        pin.remove()
        return
      }
      pin.setLatLng([lat, lng]).addTo(map)
      map.setView([lat, lng], Math.max(map.getZoom(), tiles ? CLOSE_ZOOM : 5), { animate: false })
    },
    remove() {
      ground.remove()
      map.remove()
    },
  }
}
